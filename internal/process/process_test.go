//go:build unix

package process

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain doubles as a host that runs a script, detaches it and ends.
func TestMain(m *testing.M) {
	if script := os.Getenv("PROCESS_TEST_RELEASE"); script != "" {
		s := sh(script)
		s.Stdin = bytes.Repeat([]byte("in"), 500_000)
		s.Release = func(out []byte) bool { return bytes.IndexByte(out, '\n') >= 0 }
		if r := Run(context.Background(), s); !r.Released || string(r.Stdout) != "async\n" {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// sh returns a Spec that runs script.
func sh(script string, args ...string) Spec {
	return Spec{Argv: append([]string{"/bin/sh", "-c", script, "sh"}, args...), Env: os.Environ()}
}

// with returns s after f has changed it.
func with(s Spec, f func(*Spec)) Spec { f(&s); return s }

func TestRun(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "hook.sh")
	write(t, script, "#!/bin/sh\necho here $1\n", 0o755)
	var all [256]byte
	for i := range all {
		all[i] = byte(i)
	}
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<18) // 4 MiB
	for _, tt := range []struct {
		name string
		spec Spec
		want Result
	}{
		{"nothing to say", sh(":"), Result{}},
		{"the exit status is a result", sh("echo no >&2; exit 2"), Result{Stderr: []byte("no\n"), Exit: 2}},
		{"exit status 255", sh("exit 255"), Result{Exit: 255}},
		{"no stdin is an empty stdin", sh("cat; echo end"), Result{Stdout: []byte("end\n")}},
		{"stdin arrives", with(sh("cat"), func(s *Spec) { s.Stdin = []byte("{}\n") }), Result{Stdout: []byte("{}\n")}},
		{"bytes stay as they are", with(sh("cat; cat >&2"), func(s *Spec) {
			s.Stdin = all[:]
		}), Result{Stdout: all[:]}},
		{"stdin and stdout larger than a pipe", with(sh("cat"), func(s *Spec) { s.Stdin = big }), Result{Stdout: big}},
		{"stdin may be left unread", with(sh("exit 3"), func(s *Spec) { s.Stdin = big[:2<<20] }), Result{Exit: 3}},
		{"stdin may be closed", with(sh("exec <&-; sleep 0.05; echo on"), func(s *Spec) { s.Stdin = big }),
			Result{Stdout: []byte("on\n")}},
		{"stdout may be closed early", sh("exec >&- 2>&-; sleep 0.05; exit 4"), Result{Exit: 4}},
		{"a stream is cut, its writer is not", with(sh("yes | head -c 5000000; echo done >&2"), func(s *Spec) {
			s.MaxOutput = 5
		}),
			Result{Stdout: []byte("y\ny\ny"), Stderr: []byte("done\n"), Truncated: true}},
		{"a stream of just the size is whole", with(sh("printf 12345"), func(s *Spec) { s.MaxOutput = 5 }),
			Result{Stdout: []byte("12345")}},
		{"what a killed program said is kept", sh("echo said; kill -9 $$"),
			Result{Stdout: []byte("said\n"), Exit: -1, Signal: "SIGKILL"}},
		{"any signal has its name", sh("kill -TERM $$"), Result{Exit: -1, Signal: "SIGTERM"}},
		{"the directory", with(sh("pwd -P"), func(s *Spec) {
			s.Dir = real(t, dir)
		}), Result{Stdout: []byte(real(t, dir) + "\n")}},
		{"a path is relative to the directory", Spec{Argv: []string{"./hook.sh", "1"}, Dir: dir},
			Result{Stdout: []byte("here 1\n")}},
		{"a name is found in the PATH given",
			Spec{Argv: []string{"hook.sh", "2"}, Env: []string{"PATH=/nowhere:" + dir}},
			Result{Stdout: []byte("here 2\n")}},
		{"an empty PATH entry is the directory", Spec{Argv: []string{"hook.sh", "3"}, Dir: dir,
			Env: []string{"PATH=:/bin"}}, Result{Stdout: []byte("here 3\n")}},
		{"without a PATH there is the system's", Spec{Argv: []string{"sh", "-c", "echo ok"}},
			Result{Stdout: []byte("ok\n")}},
		{"of two variables the last holds", with(sh("echo $V"), func(s *Spec) {
			s.Env = []string{"V=1", "W=0", "V=2"}
		}), Result{Stdout: []byte("2\n")}},
		{"no environment leaks", with(sh("echo ${HOME-none}"), func(s *Spec) {
			s.Env = nil
		}), Result{Stdout: []byte("none\n")}},
		{"words are not split", sh(`printf %s "$1"`, "a  b'\"$c\n"), Result{Stdout: []byte("a  b'\"$c\n")}},
		{"SIGPIPE inside the hook is its own", sh("yes | head -n 1"), Result{Stdout: []byte("y\n")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Run(t.Context(), tt.spec)
			same(t, got, tt.want)
			if got.Start.IsZero() || got.End.Before(got.Start) {
				t.Errorf("from %v to %v", got.Start, got.End)
			}
		})
	}
	noChildren(t)
}

func TestNotStarted(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]fs.FileMode{"plain": 0o644, "data": 0o755, "lost": 0o755, "crlf": 0o755} {
		write(t, filepath.Join(dir, name), map[string]string{
			"plain": "#!/bin/sh\n", "data": "no magic\n", "lost": "#!/no/such/thing\n", "crlf": "#!/bin/sh\r\n",
		}[name], mode)
	}
	in := func(argv ...string) Spec { return Spec{Argv: argv, Dir: dir, Env: []string{"PATH=" + dir + ":/bin"}} }
	for _, tt := range []struct {
		name string
		spec Spec
		is   error
		text string
	}{
		{"no command", Spec{}, nil, "the command: is empty"},
		{"an empty command", in(""), nil, "the command: is empty"},
		{"not in PATH", in("no-such-program"), fs.ErrNotExist, "no-such-program: not found in PATH"},
		{"a path to nothing", in("/no/such/program"), fs.ErrNotExist, "/no/such/program: no such file"},
		{"not executable", in("./plain"), fs.ErrPermission, "./plain: is not executable"},
		{"not executable in PATH", in("plain"), fs.ErrNotExist, "plain: not found in PATH"},
		{"no program", in("./data"), nil, "./data: is neither"},
		{"no interpreter", in("./lost"), fs.ErrNotExist, "./lost: the program its #! line names"},
		{"an interpreter with a CR", in("./crlf"), fs.ErrNotExist, "./crlf: the program its #! line names"},
		{"a directory", in("/"), nil, "/: is a directory"},
		{"a NUL in an argument", in("/bin/sh", "-c", "a\x00b"), nil, "an argument of /bin/sh: holds a NUL byte"},
		{"a NUL in the command", in("/bin\x00/sh"), nil, `an argument of /bin\0/sh: holds a NUL byte`},
		{"a NUL in the environment", Spec{Argv: []string{"sh"}, Env: []string{"A=\x00"}}, nil, "NUL"},
		{"a NUL in the directory", Spec{Argv: []string{"sh"}, Dir: "\x00"}, nil, "NUL"},
		{"no such directory", Spec{Argv: []string{"/bin/sh"}, Dir: dir + "/gone"}, fs.ErrNotExist,
			"working directory " + dir + "/gone: no such"},
		{"no directory at all", Spec{Argv: []string{"/bin/sh"}, Dir: dir + "/data"}, nil, "working directory " +
			dir + "/data: is not a directory"},
		{"too long", in("/bin/sh", strings.Repeat("x", 8<<20)), syscall.E2BIG, "/bin/sh: argument list too long"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.spec.Stdin = make([]byte, 100_000)
			got := Run(t.Context(), tt.spec)
			_, derr := Detach(tt.spec)
			for _, err := range []error{got.Err, derr} {
				if err == nil || !strings.Contains(err.Error(), tt.text) || tt.is != nil && !errors.Is(err, tt.is) {
					t.Errorf("got %v, want %q", err, tt.text)
				}
			}
			if got.Exit != -1 {
				t.Errorf("exit %d", got.Exit)
			}
		})
	}
	noChildren(t)
}

// TestTime checks that no hook can exceed its time: each row must be over, and its children gone, within 100 ms of its
// limit.
func TestTime(t *testing.T) {
	const limit = 400 * time.Millisecond
	killed := Result{Exit: -1, Signal: "SIGKILL", TimedOut: true}
	pidThen := func(script string) Spec { return sh("sleep 60 & echo $!; " + script) }
	for _, tt := range []struct {
		name string
		spec Spec
		want Result
	}{
		{"a grandchild dies with the hook", pidThen("wait"), killed},
		{"a hook that ignores SIGTERM", pidThen("trap '' TERM INT HUP; while :; do sleep 1; done"), killed},
		{"a hook that is stopped", pidThen("kill -STOP $$; wait"), killed},
		{"a hook that floods", pidThen("exec yes"), killed},
		{"a hook that closed its streams", pidThen("exec >&- 2>&- <&-; sleep 60"), killed},
		{"a hook that takes no stdin", with(pidThen("sleep 60"), func(s *Spec) { s.Stdin = make([]byte, 1<<20) }),
			killed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.spec.Timeout, tt.spec.MaxOutput, tt.spec.Grace = limit, 1<<20, time.Minute
			got := lasting(t, limit, func() Result { return Run(t.Context(), tt.spec) })
			got.Truncated = false // how much came through in the time depends on the machine
			first, _, _ := bytes.Cut(got.Stdout, []byte("\n"))
			gone(t, string(first))
			got.Stdout = nil
			same(t, got, tt.want)
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		var ctx context.Context
		got := lasting(t, limit, func() Result {
			c, cancel := context.WithCancel(t.Context())
			ctx = c
			time.AfterFunc(limit+10*time.Millisecond, cancel)
			return Run(ctx, pidThen("wait"))
		})
		gone(t, strings.TrimSpace(string(got.Stdout)))
		got.Stdout = nil
		same(t, got, Result{Exit: -1, Signal: "SIGKILL"})
		if got := Run(ctx, sh(":")); !errors.Is(got.Err, context.Canceled) {
			t.Errorf("a run after the end of its context: %v", got.Err)
		}
	})
	t.Run("the context has a deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		same(t, Run(ctx, sh("sleep 60")), killed)
	})
	t.Run("in time", func(t *testing.T) {
		same(t, Run(t.Context(), with(sh("exit 7"), func(s *Spec) { s.Timeout = time.Minute })), Result{Exit: 7})
	})
	noChildren(t)
}

// TestLeftBehind checks that a background child doesn't delay anything, and that the program's own output is complete
// even so.
func TestLeftBehind(t *testing.T) {
	words := strings.Repeat("0123456789abcde\n", 3750) // 60 000 bytes, all in the pipe at once
	for _, tt := range []struct{ name, script, want string }{
		{"a silent child", "sleep 30 & printf %s \"$1\"", words},
		{"a child of another session", "(setsid sleep 30 || exec sleep 30) 2>&1 & printf %s \"$1\"", words},
		{"a child that goes on", "{ sleep 0.01; echo child; sleep 30; } & echo parent", "parent\nchild\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sh(tt.script, words)
			s.Grace = 2 * time.Second // a busy machine is slow to start the child
			got := Run(t.Context(), s)
			took(t, got, 0, 20*time.Second)
			same(t, got, Result{Stdout: []byte(tt.want)})
		})
	}
	t.Run("a child that has the rest of the time", func(t *testing.T) {
		for script, want := range map[string]Result{
			"(sleep 0.3; echo late) & echo early":      {Stdout: []byte("early\nlate\n")},
			"(sleep 0.3; echo late >&2) & exit 3":      {Stderr: []byte("late\n"), Exit: 3},
			"(exec >&-; sleep 0.3; echo late >&2) & :": {Stderr: []byte("late\n")},
		} {
			s := sh(script)
			s.Grace, s.Timeout = -1, time.Minute
			same(t, Run(t.Context(), s), want)
		}
		s := sh("sleep 30 & echo early")
		s.Grace, s.Timeout = -1, time.Second
		got := Run(t.Context(), s)
		took(t, got, 0, 20*time.Second)
		if !got.TimedOut {
			t.Errorf("a child that stays: %+v", got)
		}
		s.Answered = func(exit int, stdout, stderr []byte) bool {
			return exit == 0 && string(stdout)+string(stderr) == "early\n"
		}
		for _, script := range []string{"sleep 30 & echo early", "(sleep 0.3; echo early; sleep 30) &",
			"(sleep 0.3; echo early; sleep 30) >&2 &"} {
			s.Argv = sh(script).Argv
			if got := Run(t.Context(), s); got.TimedOut || string(got.Stdout)+string(got.Stderr) != "early\n" {
				t.Errorf("a child behind an answer, %s: %+v", script, got)
			}
		}
		s.Answered = nil
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(500*time.Millisecond, cancel)
		s.Timeout = time.Minute
		t0 := time.Now()
		if got := Run(ctx, s); time.Since(t0) > 20*time.Second || got.TimedOut {
			t.Errorf("cancelled: %v, %+v", time.Since(t0), got)
		}
	})
	t.Run("a flooding child", func(t *testing.T) {
		got := Run(t.Context(), sh("echo parent; yes & exit 5"))
		took(t, got, 0, 20*time.Second)
		if got.Exit != 5 || !bytes.HasPrefix(got.Stdout, []byte("parent\n")) {
			t.Errorf("exit %d, %.20q", got.Exit, got.Stdout)
		}
	})
	t.Run("a child is not killed with the hook's own end", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "late")
		same(t, Run(t.Context(), sh(`(sleep 0.2; echo late >"$1") >/dev/null 2>&1 & :`, file)), Result{})
		appears(t, file, "late\n")
	})
}

func TestRunAll(t *testing.T) {
	if got := RunAll(t.Context(), nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	specs := make([]Spec, 100)
	for i := range specs {
		specs[i] = sh("sleep 1; cat; echo $1 >&2; exit $1", strconv.Itoa(i))
		specs[i].Stdin = bytes.Repeat([]byte{byte(i)}, i*3000)
	}
	specs[50].Argv = []string{"no-such-program"}
	t0 := time.Now()
	for i, got := range RunAll(t.Context(), specs) {
		if i == 50 {
			if got.Err == nil {
				t.Error("50 was started")
			}
			continue
		}
		same(t, got, Result{Stdout: specs[i].Stdin, Stderr: []byte(strconv.Itoa(i) + "\n"), Exit: i})
	}
	if d := time.Since(t0); d > time.Minute { // one after the other takes 100 s
		t.Errorf("one after the other: %v", d)
	}
	noChildren(t)
}

// TestNothingIsLeft checks that no kind of run leaves an open file or a goroutine.
func TestNothingIsLeft(t *testing.T) {
	kinds := []Spec{
		sh("echo x"), {Argv: []string{"no-such-program"}}, {Argv: []string{"/"}},
		with(sh(":"), func(s *Spec) { s.Stdin = make([]byte, 1<<20) }),
		with(sh("sleep 9"), func(s *Spec) { s.Timeout = time.Millisecond }),
		with(sh("sleep 0.2 & :"), func(s *Spec) { s.Grace = time.Millisecond; s.Stdin = make([]byte, 1<<20) }),
		with(sh("echo x; sleep 0.1"), func(s *Spec) { s.Release = func([]byte) bool { return true } }),
	}
	RunAll(t.Context(), kinds)
	time.Sleep(300 * time.Millisecond)
	files, routines := openFiles(t), runtime.NumGoroutine()
	for range 5 {
		RunAll(t.Context(), kinds)
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		f, r := openFiles(t), runtime.NumGoroutine()
		if f <= files && r <= routines {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("files %d -> %d, goroutines %d -> %d", files, f, routines, r)
		}
	}
	noChildren(t)
}

func TestRelease(t *testing.T) {
	file := filepath.Join(t.TempDir(), "late")
	// It waits for a gate that opens once this process has been detached; its output then is more than any pipe holds.
	const script = `echo async; i=0; while ! test -e "$1.gate" && test $i -lt 600; do sleep 0.05; i=$((i+1)); done; ` +
		`head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2; wc -c | tr -d ' ' >"$1"`
	t.Run("this process lives on", func(t *testing.T) {
		var seen []string
		s := sh(script, file)
		s.Stdin, s.Timeout = make([]byte, 1_000_000), time.Minute
		s.Release = func(out []byte) bool { seen = append(seen, string(out)); return string(out) == "async\n" }
		got := Run(t.Context(), s)
		same(t, got, Result{Stdout: []byte("async\n"), Exit: -1, Released: true})
		absent(t, file)
		write(t, file+".gate", "", 0o644)
		if len(seen) == 0 {
			t.Error("never asked")
		}
		appears(t, file, "1000000\n")
	})
	t.Run("this process is gone", func(t *testing.T) {
		file += "2"
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "PROCESS_TEST_RELEASE="+strings.ReplaceAll(script, "$1", file))
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		absent(t, file)
		write(t, file+".gate", "", 0o644)
		appears(t, file, "1000000\n")
	})
	t.Run("never", func(t *testing.T) {
		s := sh("echo sync")
		s.Release = func([]byte) bool { return false }
		same(t, Run(t.Context(), s), Result{Stdout: []byte("sync\n")})
	})
}

func TestDetach(t *testing.T) {
	for _, size := range []int{0, 100, 2 << 20} {
		file := filepath.Join(t.TempDir(), "late")
		s := sh(`i=0; while ! test -e "$1.gate" && test $i -lt 600; do sleep 0.05; i=$((i+1)); done
			echo noise; echo noise >&2; wc -c | tr -d ' ' >"$1"`, file)
		s.Stdin = make([]byte, size)
		pid, err := Detach(s)
		if err != nil {
			t.Fatal(err)
		}
		absent(t, file)
		if pgid, err := syscall.Getpgid(pid); err != nil || pgid != pid { // as long as it waits
			t.Errorf("pid %d is in group %d, %v", pid, pgid, err)
		}
		write(t, file+".gate", "", 0o644)
		appears(t, file, strconv.Itoa(size)+"\n")
	}
	pid, err := Detach(sh("exit 1"))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(30 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a zombie is left")
		}
	}
}

// TestSlow checks that Slow is called once for several slow programs.
func TestSlow(t *testing.T) {
	calls := 0
	slow := with(sh("sleep 0.1"), func(s *Spec) { s.Slow = func() { calls++ } })
	RunAll(t.Context(), []Spec{slow, slow, sh(":")})
	if calls != 1 {
		t.Errorf("%d calls", calls)
	}
}

// TestFolders checks that a program finds the folders that it needs.
func TestFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	s := sh(`echo x >"$1/log" && cat "$1/log"`, dir)
	s.Folders = []string{dir, "/proc/none"}
	same(t, Run(t.Context(), s), Result{Stdout: []byte("x\n")})
}

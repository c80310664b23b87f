package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain doubles as hooks whose first word selects their behavior.
func TestMain(m *testing.M) {
	if strings.HasPrefix(strings.ToLower(filepath.Base(os.Args[0])), "bash") || os.Getenv("PROCESS_TEST") != "" {
		hook(os.Args[1:])
	}
	os.Exit(m.Run())
}

func hook(args []string) {
	switch args[0] {
	case "-c": // as a shell
		fmt.Printf("shell %s", args[1])
	case "args":
		fmt.Printf("%q", args[1:])
	case "cat":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "env":
		fmt.Print(os.Getenv(args[1]))
	case "dir":
		dir, _ := os.Getwd()
		fmt.Print(dir)
	case "refuse":
		fmt.Fprint(os.Stderr, "no")
		os.Exit(2)
	case "hang":
		hang()
	case "flood":
		for {
			fmt.Println(strings.Repeat("x", 1000))
		}
	case "fork": // to some depth, all of them hanging except the first with "gone"
		if depth, _ := strconv.Atoi(args[1]); depth > 0 {
			p, err := os.StartProcess(os.Args[0], []string{os.Args[0], "fork", strconv.Itoa(depth - 1), args[2]},
				&os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
			if err != nil {
				panic(err)
			}
			fmt.Println(p.Pid)
		}
		if args[2] != "gone" || args[1] == "0" {
			hang()
		}
	case "answer":
		var line string
		for {
			if _, err := fmt.Scanln(&line); err != nil {
				os.Exit(3)
			}
			fmt.Println("heard " + line)
		}
	case "file":
		b, _ := io.ReadAll(os.Stdin)
		_ = os.WriteFile(args[1], b, 0o600)
	}
	os.Exit(0)
}

func hang() {
	for {
		time.Sleep(time.Hour)
	}
}

// self returns a Spec of this program as a hook.
func self(args ...string) Spec {
	return Spec{Argv: append([]string{os.Args[0]}, args...), Env: append(os.Environ(), "PROCESS_TEST=1"),
		Timeout: time.Minute}
}

func with(s Spec, f func(*Spec)) Spec { f(&s); return s }

// has makes a file under dir: a copy of this program, or a script if there is a text.
func has(t *testing.T, text string, names ...string) string {
	t.Helper()
	file := filepath.Join(names...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	b := []byte(text)
	if text == "" {
		var err error
		if b, err = os.ReadFile(os.Args[0]); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(file, b, 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

// ends waits for the end of a process, and fails if there is none.
func ends(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	h, err := syscall.OpenProcess(syscall.SYNCHRONIZE, false, uint32(n))
	if err != nil {
		return
	}
	defer syscall.CloseHandle(h)
	if event, _ := syscall.WaitForSingleObject(h, 60_000); event != 0 {
		t.Errorf("process %s is alive", pid)
	}
}

func kill(pid string) error {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return err
	}
	p, err := os.FindProcess(n)
	if err != nil {
		return err
	}
	return p.Kill()
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	script := has(t, "@echo off\r\necho [%~1]\r\nexit /b 2\r\n", dir, "a b", "guard.cmd")
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<17) // 2 MiB
	words := []string{`a  b'"$c\`, "", `\\server\x\`, "%PATH%", "ä €", `"`}
	inDir := func(s *Spec) { s.Dir = dir }
	for _, tt := range []struct {
		name string
		spec Spec
		out  string
		exit int
	}{
		{"a refusal", self("refuse"), "", 2},
		{"stdin arrives", with(self("cat"), func(s *Spec) { s.Stdin = []byte("{}\n") }), "{}\n", 0},
		{"stdin and stdout larger than a pipe", with(self("cat"), func(s *Spec) { s.Stdin = big }), string(big), 0},
		{"stdin may be left unread", with(self("refuse"), func(s *Spec) { s.Stdin = big }), "", 2},
		{"the directory", with(self("dir"), inDir), dir, 0},
		{"words arrive as they are", self(append([]string{"args"}, words...)...), fmt.Sprintf("%q", words), 0},
		{"of two variables the last holds, in any case", with(self("env", "VAR"), func(s *Spec) {
			s.Env = append(s.Env, "var=1", "VAR=2")
		}), "2", 0},
		{"a command line in cmd.exe's quotes", Spec{Argv: ShellArgv("windows", `"`+script+`" "x y" & exit 3`),
			Env: os.Environ()}, "[x y]\r\n", 3},
		{"a batch file", Spec{Argv: []string{script, "x y"}, Env: os.Environ()}, "[x y]\r\n", 2},
		{"a batch file by a path from the directory", with(Spec{Argv: []string{`.\a b\guard.cmd`, "1"},
			Env: os.Environ()}, inDir), "[1]\r\n", 2},
		{"a batch file in PATH by its name", Spec{Argv: []string{"guard", "1"}, Env: append(os.Environ(),
			"Path="+filepath.Dir(script))}, "[1]\r\n", 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Run(t.Context(), tt.spec)
			if r.Err != nil || string(r.Stdout) != tt.out || r.Exit != tt.exit || r.TimedOut || r.Signal != "" {
				t.Errorf("%d %.80q %.80q %+v, want %d %.80q", r.Exit, r.Stdout, r.Stderr, r.Err, tt.exit, tt.out)
			}
		})
	}
}

// TestShells checks where a POSIX shell is found: never where that name starts another system on Windows.
func TestShells(t *testing.T) {
	dir := t.TempDir()
	wsl := filepath.Dir(has(t, "", dir, "windows", "system32", "bash.exe"))
	store := filepath.Dir(has(t, "", dir, "Microsoft", "WindowsApps", "bash.exe"))
	git := filepath.Dir(has(t, "", dir, "Git", "cmd", "git.exe"))
	has(t, "", dir, "Git", "bin", "bash.exe")
	has(t, "", dir, "Programs", "Git", "usr", "bin", "sh.exe")
	none := []string{"SYSTEMROOT=" + filepath.Join(dir, "windows")}
	for _, tt := range []struct {
		shell string
		env   []string
		found bool
	}{
		{"bash", []string{"Path=" + filepath.Join(dir, "Git", "bin")}, true},
		{"/bin/bash", []string{"PATH=" + wsl + ";" + store + ";" + git}, true},
		{"/usr/bin/bash", []string{"ProgramFiles=" + dir}, true},
		{"sh", []string{"LOCALAPPDATA=" + dir}, true},
		{"bash", nil, false},
		{"/bin/sh", []string{"PATH=" + wsl + ";" + store}, false},
		{"powershell", nil, false},
		{"pwsh", []string{"PATH=" + git}, false},
	} {
		r := Run(t.Context(), Spec{Argv: []string{tt.shell, "-c", `echo "$x" 'y'`}, Env: append(none, tt.env...),
			Timeout: time.Minute})
		if errors.Is(r.Err, ErrNoWay) == tt.found {
			t.Errorf("%s with %q: %v %q", tt.shell, tt.env, r.Err, r.Stdout)
		}
	}
}

// TestNoWay checks commands that Windows has no program to start with.
func TestNoWay(t *testing.T) {
	dir := t.TempDir()
	script := has(t, "#!/bin/sh\nexit 2\n", dir, "guard.sh")
	bare := has(t, "#!/bin/sh\nexit 2\n", dir, "guard")
	batch := has(t, "@exit /b 0\r\n", dir, "guard.cmd")
	for _, argv := range [][]string{{script}, {bare}, {batch, "%PATH%"}, {batch, `x" & calc`}, {batch + ". ", "a&b"}} {
		if r := Run(t.Context(), Spec{Argv: argv, Env: os.Environ()}); !errors.Is(r.Err, ErrNoWay) {
			t.Errorf("%q: %v", argv, r.Err)
		}
	}
	for _, argv := range [][]string{{filepath.Join(dir, "none.exe")}, {"no-such-program"}} {
		if r := Run(t.Context(), Spec{Argv: argv}); r.Err == nil || errors.Is(r.Err, ErrNoWay) {
			t.Errorf("%q: %v", argv, r.Err)
		}
	}
}

// TestEnded checks that a time limit ends a hook with everything that it started.
func TestEnded(t *testing.T) {
	for _, args := range [][]string{{"hang"}, {"flood"}, {"fork", "3", "hang"}, {"fork", "2", "gone"}} {
		s := self(args...)
		s.MaxOutput, s.Timeout = 1000, 3*time.Second
		if began := time.Now(); args[0] == "flood" { // however long it takes to begin
			s.Timeout = time.Minute
			s.Extend = func([]byte) time.Duration { return time.Since(began) + 3*time.Second }
		}

		if args[len(args)-1] == "gone" {
			s.Grace = -1 // an agent that waits for a hook's leftover children
		}
		r := Run(t.Context(), s)
		if r.Err != nil || !r.TimedOut || r.Truncated != (args[0] == "flood") {
			t.Errorf("%q: %+v", args, r)
		}
		if args[0] != "fork" {
			continue
		}

		pids := strings.Fields(string(r.Stdout))
		if strconv.Itoa(len(pids)) != args[1] {
			t.Errorf("%q started %q", args, pids)
		}
		for _, pid := range pids {
			if args[2] == "gone" { // one goes on, as the hook itself has ended in time
				kill(pid)
			}
			ends(t, pid)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	s := self("fork", "1", "hang")
	s.Extend = func(out []byte) time.Duration { cancel(); return 0 }
	r := Run(ctx, s)
	if r.TimedOut || r.Signal != "SIGKILL" || r.Exit != -1 || r.Outcome(0) != Killed {
		t.Errorf("cancelled: %+v", r)
	}
	ends(t, strings.TrimSpace(string(r.Stdout)))
}

// TestLeftBehind checks that the answer doesn't wait for a hook's leftover children, which go on.
func TestLeftBehind(t *testing.T) {
	r := Run(t.Context(), self("fork", "1", "gone"))
	if r.Err != nil || r.Exit != 0 || r.TimedOut {
		t.Fatalf("%+v", r)
	}
	if err := kill(strings.TrimSpace(string(r.Stdout))); err != nil {
		t.Error("what it left behind has ended: ", err)
	}
}

func TestDetach(t *testing.T) {
	for _, size := range []int{10, 1 << 20} {
		file := filepath.Join(t.TempDir(), "seen")
		s := self("file", file)
		s.Stdin = bytes.Repeat([]byte("x"), size)
		pid, err := Detach(s)
		if err != nil {
			t.Fatal(err)
		}
		ends(t, strconv.Itoa(pid))
		if b, err := os.ReadFile(file); err != nil || len(b) != size {
			t.Errorf("%d of %d bytes: %v", len(b), size, err)
		}
	}
}

func TestTalk(t *testing.T) {
	talk, err := StartTalk(self("answer"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := talk.Ask([]byte("one"), time.Minute); err != nil || string(got) != "heard one" {
		t.Errorf("%q %v", got, err)
	}
	if r := talk.Close(); r.Exit != 3 {
		t.Errorf("%+v", r)
	}
	if talk, err = StartTalk(self("hang")); err != nil {
		t.Fatal(err)
	}
	if _, err := talk.Ask([]byte("one"), time.Millisecond); !errors.Is(err, ErrSilent) {
		t.Error(err)
	}
	if r := talk.Close(); r.Signal != "SIGKILL" {
		t.Errorf("%+v", r)
	}
}

func TestMany(t *testing.T) {
	specs := make([]Spec, 20)
	for i := range specs {
		specs[i] = self("env", "N")
		specs[i].Env = append(specs[i].Env, "N="+strconv.Itoa(i))
	}
	for i, r := range RunAll(t.Context(), specs) {
		if string(r.Stdout) != strconv.Itoa(i) {
			t.Errorf("%d: %+v", i, r)
		}
	}
}

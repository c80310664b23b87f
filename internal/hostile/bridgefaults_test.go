//go:build linux

package hostile

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// limited runs the program under a limit of the shell.
func (p *place) limited(limit string) {
	p.wrap = []string{"bash", "-c", "ulimit " + limit + ` && exec "$@"`, "bash"}
}

// gate returns a host's call before a tool, and a guard that denies.
func (p *place) gate(t *testing.T, flags ...string) (stdin []byte, args []string) {
	t.Helper()
	d := dialect(t, "cursor")
	args = append([]string{"run", "--host", "cursor", "--hooks", "claude"}, flags...)
	return p.payload(t, d, rowFor(d, schema.PreTool), "s1", "ls"), append(args, "-c", "echo no >&2; exit 2")
}

// refused reports whether the gate denied.
func refused(t *testing.T, o outcome) bool {
	d := dialect(t, "cursor")
	return o.exit == 0 && denies(d, rowFor(d, schema.PreTool), o.stdout)
}

// crashed reports whether Go's own runtime failed before or below the program: with a status that hosts read as a
// denial or, if it runs out of memory again while reporting that, by a signal (seen once in some thousand calls).
func crashed(o outcome) bool {
	return (o.exit == 2 || o.exit < 0) && o.stdout == "" && (strings.Contains(o.stderr, "fatal error: ") ||
		strings.Contains(o.stderr, "runtime: "))
}

// TestFewMeans runs hookbridge with fewer and fewer resources. With --fail-closed every call must be denied, by the
// guard or because the guard could not run; without, any call that wasn't denied must be reported.
func TestFewMeans(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	var files, memory, processes []string
	for n := 4; n <= 20; n++ {
		files = append(files, fmt.Sprintf("-n %d", n))
	}
	for n := 1; n <= 8; n++ {
		processes = append(processes, fmt.Sprintf("-u %d", n))
	}
	for n := 56_000; n < 2_000_000; n = n * 4 / 3 { // with less the system cannot even map the program
		memory = append(memory, fmt.Sprintf("-v %d", n))
	}
	for _, tt := range []struct {
		name   string
		limits []string
		other  bool // as a user without other processes
	}{
		{"files", files, false}, {"memory", memory, false}, {"processes", processes, true},
		{"disk", []string{"-f 0", "-f 1"}, false}, {"time", []string{"-t 1"}, false}} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.other && os.Geteuid() != 0 {
				t.Skip("only root can be another user")
			}
			counts := map[string]int{}
			for _, limit := range tt.limits {
				for _, closed := range []bool{false, true} {
					p := newPlace(t)
					p.limited(limit)
					if tt.other {
						p.asOther(t)
					}
					var flags []string
					if closed {
						flags = []string{"--fail-closed"}
					}
					stdin, args := p.gate(t, flags...)
					o := p.run(t, stdin, args...)
					switch {
					case refused(t, o):
						counts["refused"]++
					case crashed(o):
						counts["runtime gave up"]++
					case closed:
						t.Errorf("ulimit %s, fails closed: %v", limit, o)
					case o.sound() != nil || !strings.Contains(o.stderr, "HB"):
						t.Errorf("ulimit %s: %v, %v", limit, o.sound(), o)
					default:
						counts["proceeded, reported"]++
					}
					if err := p.clean(); err != nil {
						t.Errorf("ulimit %s: %v", limit, err)
					}
				}
			}
			t.Logf("%s: %v", tt.name, counts)
			if counts["refused"] == 0 {
				t.Error("nothing was refused: the limits say nothing")
			}
		})
	}
}

// asOther makes the calls as a user who has no other process.
func (p *place) asOther(t *testing.T) {
	t.Helper()
	const uid = 54321
	if _, err := exec.LookPath("setpriv"); err != nil {
		t.Skip(err)
	}
	for dir := p.dir; dir != "/" && dir != os.TempDir(); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := filepath.Walk(p.dir, func(path string, _ os.FileInfo, err error) error {
		return os.Chown(path, uid, uid)
	}); err != nil {
		t.Skip(err)
	}
	p.wrap = append([]string{"setpriv", "--reuid", fmt.Sprint(uid), "--clear-groups"}, p.wrap...)
}

// TestBadPlaces gives hookbridge an invalid home, state folder, temporary folder or log. The guard must still deny.
func TestBadPlaces(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  []string // variables; $P is the place
		make func(p *place)
		args []string
	}{
		{"no home", []string{"HOME="}, nil, nil},
		{"a home that is not there", []string{"HOME=/no/such/home"}, nil, nil},
		{"a home that is a file", []string{"HOME=/dev/null"}, nil, nil},
		{"no environment at all", []string{"HOME=", "PATH=", "TMPDIR=", "HOOKBRIDGE_STATE_DIR=", "PWD="}, nil, nil},
		{"a state folder that cannot be made", []string{"HOOKBRIDGE_STATE_DIR=/proc/no/such"}, nil, nil},
		{"a state folder that is a file", []string{"HOOKBRIDGE_STATE_DIR=$P/file"}, func(p *place) {
			os.WriteFile(p.in("file"), nil, 0o600)
		}, nil},
		{"a state folder open to others", nil, func(p *place) {
			os.Mkdir(p.in("state"), 0o700)
			os.Chmod(p.in("state"), 0o777)
		}, nil},
		{"a state folder by a link", nil, func(p *place) {
			os.Mkdir(p.in("real"), 0o700)
			os.Symlink(p.in("real"), p.in("state"))
		}, nil},
		{"a state folder that is read-only", nil, func(p *place) { os.Mkdir(p.in("state"), 0o500) }, nil},
		{"no temporary folder", []string{"TMPDIR=/no/such/folder"}, nil, nil},
		{"a full disk for the log", nil, nil, []string{"--log", "/dev/full"}},
		{"a log in a folder that is not there", nil, nil, []string{"--log", "/no/such/folder/log"}},
		{"a project that is not there", nil, nil, []string{"--project", "/no/such/project"}},
		{"the current folder is gone", nil, func(p *place) {
			p.wrap = []string{"sh", "-c", `mkdir "$HOME/x" && cd "$HOME/x" && rmdir "$HOME/x" && exec "$@"`, "sh"}
		}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			if tt.make != nil {
				tt.make(p)
			}
			for _, v := range tt.set {
				p.env = append(p.env, strings.ReplaceAll(v, "$P", p.dir))
			}
			for _, ask := range []string{"deny", "relay"} {
				stdin, args := p.gate(t, append([]string{"--ask", ask}, tt.args...)...)
				o := p.run(t, stdin, args...)
				if err := o.sound(); err != nil || !refused(t, o) {
					t.Errorf("%v, %v", err, o)
				}
				// an ask that can't be left to a later event is a denial
				if len(tt.set) > 0 && strings.HasPrefix(tt.set[0], "HOOKBRIDGE_STATE_DIR=/proc") {
					args[len(args)-1] = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse",` +
						`"permissionDecision":"ask","permissionDecisionReason":"sure?"}}'`
					if o := p.run(t, stdin, args...); !refused(t, o) {
						t.Errorf("--ask %s: %v", ask, o)
					}
				}
			}
			if err := p.clean(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFullDisk fills a small file system and asks a question that must be remembered: what can't be written is denied
// instead, and no file is left half-written.
func TestFullDisk(t *testing.T) {
	p := newPlace(t)
	os.Mkdir(p.in("state"), 0o700)
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=16k,mode=700", "none",
		p.in("state")).CombinedOutput(); err != nil {
		t.Skipf("no file system of one's own: %s", out)
	}
	defer exec.Command("umount", p.in("state")).Run()
	d := dialect(t, "cursor")
	row := rowFor(d, schema.PreTool)
	ask := `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask",` +
		`"permissionDecisionReason":"sure?"}}'`
	args := []string{"run", "--host", "cursor", "--hooks", "claude", "--ask", "relay", "-c", ask}
	relayed, denied := 0, 0
	for i := range 40 {
		o := p.run(t, p.payload(t, d, row, "s1", fmt.Sprintf("ls %d %s", i, strings.Repeat("x", 1000))), args...)
		switch {
		case refused(t, o):
			denied++
		case strings.Contains(o.stderr, string(schema.CodeAskRelayed)) &&
			!strings.Contains(o.stderr, string(schema.CodeState)):
			relayed++
		default:
			t.Errorf("call %d: %v", i, o)
		}
		if i == 5 { // full from now on
			os.WriteFile(p.in("state/fill"), make([]byte, 1<<20), 0o600)
		}
	}
	t.Logf("asked later %d, refused %d", relayed, denied)
	if relayed == 0 || denied == 0 {
		t.Error("the disk did not fill up in between")
	}
	if err := p.clean(); err != nil {
		t.Error(err)
	}
}

// TestStateFile replaces a session's file with all kinds of things. A guard never depends on it; if it may have
// contained an ask, the user is asked.
func TestStateFile(t *testing.T) {
	d := dialect(t, "cursor")
	pre, gate := rowFor(d, schema.PreTool), gateRow(t)
	ask := `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask",` +
		`"permissionDecisionReason":"sure?"}}'`
	flags := []string{"run", "--host", "cursor", "--hooks", "claude", "--ask", "relay", "-c"}
	file := func(t *testing.T, p *place) string {
		found, _ := filepath.Glob(p.in("state/*"))
		for _, f := range found {
			if !strings.HasSuffix(f, ".lock") {
				return f
			}
		}
		t.Fatalf("no session file among %v", found)
		return ""
	}
	var damages []struct {
		name string
		do   func(f string, whole []byte)
	}
	add := func(name string, do func(f string, whole []byte)) {
		damages = append(damages, struct {
			name string
			do   func(f string, whole []byte)
		}{name, do})
	}
	put := func(f string, b []byte) { os.Remove(f); os.WriteFile(f, b, 0o600) }
	add("empty", func(f string, _ []byte) { put(f, nil) })
	add("noise", func(f string, _ []byte) { put(f, bytes.Repeat([]byte{0, 0xff, '\n'}, 1000)) })
	add("a newer version", func(f string, w []byte) {
		put(f, bytes.Replace(w, []byte("state 1\n"), []byte("state 2\n"), 1))
	})
	add("a huge length", func(f string, _ []byte) {
		put(f, []byte("hookbridge-state 1\n0 4000000000 4000000000\nx\nend\n"))
	})
	add("too large", func(f string, w []byte) { put(f, append(w, make([]byte, 2<<20)...)) })
	add("a folder", func(f string, _ []byte) { os.Remove(f); os.Mkdir(f, 0o700) })
	add("a link", func(f string, w []byte) { os.WriteFile(f+"x", w, 0o600); os.Remove(f); os.Symlink(f+"x", f) })
	add("a pipe", func(f string, _ []byte) { os.Remove(f); syscall.Mkfifo(f, 0o600) })
	step := 9
	if long() {
		step = 1
	}
	for cut := 1; cut < 120; cut += step {
		add(fmt.Sprintf("cut at %d", cut), func(f string, w []byte) { put(f, w[:min(cut, len(w)-1)]) })
	}
	for _, damage := range damages {
		t.Run(damage.name, func(t *testing.T) {
			p := newPlace(t)
			if o := p.run(t, p.payload(t, d, pre, "s1", "ls"), append(flags, ask)...); o.exit != 0 || refused(t, o) {
				t.Fatalf("not left to the gate: %v", o)
			}
			f := file(t, p)
			whole, _ := os.ReadFile(f)
			damage.do(f, whole)
			o := p.run(t, p.payload(t, d, gate, "s1", "ls"), append(flags, "true")...)
			if o.sound() != nil || !strings.Contains(o.stdout, `"permission":"ask"`) && !refused(t, o) {
				t.Errorf("the question is lost: %v", o)
			}
			stdin, args := p.gate(t)
			if o := p.run(t, stdin, args...); !refused(t, o) {
				t.Errorf("the guard does not hold: %v", o)
			}
		})
	}
}

// gateRow returns the host's event before a shell command.
func gateRow(t *testing.T) *schema.EventRow {
	t.Helper()
	rows := dialect(t, "cursor").Profile().Events
	for i := range rows {
		if r := &rows[i]; r.Event == schema.PreTool && slices.Contains(r.Kinds(), schema.Shell) {
			return r
		}
	}
	t.Fatal("no gate")
	return nil
}

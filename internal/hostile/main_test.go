//go:build linux

package hostile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// program is the built command.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "hostile-")
	if err != nil {
		panic(err)
	}
	os.Chmod(dir, 0o755) // other users run it too
	program = filepath.Join(dir, "hookbridge")
	build := exec.Command("go", "build", "-o", program, "github.com/hookbridge/hookbridge/cmd/hookbridge")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// long reports whether to run the long form.
func long() bool { return os.Getenv("HOOKBRIDGE_LONG") != "" }

// A place is one project with its own home, state and temporary folder.
type place struct {
	dir   string
	id    string
	env   []string
	first int      // the number of its first process, 0 if unknown
	wrap  []string // a command before the program's, such as a shell that sets limits
}

var places atomic.Int64

func newPlace(t testing.TB) *place {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &place{dir: dir, id: fmt.Sprintf("hostile-%d-%d", os.Getpid(), places.Add(1))}
	for _, sub := range []string{"project", "home", "tmp"} {
		if err := os.Mkdir(p.in(sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.in("home"), "TMPDIR=" + p.in("tmp"),
		"HOOKBRIDGE_STATE_DIR=" + p.in("state"), "HOSTILE=" + p.id}
	return p
}

func (p *place) in(name string) string { return filepath.Join(p.dir, name) }

func (p *place) put(t testing.TB, name, text string, mode os.FileMode) string {
	t.Helper()
	file := p.in(name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, mode); err != nil {
		t.Fatal(err)
	}
	return file
}

// An outcome is what a host sees of one call.
type outcome struct {
	exit           int // -1: ended by a signal
	stdout, stderr string
	took           time.Duration
	refused        bool // by the host's exit status; stderr is the reason alone
}

// command returns a call of the program, not started.
func (p *place) command(args ...string) *exec.Cmd {
	argv := append(append([]string{}, p.wrap...), program)
	argv = append(argv, args...)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = p.in("project"), p.env
	return cmd
}

// run calls the program as a host would.
func (p *place) run(t testing.TB, stdin []byte, args ...string) outcome {
	t.Helper()
	cmd := p.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errs
	cmd.WaitDelay = 20 * time.Second
	start := time.Now()
	err := cmd.Start()
	if err != nil {
		t.Fatal(err)
	}
	if p.first == 0 && len(p.wrap) == 0 {
		p.first = cmd.Process.Pid
	}
	limit := time.AfterFunc(time.Minute, func() { cmd.Process.Kill() })
	err = cmd.Wait()
	if !limit.Stop() {
		t.Errorf("%q did not end within a minute", args)
	}
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		t.Errorf("%q has ended, and something still holds the host's pipes", args)
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String(), time.Since(start), false}.byStatus(args)
}

// byStatus converts the result for a host that denies with an exit status, and treats every other status as a failure
// of all hooks. It returns what other hosts get: an answer with status 0, and a failure of hookbridge with status 1.
func (o outcome) byStatus(args []string) outcome {
	at := slices.Index(args, "--host")
	if at < 0 {
		return o
	}
	host, err := adapter.Find(args[at+1])
	if err != nil || !host.Profile().StatusHolds {
		return o
	}

	switch {
	case o.exit == host.Profile().RefusalStatus && o.stdout != "":
		o.exit, o.refused = 0, true
	case o.exit == 0 && o.stdout == "{}\n" && strings.Contains(o.stderr, "error HB") &&
		!strings.Contains(o.stderr, "error HB2"): // those are losses of a translation
		o.exit, o.stdout = 1, ""
	}
	return o
}

// sound checks the rules for every call, regardless of faults: it is answered with one object or reported as failed,
// and never has the status of a decision.
func (o outcome) sound() error {
	switch o.exit {
	case 0:
		if !strings.HasSuffix(o.stdout, "\n") {
			return errors.New("the answer is no line")
		}
		if _, err := ordjson.Parse([]byte(o.stdout)); err != nil {
			return fmt.Errorf("the answer is not one object: %v", err)
		}
	case 1:
		if o.stdout != "" || !strings.Contains(o.stderr, "error HB") {
			return errors.New("failed and not said so")
		}
	default:
		return fmt.Errorf("exit status %d", o.exit)
	}
	return nil
}

// slow reports whether hookbridge denied because its own work took too long, as it may on a busy machine.
func (o outcome) slow() bool {
	return o.exit == 0 && strings.Contains(o.stdout, "own work on this call took")
}

func (o outcome) String() string {
	short := func(s string) string { return strconv.Quote(s[:min(len(s), 400)]) }
	return fmt.Sprintf("exit %d stdout %s stderr %s", o.exit, short(o.stdout), short(o.stderr))
}

// denies reports whether the answer denies the call, as the host reads it.
func denies(host adapter.Dialect, row *schema.EventRow, answer string) bool {
	h := schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate != nil, Handler: schema.HandlerCommand}
	view := schema.View{Event: row.Native, Kind: schema.Shell}
	if tool := host.Profile().ToolOfKind(schema.Shell); tool != nil {
		view.Tool = tool.Name
	}
	r, _ := host.DecodeReply(&h, view, &process.Result{Stdout: []byte(answer)})
	return r.Verdict == schema.Deny
}

// clean checks that a call has left nothing: no process of the place, no temporary file, no file half-written.
func (p *place) clean() error {
	for range 3000 { // killed processes may take a moment to end
		if len(p.processes()) == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if left := p.processes(); len(left) > 0 {
		return fmt.Errorf("processes left: %v", left)
	}
	if left, _ := os.ReadDir(p.in("tmp")); len(left) > 0 {
		return fmt.Errorf("left in the temporary folder: %v", left)
	}
	state, _ := os.ReadDir(p.in("state"))
	for _, f := range state {
		if strings.HasSuffix(f.Name(), ".tmp") {
			return fmt.Errorf("left among the session files: %v", f)
		}
	}
	return nil
}

// processes lists the processes that have inherited the place's name.
func (p *place) processes() (left []string) {
	p.each(func(pid int, line string) { left = append(left, line) })
	return left
}

// end kills the processes that a test has left on purpose.
func (p *place) end() {
	p.each(func(pid int, _ string) { syscall.Kill(pid, syscall.SIGKILL) })
}

// each calls f for the processes of the place. None of them has a smaller number than its first, until numbers start
// over.
func (p *place) each(f func(pid int, line string)) {
	all, _ := os.ReadDir("/proc")
	for _, e := range all {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid < p.first {
			continue
		}
		env, err := os.ReadFile("/proc/" + e.Name() + "/environ")
		if err == nil && bytes.Contains(env, []byte("HOSTILE="+p.id+"\x00")) {
			line, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
			f(pid, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
}

func dialect(t testing.TB, name string) adapter.Dialect {
	t.Helper()
	d, err := adapter.Find(name)
	if err != nil {
		t.Fatalf("no dialect %s", name)
	}
	return d
}

// rowFor returns the dialect's plain row for an event.
func rowFor(d adapter.Dialect, e schema.Event) *schema.EventRow {
	rows := d.Profile().Events
	for i := range rows {
		if rows[i].Event == e && rows[i].Gate == nil && !rows[i].Inline() {
			return &rows[i]
		}
	}
	return nil
}

// payload returns a plain payload of a host's event, made by the dialect itself.
func (p *place) payload(t testing.TB, d adapter.Dialect, row *schema.EventRow, session, text string) []byte {
	t.Helper()
	c := &schema.Call{Dialect: d.Profile().Name, Event: row.Event, Native: row.Native, Gate: row.Gate != nil,
		Inline: row.Inline(), Cwd: p.in("project"), Project: p.in("project")}
	c.SetStr(schema.FieldSession, session)
	c.SetStr(schema.FieldTurn, "turn")
	c.SetStr(schema.FieldPrompt, text)
	if row.Event.IsTool() {
		c.Tool.Kinds = []schema.Kind{schema.Shell}
		c.Tool.UseID = "u-" + text[:min(len(text), 20)]
		for _, tool := range d.Profile().Tools {
			if len(tool.Kinds) > 0 && tool.Kinds[0] == schema.Shell {
				c.Tool.Name = tool.Name
				c.Tool.Input = schema.Args{{Role: schema.RoleCommand, Raw: ordjson.AppendString(nil, text)}}
				for _, a := range tool.Input {
					if a.Role == schema.RoleCommand {
						c.Tool.Input[0].Name = a.Name
					}
				}
				break
			}
		}
	}
	for _, v := range d.Views(c) {
		if v.Event == row.Native {
			return d.AppendCall(nil, c, v)
		}
	}
	return nil
}

// config writes a file of the hooks' dialect with the given hooks on an event.
func (p *place) config(t testing.TB, d adapter.Dialect, e schema.Event, hooks ...schema.Hook) string {
	t.Helper()
	native := rowFor(d, e).Native
	c := convert.Conversion{}
	for _, h := range hooks {
		h.Event, h.Native, h.Handler = e, native, schema.HandlerCommand
		value, _ := d.WriteHook(schema.Entry{Native: native, Pointer: "/hooks/" + native}, &h)
		c.Entries = append(c.Entries, convert.Placed{Pointer: "/hooks/" + native, Value: value})
	}
	return p.put(t, "hooks-"+d.Profile().Name+".json", string(c.Document(d)), 0o600)
}

package bridge

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/watch/watchtest"
	"github.com/hookbridge/hookbridge/schema"
)

// An endless dialect doesn't return from one of its stages until the test is over.
type endless struct {
	adapter.Dialect
	stage   string
	reached chan<- bool
	over    <-chan struct{}
}

func (e endless) hang(stage string) {
	if e.stage == stage {
		e.reached <- true
		<-e.over
	}
}

func (e endless) DecodeCall(stdin []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	e.hang("decode")
	return e.Dialect.DecodeCall(stdin, env)
}

func (e endless) ParseConfig(text []byte, src schema.Source) (*schema.Config, schema.Diagnostics) {
	e.hang("load")
	return e.Dialect.ParseConfig(text, src)
}

func (e endless) Views(c *schema.Call) []schema.View {
	e.hang("select")
	return e.Dialect.Views(c)
}

func (e endless) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	e.hang("answer")
	return e.Dialect.DecodeReply(h, v, res)
}

func (e endless) AppendReply(to []byte, c *schema.Call, r *schema.Reply) []byte {
	e.hang("encode")
	return e.Dialect.AppendReply(to, c, r)
}

// A watched is a bridge under Cursor for Claude Code's hooks of a project whose only hook is command. One stage never
// ends, and the test drives the time.
type watched struct {
	*Bridge
	at      *watchtest.Time
	reached chan bool
}

func watchedBridge(t *testing.T, stage, command string) watched {
	t.Helper()
	dir := t.TempDir()
	settings := `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "` + command + `"}]}]}}`
	if err := os.MkdirAll(filepath.Join(dir, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".claude/settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}

	over, reached := make(chan struct{}), make(chan bool, 8)
	t.Cleanup(func() { close(over) })
	host, _ := adapter.Find("cursor")
	hooks, _ := adapter.Find("claude")
	switch stage {
	case "decode", "encode":
		host = endless{host, stage, reached, over}
	default:
		hooks = endless{hooks, stage, reached, over}
	}
	at := &watchtest.Time{}
	return watched{&Bridge{Host: host, Hooks: hooks, Now: time.Now, Time: at,
		Places: schema.Places{Project: dir, Home: t.TempDir(), Env: os.Environ()}}, at, reached}
}

// answered returns the result of Guarded if so much time passes once the stage is reached.
func (w watched) answered(payload string, wall, processor time.Duration) outcome {
	done := make(chan outcome, 1)
	go func() {
		answer, rep, err := w.Guarded(context.Background(), []byte(payload), "", nil)
		done <- outcome{answer, rep, err}
	}()
	select {
	case out := <-done:
		return out
	case <-w.reached:
	}
	w.at.Pass(wall, processor)
	return <-done
}

const watchedCall = `{"hook_event_name":"beforeShellExecution","conversation_id":"c","generation_id":"g",` +
	`"command":"rm x","cwd":"/","workspace_roots":["/"]}`

const stopCall = `{"hook_event_name":"afterFileEdit","conversation_id":"c","generation_id":"g","file_path":"/a",` +
	`"edits":[],"workspace_roots":["/"]}`

// TestWatch checks that a call is answered whichever stage never ends, with either clock: with the hooks' decision,
// else with a denial where the event can deny.
func TestWatch(t *testing.T) {
	const denies = "exit 2"
	for _, c := range []struct {
		stage, command, payload     string
		failClosed, proceed, denied bool
	}{
		{stage: "decode", command: denies, payload: watchedCall, denied: true},
		{stage: "load", command: denies, payload: watchedCall, denied: true},
		{stage: "select", command: denies, payload: watchedCall, denied: true},
		{stage: "answer", command: denies, payload: watchedCall, denied: true},
		{stage: "select", command: denies, payload: watchedCall, proceed: true},
		{stage: "select", command: denies, payload: watchedCall, proceed: true, failClosed: true, denied: true},
		{stage: "encode", command: denies, payload: watchedCall, proceed: true, denied: true},
		{stage: "encode", command: denies, payload: watchedCall, failClosed: true, denied: true},
		{stage: "encode", command: "exit 0", payload: watchedCall, denied: true},
		{stage: "encode", command: "exit 0", payload: watchedCall, proceed: true},
		{stage: "select", command: denies, payload: stopCall},
	} {
		for _, passed := range []struct{ wall, processor time.Duration }{{time.Second, ownWork}, {time.Hour, 0}} {
			b := watchedBridge(t, c.stage, c.command)
			b.FailClosed, b.Proceed = c.failClosed, c.proceed
			out := b.answered(c.payload, passed.wall, passed.processor)
			denied := bytes.Contains(out.answer, []byte(`"permission":"deny"`))
			if denied != c.denied || denied != (out.err == nil) {
				t.Errorf("%+v: %s, %v", c, out.answer, out.err)
			}
			if len(out.rep.Diagnostics) != 1 || out.rep.Diagnostics[0].Code != schema.CodeBridge {
				t.Errorf("%+v: %v", c, out.rep.Diagnostics)
			}
		}
	}
}

// TestWatchJudged checks that the answer of all hooks counts even if a later step never ends.
func TestWatchJudged(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"exit 0", `{}`},
		{"exit 2", `"permission":"deny"`},
		{`echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\"}}'`,
			`"permission":"deny"`},
	} {
		b := watchedBridge(t, "", c.command)
		come := &progress{}
		one := *b.Bridge
		one.progress = come
		if _, _, err := one.Run(context.Background(), []byte(watchedCall), ""); err != nil {
			t.Fatal(err)
		}
		out := b.late(come, "", errors.New("late"))
		if out.err != nil || !bytes.Contains(out.answer, []byte(c.want)) {
			t.Errorf("%s: %s, %v", c.command, out.answer, out.err)
		}
	}
}

// TestPatience checks how long a host waits: as its entry sets it, or by its default.
func TestPatience(t *testing.T) {
	const s = time.Second
	wait := func(limit time.Duration) (w plan.Wait) {
		d, _ := adapter.Find("claude")
		w.Add(d.Profile(), &schema.Hook{Native: "PreToolUse"}, limit)
		return w
	}
	for _, c := range []struct {
		host   string
		single time.Duration // the timeout of the entry's only hook
		hooks  plan.Wait
		want   time.Duration
	}{
		{"cursor", 0, plan.Wait{}, 58 * s},
		{"copilot", 0, plan.Wait{}, 28 * s},             // as an entry without a timeout
		{"copilot", 0, wait(100 * s), 108 * s},          // as install writes it
		{"cursor", 20 * s, plan.Wait{}, 23 * s},         // as convert writes it
		{"claude", 0, wait(5 * s), 58 * s},              // never less than a minute
		{"kimi", 0, wait(3000 * s), (600 - 2) * s},      // the longest possible
		{"cline", 0, wait(10 * s), patienceOf("cline")}, // always the same
	} {
		host, _ := adapter.Find(c.host)
		hooks, _ := adapter.Find("claude")
		b := &Bridge{Host: host, Hooks: hooks}
		if c.single > 0 {
			b.Single = &schema.Hook{Timeout: c.single}
		}
		if got := b.patience("", c.hooks); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// patienceOf returns how long a host waits regardless of its entry, minus the margin.
func patienceOf(host string) time.Duration {
	d, _ := adapter.Find(host)
	return d.Profile().Timeout(&schema.Hook{}) - answerMargin
}

// TestWatchOne checks that the hooks of one agent count if those of another can't be run.
func TestWatchOne(t *testing.T) {
	b := watchedBridge(t, "select", "exit 0")
	at := filepath.Join(b.Places.Project, ".gemini")
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	hooks := `{"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "echo no >&2; exit 2"}]}]}}`
	if err := os.WriteFile(filepath.Join(at, "settings.json"), []byte(hooks), 0o600); err != nil {
		t.Fatal(err)
	}
	gemini, _ := adapter.Find("gemini")
	b.Others = []adapter.Dialect{gemini}
	out := b.answered(watchedCall, time.Second, 2*ownWork)
	if out.err != nil || !strings.Contains(string(out.answer), `"permission":"deny"`) {
		t.Errorf("%s, %v, %v", out.answer, out.err, out.rep.Diagnostics)
	}
}

// TestWatchHooks checks that the processor time of running hooks isn't hookbridge's own work.
func TestWatchHooks(t *testing.T) {
	b := watchedBridge(t, "", "exit 2")
	b.Start = func(*schema.Hook, process.Spec) standIn {
		return func(context.Context) process.Result {
			b.at.Pass(ownWork, 2*ownWork)
			return process.Result{Exit: 2}
		}
	}
	answer, rep, err := b.Guarded(context.Background(), []byte(watchedCall), "", nil)
	if err != nil || !strings.Contains(string(answer), `"permission":"deny"`) {
		t.Errorf("%s, %v, %v", answer, err, rep.Diagnostics)
	}
}

// TestWatchLate checks that a program that ends itself gets the answer once.
func TestWatchLate(t *testing.T) {
	b := watchedBridge(t, "select", "exit 0")
	b.FailClosed = true
	answers := make(chan string, 2)
	b.Late = func(answer []byte, _ *Report, err error) { answers <- string(answer) }
	go func() {
		answer, _, _ := b.Guarded(context.Background(), []byte(watchedCall), "", nil)
		answers <- "returned " + string(answer)
	}()
	<-b.reached
	b.at.Pass(time.Second, ownWork)
	if answer := <-answers; !strings.HasPrefix(answer, `{"permission":"deny"`) {
		t.Error(answer)
	}
}

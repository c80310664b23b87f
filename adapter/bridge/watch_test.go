package bridge

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// An endless dialect never returns from one of its stages until the test is over.
type endless struct {
	adapter.Dialect
	stage string
	over  <-chan struct{}
}

func (e endless) hang(stage string) {
	if e.stage == stage {
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

// watchedBridge runs Claude Code's hooks of a project whose only hook is command, under Cursor, with a stage that never
// ends.
func watchedBridge(t *testing.T, stage, command string) *Bridge {
	t.Helper()
	dir := t.TempDir()
	settings := `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "` + command + `"}]}]}}`
	if err := os.MkdirAll(filepath.Join(dir, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".claude/settings.json"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}

	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	host, _ := adapter.Find("cursor")
	hooks, _ := adapter.Find("claude")
	switch stage {
	case "decode", "encode":
		host = endless{host, stage, over}
	default:
		hooks = endless{hooks, stage, over}
	}
	return &Bridge{Host: host, Hooks: hooks, Now: time.Now, OwnWork: 200 * time.Millisecond,
		Places: schema.Places{Project: dir, Home: t.TempDir(), Env: os.Environ()}}
}

const watchedCall = `{"hook_event_name":"beforeShellExecution","conversation_id":"c","generation_id":"g",` +
	`"command":"rm x","cwd":"/","workspace_roots":["/"]}`

// TestWatch holds that a call is answered by the fail policy whichever stage never ends, and that a denial which came
// before counts.
func TestWatch(t *testing.T) {
	const denies = "exit 2"
	for _, c := range []struct {
		stage, command string
		failClosed     bool
		denied         bool
	}{
		{"decode", denies, false, false}, {"decode", denies, true, true},
		{"load", denies, false, false}, {"load", denies, true, true},
		{"select", denies, false, false}, {"select", denies, true, true},
		{"answer", denies, false, false}, {"answer", denies, true, true},
		{"encode", denies, false, true}, {"encode", denies, true, true},
		{"encode", "exit 0", false, false}, {"encode", "exit 0", true, true},
	} {
		b := watchedBridge(t, c.stage, c.command)
		b.FailClosed = c.failClosed
		answer, rep, err := b.Guarded(context.Background(), []byte(watchedCall), "", nil)
		denied := bytes.Contains(answer, []byte(`"permission":"deny"`))
		if denied != c.denied || denied != (err == nil) {
			t.Errorf("%+v: %s, %v", c, answer, err)
		}
		if len(rep.Diagnostics) != 1 || rep.Diagnostics[0].Code != schema.CodeBridge {
			t.Errorf("%+v: %v", c, rep.Diagnostics)
		}
	}
}

// TestWatchOne holds that the hooks of one agent count when those of another can't be run.
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
	answer, rep, err := b.Guarded(context.Background(), []byte(watchedCall), "", nil)
	if err != nil || !strings.Contains(string(answer), `"permission":"deny"`) {
		t.Errorf("%s, %v, %v", answer, err, rep.Diagnostics)
	}
}

// TestWatchHooks holds that hooks may take longer than hookbridge's own work.
func TestWatchHooks(t *testing.T) {
	b := watchedBridge(t, "", "sleep 0.5; exit 2")
	answer, rep, err := b.Guarded(context.Background(), []byte(watchedCall), "", nil)
	if err != nil || !strings.Contains(string(answer), `"permission":"deny"`) {
		t.Errorf("%s, %v, %v", answer, err, rep.Diagnostics)
	}
}

// TestWatchLate holds that a program that ends itself gets the answer once.
func TestWatchLate(t *testing.T) {
	b := watchedBridge(t, "select", "exit 0")
	b.FailClosed = true
	answers := make(chan string, 2)
	b.Late = func(answer []byte, _ *Report, err error) { answers <- string(answer) }
	go func() {
		answer, _, _ := b.Guarded(context.Background(), []byte(watchedCall), "", nil)
		answers <- "returned " + string(answer)
	}()
	if answer := <-answers; !strings.HasPrefix(answer, `{"permission":"deny"`) {
		t.Error(answer)
	}
}

package bridge

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// sizes returns the size of the largest file under dir, and the number of files.
func sizes(dir string) (largest int64, n int) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			largest, n = max(largest, info.Size()), n+1
		}
		return nil
	})
	return largest, n
}

// call returns the n-th call of a Cursor session.
func call(n int) []byte {
	return fmt.Appendf(nil,
		`{"conversation_id":"c","generation_id":"g","hook_event_name":"preToolUse","cursor_version":"3.15.19",`+
			`"workspace_roots":[],"tool_name":"Shell","tool_input":{"command":"ls %06d","cwd":""}}`, n)
}

// TestLongSession: what calls leave behind doesn't make later ones read more, and is removed once no call can need it.
func TestLongSession(t *testing.T) {
	b := newBridge(t, "cursor", "claude", "true")
	now := time.Now()
	b.Now = func() time.Time { return now }
	run := func(payload []byte) {
		t.Helper()
		if _, rep, err := b.Run(context.Background(), payload, ""); err != nil || len(rep.Diagnostics) > 0 {
			t.Fatal(rep.Diagnostics, err)
		}
	}
	run(call(0))
	first, one := sizes(b.StateDir)
	for n := range 50 {
		run(call(n + 1))
	}
	if last, _ := sizes(b.StateDir); first == 0 || last > first {
		t.Errorf("the largest file has %d bytes after one call, %d after 50", first, last)
	}
	now = now.Add(2 * time.Hour)
	run([]byte(strings.Replace(string(call(0)), `"preToolUse"`, `"beforeSubmitPrompt","prompt":"p"`, 1)))
	if _, n := sizes(b.StateDir); n > one+2 {
		t.Errorf("%d files are left of the last turn", n)
	}
	run([]byte(strings.Replace(string(call(0)), `"preToolUse"`, `"sessionEnd","reason":"completed"`, 1)))
	if left, err := os.ReadDir(b.StateDir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// BenchmarkSession is one call of a session: the first, and one after 5,000.
func BenchmarkSession(b *testing.B) {
	for _, before := range []int{0, 5000} {
		br := newBridge(b, "cursor", "claude", "true")
		n := 0
		next := func() {
			n++
			if _, rep, err := br.Run(context.Background(), call(n), ""); err != nil {
				b.Fatal(rep.Diagnostics, err)
			}
		}
		for range before {
			next()
		}
		b.Run(fmt.Sprint("after ", before), func(b *testing.B) {
			for b.Loop() {
				next()
			}
		})
	}
}

// TestContextOfEndedCalls: context for the event after a call that never came is delivered at the next prompt. If a
// prompt doesn't accept context, the next event that does gets it.
func TestContextOfEndedCalls(t *testing.T) {
	for host, atPrompt := range map[string]bool{"claude": true, "droid": false} {
		b := newBridge(t, host, "cursor", "")
		at := func(event string) (*run, *schema.Call) {
			r, c := staged(t, b, `{"session_id":"s","transcript_path":"/t","cwd":"/w","permission_mode":"default",`+
				`"hook_event_name":`+event+`}`)
			r.mem = openSession(r, c)
			r.mem.Read()
			return r, c
		}
		for _, path := range []string{"a", "b"} {
			r, c := at(`"PreToolUse","tool_name":"Read","tool_input":{"file_path":"` + path + `"}`)
			r.mem.Call(c).AddContext("of " + path)
			if !r.mem.Commit() {
				t.Fatal(r.log.ds)
			}
		}

		texts := []string{"", "of b\nof a", ""}
		if atPrompt {
			texts = []string{"of b\nof a", "", ""}
		}
		after := `"PostToolUse","tool_name":"Read","tool_input":{"file_path":"c"},"tool_response":{}`
		for i, event := range []string{`"UserPromptSubmit","prompt":"p"`, after, after} {
			r, c := at(event)
			if got := applyKept(r, c, schema.Reply{}); got.Context != texts[i] {
				t.Errorf("%s: %s gets %q, want %q", host, c.Native, got.Context, texts[i])
			}
			if !r.mem.Commit() {
				t.Fatal(r.log.ds)
			}
		}
	}
}

// TestContextBesideRewrite checks that context next to a new input reaches the agent in every host that applies the
// input. The event after the call has the new input, and no call ID.
func TestContextBesideRewrite(t *testing.T) {
	tried := 0
	for _, host := range lawDialects() {
		p := host.Profile()
		hooks := "claude"
		if p.Name == hooks {
			hooks = "qwen"
		}
		b := newBridge(t, p.Full(), hooks, "guard")
		b.Start = func(_ *schema.Hook, spec process.Spec) standIn {
			return func(context.Context) process.Result {
				if !strings.Contains(string(spec.Stdin), `"PreToolUse"`) {
					return process.Result{}
				}
				return process.Result{Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse",` +
					`"updatedInput":{"command":"echo new"},"additionalContext":"CTX"}}`)}
			}
		}
		var answers []string
		for _, at := range []struct {
			event   schema.Event
			command string
		}{{schema.PreTool, "echo old"}, {schema.PostTool, "echo new"}} {
			src, err := sample.Payload(host, sample.Event{Event: p.Generic(at.event), Tool: schema.Shell.String(),
				Session: "s", Project: b.Places.Project, Args: schema.Args{{Role: schema.RoleCommand,
					Raw: ordjson.AppendString(nil, at.command)}}})
			if err != nil {
				t.Fatal(p.Name, err)
			}
			b.Single.Event = 0
			out, rep, err := b.Run(context.Background(), src, "")
			if err != nil {
				t.Fatal(p.Name, err, rep.Diagnostics)
			}
			answers = append(answers, string(out))
		}
		if !strings.Contains(answers[0], "echo new") { // the host applies no new input
			continue
		}
		tried++
		if !strings.Contains(strings.Join(answers, ""), "CTX") {
			t.Errorf("%s: %s", p.Name, answers)
		}
	}
	if tried < 8 {
		t.Errorf("%d hosts", tried)
	}
}

package convert

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestJoined: several hooks at one event become one entry if the target would use less of their answers than their own
// agent does, and converting back recovers them unchanged.
func TestJoined(t *testing.T) {
	for _, row := range []struct {
		from, to, events string // of two hooks
		entries          int    // at the target's first event
	}{
		{"copilot", "claude", "preToolUse preToolUse", 1}, // chained
		{"copilot", "cursor", "preToolUse preToolUse", 1},
		{"copilot", "grok", "preToolUse preToolUse", 1}, // each sees the model's own input there
		{"copilot", "claude", "preToolUse permissionRequest", 1},
		{"cursor", "claude", "preToolUse beforeShellExecution", 1}, // the second sees what the first rewrote
		{"claude", "cursor", "PreToolUse PreToolUse", 2},
		{"claude", "copilot", "PreToolUse PreToolUse", 1}, // a refusal would keep the other from running
		{"claude", "qwen", "PreToolUse PreToolUse", 1},    // a later allow lifts a refusal
		{"claude", "droid", "PreToolUse PreToolUse", 1},   // so does an earlier one
		{"claude", "kimi", "PreToolUse PreToolUse", 2},
		{"codex", "claude", "PermissionRequest PermissionRequest", 1}, // the faster answer counts
		{"codex", "qoder", "PermissionRequest PermissionRequest", 1},
		{"claude", "copilot", "UserPromptSubmit UserPromptSubmit", 1}, // the last context counts
		{"claude", "codex", "UserPromptSubmit UserPromptSubmit", 2},
		{"claude", "copilot", "Stop Stop", 1},
		{"claude", "gemini", "PostToolUse PostToolUse", 1}, // a new result drops its context
		{"claude", "codex", "SessionStart SessionStart", 2},
	} {
		name := row.from + " to " + row.to + ": " + row.events
		from, _ := adapter.Find(row.from)
		to, _ := adapter.Find(row.to)
		var own Conversion
		for i, event := range strings.Fields(row.events) {
			r := from.Profile().Row(event)
			e := schema.Entry{Native: event, Pointer: from.Profile().EventsAt + "/" + event, Exact: true}
			h := schema.Hook{Event: r.Event, Native: event, Gate: r.Gate != nil, Handler: schema.HandlerCommand,
				Command: "./it's $" + string(rune('a'+i))}
			value, _ := from.WriteHook(e, &h)
			own.Entries = append(own.Entries, Placed{Pointer: e.Pointer, Value: value})
		}
		text := own.Document(from)
		cfg, _ := from.ParseConfig(text, from.Given("/p/own.json"))
		c := Convert(from, to, cfg, ConvertOptions{})
		count := map[string]int{}
		for _, e := range c.Entries {
			count[e.Pointer]++
			if row.entries == 1 && len(e.From) != 2 {
				t.Errorf("%s: an entry of %q", name, e.From)
			}
		}
		if got := count[c.Entries[0].Pointer]; got != row.entries {
			t.Errorf("%s: %d entries, want %d", name, got, row.entries)
		}
		written, _ := to.ParseConfig(c.Document(to), to.Given("/p/written.json"))
		if back := Convert(to, from, written, ConvertOptions{}); string(back.Document(from)) != string(text) {
			t.Errorf("%s comes back as %s", name, back.Document(from))
		}
		copied := Convert(from, to, cfg, ConvertOptions{Wrap: WrapNever})
		says := slices.ContainsFunc(copied.Diagnostics, func(d schema.Diagnostic) bool {
			return d.Code == schema.CodeManyAnswers && d.Severity == schema.Weaker && d.Path == cfg.Hooks[0].Path
		})
		if says != (row.entries == 1) {
			t.Errorf("%s, copied: %v", name, copied.Diagnostics)
		}
	}
}

// TestNotJoined: a background hook gives no answer, so it keeps its own entry.
func TestNotJoined(t *testing.T) {
	from, _ := adapter.Find("claude")
	to, _ := adapter.Find("qwen")
	cfg, _ := from.ParseConfig([]byte(`{"hooks": {"PreToolUse": [{"hooks": [
		{"type": "command", "command": "a"}, {"type": "command", "command": "b", "async": true}]}]}}`),
		from.Given("/p/x.json"))
	for _, e := range Convert(from, to, cfg, ConvertOptions{}).Entries {
		if len(e.From) != 1 {
			t.Errorf("one entry at %s for %q", e.Pointer, e.From)
		}
	}
}

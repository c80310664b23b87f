package plan

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestMoments checks that a hook under each agent gets findings on when the agent raises the event, unless the hook's
// own agent does the same. Each moment has a text and an agent.
func TestMoments(t *testing.T) {
	codes := map[schema.Code]func(row *schema.EventRow) bool{
		schema.CodeMoreCalls:  func(row *schema.EventRow) bool { return row.More != 0 },
		schema.CodeFewerCalls: func(row *schema.EventRow) bool { return row.Only != 0 },
		schema.CodeNotAwaited: func(row *schema.EventRow) bool { return row.Races || row.Beside },
	}
	seen := map[schema.Moment]bool{}
	for _, to := range adapter.Dialects() {
		for i := range to.Profile().Events {
			row := &to.Profile().Events[i]
			seen[row.More], seen[row.Only] = true, true
			for code, has := range codes {
				if !has(row) {
					continue
				}
				is := func(f Finding) bool { return f.Code == code }
				if own := Moments(to.Profile(), row, nil); !slices.ContainsFunc(own, is) ||
					slices.ContainsFunc(own, func(f Finding) bool { return f.Severity != schema.Note }) {
					t.Errorf("%s %s: %v", to.Profile().Name, row.Native, own)
				}
				if same := Moments(to.Profile(), row, row); len(same) > 0 {
					t.Errorf("%s %s under itself: %v", to.Profile().Name, row.Native, same)
				}
				if other := Moments(to.Profile(), row, &schema.EventRow{}); !slices.ContainsFunc(other, is) {
					t.Errorf("%s %s: %s isn't reported: %v", to.Profile().Name, row.Native, code, other)
				}
			}
		}
	}
	for m := schema.Moment(1); m.String() != ""; m++ {
		if !seen[m] {
			t.Errorf("no agent has %q", m)
		}
	}
}

// TestMomentFindings checks which hooks of real agents get findings, and their severity.
func TestMomentFindings(t *testing.T) {
	for _, c := range []struct {
		from, to, native, matcher string
		code                      schema.Code
		severity                  schema.Severity // 0: no finding
	}{
		{"claude", "gemini", "SessionEnd", "", schema.CodeMoreCalls, schema.Loss},
		{"claude", "copilot", "StopFailure", "", schema.CodeMoreCalls, schema.Loss},
		{"claude", "kimi", "Stop", "", schema.CodeMoreCalls, schema.Loss},
		{"claude", "kimi", "PostToolUseFailure", "", schema.CodeMoreCalls, schema.Loss},
		{"claude", "codebuddy", "Setup", "", schema.CodeMoreCalls, schema.Loss},
		{"claude", "codebuddy", "PreToolUse", "", schema.CodeMoreCalls, schema.Note},
		{"claude", "codebuddy", "PreToolUse", "Bash", schema.CodeMoreCalls, 0},
		{"claude", "codebuddy", "SessionStart", "", schema.CodeNotAwaited, schema.Loss},
		{"claude", "cline", "SessionEnd", "", schema.CodeFewerCalls, schema.Loss},
		{"claude", "qoder", "PermissionDenied", "", schema.CodeFewerCalls, schema.Loss},
		{"claude", "qoder", "PermissionRequest", "", schema.CodeNotAwaited, schema.Weaker},
		{"codex", "opencode", "PermissionRequest", "", schema.CodeNotAwaited, schema.Weaker},
		{"qoder", "opencode", "PermissionRequest", "", schema.CodeNotAwaited, 0},
		{"qoder", "claude", "FileChanged", "", schema.CodeMoreCalls, 0},
		{"codebuddy", "claude", "FileChanged", "", schema.CodeMoreCalls, schema.Loss},
		{"claude", "kimi", "PostToolUse", "", schema.CodeMemberLost, schema.Note},
		{"claude", "kimi", "PreToolUse", "", schema.CodeMemberLost, 0},
		{"codex", "grok", "PostToolUse", "", schema.CodeMemberLost, schema.Note},
		{"grok", "claude", "PostToolUse", "", schema.CodeMemberLost, 0},
		{"claude", "claude@2.1.300", "SubagentStop", "", schema.CodeMoreCalls, 0},
	} {
		from, err := adapter.Find(c.from)
		if err != nil {
			t.Fatal(err)
		}
		to, err := adapter.Find(c.to)
		if err != nil {
			t.Fatal(err)
		}
		row := from.Profile().Row(c.native)
		h := &schema.Hook{Native: c.native, Event: row.Event, Matcher: c.matcher, Handler: schema.HandlerCommand,
			Command: "x"}
		p := New(from, to)
		var severity schema.Severity
		for _, f := range p.Route(h).moments(p.Route(h).own(true)) {
			if f.Code == c.code {
				severity = f.Severity
			}
		}
		if severity != c.severity {
			t.Errorf("%s %s under %s: %s %v, want %v", c.from, c.native, c.to, c.code, severity, c.severity)
		}
	}
}

package simulate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/schema"
)

// TestPlayed compares how each host treats actions with a Claude Code guard that hookbridge runs: one that denies, one
// that asks, one that adds context, and one that fails.
func TestPlayed(t *testing.T) {
	const settings = `{"hooks":{"PreToolUse":[{"matcher":"Bash|Write|mcp__.*","hooks":[HOOK]}],` +
		`"PostToolUse":[{"hooks":[HOOK]}],"UserPromptSubmit":[{"hooks":[HOOK]}],"Stop":[{"hooks":[HOOK]}],` +
		`"SessionStart":[{"hooks":[HOOK]}]}}`
	answers := []struct{ name, command string }{
		{"refuses", "echo no >&2; exit 2"}, {"fails", "exit 1"}, {"is silent", "true"},
		{"asks", `echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\"}}'`},
		{"adds", `echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"additionalContext\":\"c\"}}'`},
	}
	actions := []struct {
		name string
		do   Action
	}{
		{"a command", Action{Event: schema.PreTool, Tool: "shell", Input: []byte(`{"command":"ls"}`)}},
		{"a file", Action{Event: schema.PreTool, Tool: "write"}},
		{"a tool of a server", Action{Event: schema.PreTool, Tool: "do", Server: "srv"}},
		{"a prompt", Action{Event: schema.PromptSubmit}}, {"the end", Action{Event: schema.Stop}},
		{"the start", Action{Event: schema.SessionStart}},
	}

	var b strings.Builder
	for i, d := range adapter.Dialects() {
		for j, answer := range answers {
			skipped := testing.Short() && !*golden.Update && (i+j)%2 != 0
			if d.Profile().Name == adapter.Default || skipped {
				continue
			}
			text := strings.ReplaceAll(settings, "HOOK", `{"type":"command","command":"`+answer.command+`"}`)
			for _, action := range actions {
				out := played(t, d.Profile().Name, action.do, map[string]string{".claude/settings.json": text},
					func(h *Host) {
						h.Own, h.Imports = new(survey.Loaded), ImportsOff
						h.Assumed = []cmdline.Call{{Flags: []cmdline.Flag{{Name: "host", Value: d.Profile().Name},
							{Name: "hooks", Value: adapter.Default}}}}
					})
				fmt.Fprintf(&b, "%s, a guard that %s, %s: %s\n", d.Profile().Name, answer.name, action.name, shown(out))
			}
		}
	}

	golden.Lines(t, "testdata/played.txt", b.String())
}

// TestOwnServer checks that a host has the server of the tool that it calls. Its own entries match the tool's whole
// name, and what its payload lacks is reported only for other agents' hooks.
func TestOwnServer(t *testing.T) {
	settings := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}`
	unknownServer := func(d schema.Diagnostic) bool { return d.Code == schema.CodeServerUnknown }
	unnamed := 0
	for _, d := range adapter.Dialects() {
		name := d.Profile().Name
		if name == adapter.Default {
			continue
		}
		out := played(t, name, Action{Event: schema.PreTool, Tool: "do", Server: "srv"},
			map[string]string{".claude/settings.json": settings}, func(h *Host) {
				h.Own, h.Imports = new(survey.Loaded), ImportsOff
				h.Assumed = []cmdline.Call{{Flags: []cmdline.Flag{{Name: "host", Value: name},
					{Name: "hooks", Value: adapter.Default}}}}
			})
		for i := range out.Steps {
			s := &out.Steps[i]
			if slices.ContainsFunc(s.found, unknownServer) {
				t.Errorf("%s, %s: reported of its own entries: %v", name, s.Event, s.found)
			}
			if slices.ContainsFunc(s.Diagnostics(), unknownServer) {
				unnamed++
			}
		}
	}
	if unnamed == 0 {
		t.Error("no host leaves the server unnamed for other agents' hooks")
	}
}

// shown returns an outcome in one line, without texts.
func shown(o *Outcome) string {
	var b strings.Builder
	reply := o.Reply()
	fmt.Fprintf(&b, "%s (%s), %v, later %v, asked %v, %d faults, left %d;", o.Decision, raised(o), reply.Uses().Names(),
		o.Later() != "", o.Asked, len(o.Faults), len(o.Left))
	for _, d := range o.Diagnostics() {
		fmt.Fprintf(&b, " %s %v", d.Code, d.Severity)
	}
	for i := range o.Steps {
		s := &o.Steps[i]
		fmt.Fprintf(&b, "; %s ignores %v, skips %d, why %v", s.Event, s.Ignored.Names(), len(s.Skipped), s.Why != "")
	}
	return b.String()
}

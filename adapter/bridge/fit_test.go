package bridge

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/schema"
)

// TestFit: what the host can't do becomes stricter, moves to a later event, or is
// reported.
func TestFit(t *testing.T) {
	deny := schema.Reply{Verdict: schema.Deny, Reason: "no"}
	ask := schema.Reply{Verdict: schema.Ask, Reason: "sure?"}
	allow := schema.Reply{Verdict: schema.Allow}
	env := schema.Reply{Env: []schema.EnvVar{{Name: "A", Value: "1"}, {Name: "1A", Value: "x"}}}
	copilot, _ := adapter.Find("copilot")
	rewrite := schema.Reply{Input: schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: []byte(`"ls -l"`)}},
		InputView: schema.View{Tool: "Bash", Kind: schema.Shell}}
	allowed := rewrite
	allowed.Verdict, allowed.Reason = schema.Allow, "fine"
	against := schema.Reply{Output: []byte(`"no"`), Objects: true}
	for _, tt := range []struct {
		name        string
		host, event string
		reply       schema.Reply
		set         func(*setting)
		want        string // verdict, the rest of the reply, what is left to later events, codes
	}{
		{"a deny", "cursor", "preToolUse", deny, nil, "deny"},
		{"a deny that nobody hears", "cursor", "afterShellExecution", deny, nil, "none HB214"},
		{"a question where the host asks", "cursor", "beforeShellExecution", ask,
			func(s *setting) { s.policy.Ask = cmdline.AskRelay }, "ask"},
		{"a question where it can't", "cursor", "preToolUse", ask, nil, "deny HB203"},
		{"a question left to the gate", "cursor", "preToolUse", ask,
			func(s *setting) { s.policy.Ask, s.asks = cmdline.AskRelay, true }, "none later:ask HB215"},
		{"a question that can't be left", "cursor", "preToolUse", ask, func(s *setting) {
			s.policy.Ask = cmdline.AskRelay
		},
			"deny HB203"},
		{"a question that the user answered", "cursor", "preToolUse", ask,
			func(s *setting) { s.policy.Ask = cmdline.AskAllow }, "allow HB213"},
		{"an approval", "claude", "PreToolUse", allow, nil, "none HB220"},
		{"context at an event without it", "cursor", "beforeShellExecution", schema.Reply{Context: "c"}, nil,
			"none HB207"},
		{"context left to a later event", "cursor", "beforeShellExecution", schema.Reply{Context: "c"},
			func(s *setting) { s.relays = true }, "none later:context HB206"},
		{"context after the last event", "cursor", "stop", schema.Reply{Context: "c"}, func(s *setting) {
			s.relays = true
		},
			"none HB207"},
		{"context as long as the agent takes", "cursor", "postToolUse",
			schema.Reply{Context: strings.Repeat("c", 10000)}, nil, "none"},
		{"longer context", "cursor", "postToolUse", schema.Reply{Context: strings.Repeat("c", 10001)}, nil,
			"none HB205"},
		{"longer context, which the event may not take", "cursor@editor", "sessionStart",
			schema.Reply{Context: strings.Repeat("c", 10001)}, func(s *setting) { s.relays = true },
			"none later:context HB206"},
		{"longer than the event takes", "copilot", "postToolUse", schema.Reply{Context: strings.Repeat("c", 10241)},
			nil, "none HB205"},
		{"in units of UTF-16", "copilot", "postToolUseFailure",
			schema.Reply{Context: strings.Repeat("\U0001F600", 5121)}, nil, "none HB205"},
		{"an event without a limit", "copilot", "preToolUse", schema.Reply{Context: strings.Repeat("c", 60000)},
			nil, "none"},
		{"longer than the model is shown", "qoder", "PreToolUse", schema.Reply{Context: strings.Repeat("c", 10001)},
			func(s *setting) { s.rules = copilot.Profile() }, "none HB205"},
		{"shown whole at any length", "qoder", "SessionStart", schema.Reply{Context: strings.Repeat("c", 10001)},
			nil, "none"},
		{"the end of a session", "claude", "SessionStart", schema.Reply{EndTurn: true},
			func(s *setting) { s.relays, s.prompts = true, true }, "none later:end HB209"},
		{"the end of the turn", "cursor", "preToolUse", schema.Reply{EndTurn: true}, func(s *setting) {
			s.relays = true
		},
			"none later:end HB209"},
		{"the end of a prompt", "cursor", "beforeSubmitPrompt", schema.Reply{EndTurn: true, EndReason: "no"}, nil,
			"deny"},
		{"variables without a channel", "cursor", "preToolUse", env, nil, "none HB216 HB216"},
		{"variables in a file", "claude", "SessionStart", env, func(s *setting) {
			s.hasFile = true
		}, "none file HB216"},
		{"a new result", "cursor", "postToolUse", schema.Reply{Output: []byte(`"new"`)}, nil, "none HB208"},
		{"words in the place of a result that stays", "cursor", "postToolUse", against, nil, "none feedback:no HB208"},
		{"words where nobody hears them", "cursor", "afterShellExecution", against, nil, "none HB207 HB208"},
		{"a new input", "cursor", "preToolUse", rewrite, nil, "none input"},
		{"a new input that is ignored", "cursor", "beforeShellExecution", rewrite, nil, "deny HB204"},
		{"an allowed new input that is ignored", "qoder", "PermissionRequest", allowed, func(s *setting) {
			s.rules = copilot.Profile()
		}, "deny HB204"},
	} {
		host, _ := adapter.Find(tt.host)
		hooks, _ := adapter.Find("qoder")
		if tt.host == "claude" {
			hooks, _ = adapter.Find("cursor")
		}
		row := host.Profile().Row(tt.event)
		c := &schema.Call{Dialect: tt.host, Event: row.Event, Native: row.Native, Gate: row.Gate != nil}
		if row.Event.IsTool() {
			c.Tool = schema.Tool{Name: "Shell", Kinds: []schema.Kind{schema.Shell},
				Input: schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: []byte(`"ls"`)}}}
		}
		in := setting{host: host, rules: hooks.Profile(), call: c, shown: c.Tool.Input}
		if tt.set != nil {
			tt.set(&in)
		}
		before := fmt.Sprintf("%+v", tt.reply)
		out := fit(in, tt.reply)
		if fmt.Sprintf("%+v", tt.reply) != before {
			t.Errorf("%s: the reply it was given has changed", tt.name)
		}
		units := len(utf16.Encode([]rune(out.reply.Context)))
		if limit := host.Profile().ContextLimit(c.Event); limit > 0 && units > limit {
			t.Errorf("%s: %d characters of context, more than %s takes", tt.name, units, tt.host)
		}
		got := out.reply.Verdict.String()
		for _, x := range []struct {
			name string
			is   bool
		}{{"input", out.reply.Input != nil}, {"file", len(out.envFile) > 0}, {"later:ask", out.ask},
			{"later:end", out.end},
			{"later:context", out.context != ""}} {
			if x.is {
				got += " " + x.name
			}
		}
		if tt.reply.Objects && out.reply.Feedback != "" {
			got += " feedback:" + out.reply.Feedback
		}
		for _, d := range out.notes {
			got += " " + string(d.Code)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestCut(t *testing.T) {
	long := strings.Repeat("y", 12000)
	tests := []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 10, "short"}, {"short", 5, "short"}, {"short", 4, "shor"},
		{strings.Repeat("y", 24), 23, strings.Repeat("y", 23)}, {strings.Repeat("y", 25), 24, strings.Repeat("y",
			18) + cutMark},
		{long, 10000, strings.Repeat("y", 10000-len(cutMark)) + cutMark},
		{"😀😀😀", 4, "😀😀"},
		{"😀😀😀", 5, "😀😀"},
		{"abc", 0, ""},
	}
	for _, tt := range tests {
		if got := cut(tt.in, tt.limit); got != tt.want || utf16Len(got) > tt.limit {
			t.Errorf("cut(%.10q, %d) = %d units", tt.in, tt.limit, utf16Len(got))
		}
	}
}

// TestLongReason: a reason that the host cuts for its model is reported, unless the hook's agent shows no more. The
// model never gets more of it than in the hook's agent.
func TestLongReason(t *testing.T) {
	limited := 0
	for _, host := range adapter.Dialects() {
		for _, hooks := range adapter.Dialects() {
			limit, own := host.Profile().ReasonLimit, hooks.Profile().ReasonLimit
			if limit == 0 && own == 0 || adapter.SameAgent(host, hooks) {
				continue
			}
			limited++
			row := schema.RowFor(host.Profile().Events, schema.PreTool)
			if row == nil {
				continue
			}
			c := &schema.Call{Dialect: host.Profile().Name, Event: schema.PreTool, Native: row.Native}
			for _, units := range []int{limit, limit + 1, own, own + 1} {
				out := fit(setting{host: host, rules: hooks.Profile(), call: c}, denial(strings.Repeat("x", units)))
				got := slices.ContainsFunc(out.notes, func(d schema.Diagnostic) bool {
					return d.Code == schema.CodeContextCut
				})
				if want := limit > 0 && units > limit && (own == 0 || own > limit); got != want {
					t.Errorf("%s in %s: a reason of %d characters is reported: %t, want %t", hooks.Profile().Name,
						host.Profile().Name, units, got, want)
				}
				said := fitOwnWords(&setting{rules: hooks.Profile()}, fitted{reply: schema.Reply{
					Feedback: strings.Repeat("x", units)}})
				for _, shown := range []int{len(out.reply.Reason), len(said.reply.Feedback)} {
					if want := own == 0 || units <= own; want != (shown == units) || own > 0 && shown > own {
						t.Errorf("%s in %s: of %d characters %d are shown", hooks.Profile().Name,
							host.Profile().Name, units, shown)
					}
				}
			}
		}
	}
	if limited == 0 {
		t.Error("no agent has a limit")
	}
}

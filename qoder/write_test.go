package qoder

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

func TestSelect(t *testing.T) {
	pick := func(ks ...schema.Kind) (out []schema.Pick) {
		for _, k := range ks {
			out = append(out, schema.Pick{Kind: k})
		}
		return out
	}
	for _, tt := range []struct {
		native, matcher string
		want            schema.Selection
		again           string // Plan's matcher for it
	}{
		{"PreToolUse", "", schema.Selection{All: true, Exact: true}, ""},
		{"PreToolUse", "^(?:Bash|Write)$", schema.Selection{Picks: pick(schema.Shell, schema.Write), Exact: true},
			"^(?:Bash|Write)$"},
		{"PreToolUse", "Edit", schema.Selection{Picks: pick(schema.MCP), Search: "Edit", Exact: true},
			"^(?:mcp__.*__.*)$|Edit"},
		{"PreToolUse", "^Task", schema.Selection{Search: "^Task", Exact: true}, "^Task"},
		{"PreToolUse", "^mcp__gh__.*", schema.Selection{Picks: pick(schema.MCP), Search: "^mcp__gh__.*", Exact: true},
			"^(?:mcp__.*__.*)$|^mcp__gh__.*"},
		{"PreToolUse", "^mcp__g__x$", schema.Selection{
			Picks: []schema.Pick{{Kind: schema.MCP, Server: "g", Name: "x", Written: profile.MCP.NameRules}},
			Exact: true}, "^(?:mcp__g__x)$"},
		{"PreToolUse", "^[A-Z]", schema.Selection{Picks: pick(schema.MCP), Search: "^[A-Z]", Exact: true},
			"^(?:mcp__.*__.*)$|^[A-Z]"},
		{"PreToolUse", "Edit(", schema.Selection{Picks: named("Edit("), Exact: true}, `^(?:Edit\()$`},
		{"PreToolUse", "^Weird\\.Tool$", schema.Selection{Picks: named("Weird.Tool"), Exact: true},
			`^(?:Weird\.Tool)$`},
		{"SessionStart", "startup | resume", schema.Selection{Words: []string{"startup", "resume"}, Exact: true},
			"startup|resume"},
		{"SessionEnd", "prompt_input_exit", schema.Selection{Words: []string{"prompt-exit"}, Exact: true},
			"prompt_input_exit"},
		{"Stop", "x", schema.Selection{All: true, Exact: true}, ""},
	} {
		h := &schema.Hook{Native: tt.native, Event: profile.Row(tt.native).Event, Matcher: tt.matcher}
		got := New().Select(h)
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s %q: %+v, want %+v", tt.native, tt.matcher, got, tt.want)
		}
		es := New().Plan(h, got)
		if len(es) != 1 || es[0].Matcher != tt.again || es[0].Pointer != "/hooks/"+tt.native {
			t.Errorf("%s %q: planned as %+v, want %q", tt.native, tt.matcher, es, tt.again)
		}
	}
	if es := New().Plan(&schema.Hook{Event: schema.AgentThought}, schema.Selection{All: true}); es != nil {
		t.Errorf("%+v", es)
	}
	es := New().Plan(&schema.Hook{Event: schema.PreTool}, schema.Selection{Picks: pick(schema.List), Exact: true})
	if es[0].Matcher != "" {
		t.Errorf("a tool that there is not: %+v", es)
	}
}

func named(names ...string) (out []schema.Pick) {
	for _, n := range names {
		out = append(out, schema.Pick{Name: n})
	}
	return out
}

func TestWriteHook(t *testing.T) {
	cfg, _ := config(t, `{"hooks":{"PreToolUse":[{"matcher":"^Bash$","sequential":true,"hooks":[
	  {"type":"command","command":"c","args":["a"],"shell":"bash","env":{"A":"1"},"timeout":1.5,"if":"Bash(x)","async":true,"asyncRewake":true,"once":true,"statusMessage":"s"},
	  {"type":"http","url":"https://x/y","headers":{"H":"v"},"allowedEnvVars":["V"]},{"type":"agent","prompt":"p","model":"m"}]}]}}`)
	for _, h := range cfg.Hooks {
		value, says := New().WriteHook(schema.Entry{Matcher: h.Matcher}, &h)
		if lost := h.Uses() &^ says; lost != 0 {
			t.Errorf("not said: %s", lost)
		}
		h.Uses().Each(func(f schema.Feature) {
			if profile.MemberName(f) == "" {
				t.Errorf("%s has no member", f)
			}
		})
		again, ds := config(t, fmt.Sprintf(`{"hooks":{"PreToolUse":[%s]}}`, value))
		if len(again.Hooks) != 1 || ds.Max() > schema.Note {
			t.Fatalf("%s: %v", value, ds)
		}
		got := again.Hooks[0]
		got.Path, got.Line, got.Col = h.Path, h.Line, h.Col
		if !reflect.DeepEqual(got, h) {
			t.Errorf("%s:\n%+v\nwant\n%+v", value, got, h)
		}
	}
}

package plan

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/schema"
)

// features are what a hook may have in addition to its event and its matcher.
var features = []func(*schema.Hook){
	func(*schema.Hook) {},
	func(h *schema.Hook) { h.Async = true },
	func(h *schema.Hook) { h.Rewake = true },
	func(h *schema.Hook) { h.Once, h.Fail = true, schema.FailClosed },
	func(h *schema.Hook) { h.Timeout, h.Sequential = time.Hour, true },
	func(h *schema.Hook) { h.Timeout, h.Fail = time.Millisecond, schema.FailOpen },
	func(h *schema.Hook) { h.Command, h.Args = "./x", []string{"a b", "$HOME"} },
	func(h *schema.Hook) { h.Command = `"$CLAUDE_PROJECT_DIR"/x ${CLAUDE_PLUGIN_ROOT:-x} $QWEN_PROJECT_DIR` },
	func(h *schema.Hook) {
		h.Command, h.Env = "$CLAUDE_PLUGIN_DATA/x $FACTORY_PROJECT_DIR $CLAUDE_PLUGIN_DATA",
			[]schema.EnvVar{{Name: "FACTORY_PROJECT_DIR", Value: "x"}}
	},
	func(h *schema.Hook) { h.Condition, h.HasCondition = "Bash(rm *)", true },
	func(h *schema.Hook) { h.Handler, h.URL = schema.HandlerHTTP, "http://x/" },
	func(h *schema.Hook) { h.Handler, h.Prompt, h.Model = schema.HandlerPrompt, "ok?", "m" },
	func(h *schema.Hook) { h.Handler, h.Prompt = schema.HandlerAgent, "ok?" },
	func(h *schema.Hook) { h.Handler, h.Server, h.ToolRef = schema.HandlerMCPTool, "s", "t" },
	func(h *schema.Hook) { h.Matcher, h.HasMatcher = "mcp__plugin_p_s__t", true },
	func(h *schema.Hook) { h.Matcher, h.HasMatcher = "mcp__claude_ai_x__.*|Bash", true },
	func(h *schema.Hook) { h.Command = "hookbridge run --host cursor --hooks claude" },
}

// TestFeatures compares the findings on hooks of each agent under every other: for each of their fields, and for each
// pair that one entry or two may run.
func TestFeatures(t *testing.T) {
	var sums golden.Digests
	for _, from := range adapter.WithHooks() {
		for _, to := range adapter.Dialects() {
			io.WriteString(sums.Of(from.Profile().Name+" "+to.Profile().Name), found(from, to))
		}
	}
	sums.Compare(t, "testdata/features.txt")
}

func found(from, to adapter.Dialect) string {
	var b strings.Builder
	p := New(from, to)
	write := func(about string, found []Finding) {
		for _, f := range found {
			fmt.Fprintf(&b, "  %s %s %v\n", about, f.Code, f.Severity)
		}
	}
	var last *schema.Hook
	for i, e := range []schema.Event{schema.PreTool, schema.PostTool, schema.PermissionRequest, schema.PromptSubmit,
		schema.Stop, schema.SessionStart} {
		native := from.Profile().Generic(e)
		if native == "" {
			continue
		}
		for j, set := range features {
			if j > 0 && i > 1 && (i+j)%3 != 0 {
				continue
			}
			h := &schema.Hook{Event: e, Native: native, Handler: schema.HandlerCommand, Command: "x"}
			set(h)
			becomes := p.Outcome(h, true)
			entries := becomes.Entries()
			fmt.Fprintf(&b, "%s %d: %d entries, own %v\n", native, j, len(entries), IsOwn(*h))
			write("found", becomes.Found)
			write("native", p.Outcome(h, false).Found)
			write("own", OwnLimits(from.Profile(), h))
			for _, e := range entries {
				fmt.Fprintf(&b, "  %s handled %v, together %v\n", e.Native, Handles(to, e, h),
					last != nil && p.Together(e.Native, []*schema.Hook{last, h}))
			}
			last = h
		}
	}
	for i := range from.Profile().Events {
		row := &from.Profile().Events[i]
		at, honored := Raised(from, to, row)
		dead, some := UnsentValues(from, to, row)
		fmt.Fprintf(&b, "%s: %d %v, sends %q, lacks %q %v\n", row.Native, len(at), honored, SentValues(from, row), dead,
			some)
		write("moments", Moments(from.Profile(), row, nil))
		write("shown", Shown(from.Profile(), row))
	}
	return b.String()
}

// TestTexts: lists, numbers and names as they are written.
func TestTexts(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Counted(1, "entry"), "1 entry"}, {Counted(2, "entry"), "2 entries"}, {Counted(0, "hook"), "0 hooks"},
		{Listed(nil, "and"), ""}, {Listed([]string{"a"}, "and"), "a"}, {Listed([]string{"a", "b"}, "or"), "a or b"},
		{Listed([]string{"a", "b", "c"}, "and"), "a, b and c"}, {QuoteOr("", "none"), "none"},
		{QuoteOr("a", "none"), `"a"`},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

// TestUnset: a variable counts if a command uses it without a default.
func TestUnset(t *testing.T) {
	claude, err := adapter.Find("claude")
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string][]string{
		"$CLAUDE_CODE_ENTRYPOINT/x":      {"CLAUDE_CODE_ENTRYPOINT"},
		`"${CLAUDE_CODE_ENTRYPOINT}"/x`:  {"CLAUDE_CODE_ENTRYPOINT"},
		"${CLAUDE_CODE_ENTRYPOINT:-.}/x": nil, "${X:-$CLAUDE_CODE_ENTRYPOINT}/x": nil, "x": nil, "$HOME/x": nil,
		"$CLAUDE_CODE_ENTRYPOINT $CLAUDE_CODE_ENTRYPOINT": {"CLAUDE_CODE_ENTRYPOINT"},
		"${X:-a} $CLAUDE_CODE_ENTRYPOINT":                 {"CLAUDE_CODE_ENTRYPOINT"},
		"$CLAUDE_PLUGIN_ROOT/x; $CLAUDE_CODE_ENTRYPOINTS": {"CLAUDE_PLUGIN_ROOT"},
	} {
		h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand, Command: command}
		if got := needed(claude.Profile(), &h); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
		h.Env = []schema.EnvVar{{Name: "CLAUDE_CODE_ENTRYPOINT"}, {Name: "CLAUDE_PLUGIN_ROOT"}}
		if got := needed(claude.Profile(), &h); len(got) > 0 {
			t.Errorf("%s with its own: %q", command, got)
		}
	}
}

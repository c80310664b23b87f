package claude

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

// configTests are mistakes that void a file, an entry or nothing. HOOK is replaced by a valid handler, and the count is
// the number that survives.
var configTests = []struct {
	name, text string
	hooks      int
	want       []string
}{
	{"sound", `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[HOOK]}],"Stop":[{"hooks":[HOOK]}]}}`, 2, nil},
	{"no hooks", `{"model":"x"}`, 0, nil},
	{"syntax", "{\n \"hooks\": {,}}", 0, []string{"HB001 error  2:12"}},
	{"comment", "// x\n{}", 0, []string{"HB001 error  1:1"}},
	{"unknown event", `{"hooks":{"preToolUse":"x","Stop":[{"hooks":[HOOK]}]}}`, 1,
		[]string{"HB101 loss /hooks/preToolUse 1:24"}},
	{"hooks isn't an object", `{"hooks":[]}`, 0, []string{"HB102 weaker /hooks 1:10"}},
	{"disableAllHooks isn't true or false", `{"disableAllHooks":null,"hooks":{"Stop":[{"hooks":[HOOK]}]}}`, 0,
		[]string{"HB102 weaker /disableAllHooks 1:20"}},
	{"allowed URLs are no list", `{"hooks":{"Stop":[{"hooks":[HOOK]}]},"allowedHttpHookUrls":"x"}`, 0,
		[]string{"HB102 weaker /allowedHttpHookUrls 1:91"}},
	{"unknown group member", `{"hooks":{"Stop":[{"failClosed":true,"hooks":[HOOK]}]}}`, 1,
		[]string{"HB105 note /hooks/Stop/0/failClosed 1:33"}},
	{"unknown handler member", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","a/b":1}]}]}}`, 1,
		[]string{"HB105 note /hooks/Stop/0/hooks/0/a~1b 1:67"}},
	{"member of another handler", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","model":5}]}]}}`,
		1, []string{"HB105 note /hooks/PreToolUse/0/hooks/0/model 1:75"}},
	{"no hooks array is Cursor's shape", "{\"hooks\":{\"PreToolUse\":[\n  {\"command\":\"x\"}]}}", 0, []string{
		"HB105 note /hooks/PreToolUse/0/command 2:14", "HB117 weaker /hooks/PreToolUse/0 2:3"}},
	{"dead condition on another event", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x",` +
		`"if":"Bash(ls)"}]}]}}`, 1, []string{"HB110 weaker /hooks/Stop/0/hooks/0/if 1:29"}},
	{"dead condition", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","if":"*"}]}]}}`, 1,
		[]string{"HB110 weaker /hooks/PreToolUse/0/hooks/0/if 1:35"}},
	{"once", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","once":true}]}]}}`, 1,
		[]string{"HB111 note /hooks/Stop/0/hooks/0/once 1:29"}},
	{"matcher without effect", `{"hooks":{"Stop":[{"matcher":"x","hooks":[HOOK]}]}}`, 1,
		[]string{"HB113 note /hooks/Stop/0/hooks/0 1:43"}},
	{"milliseconds", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":5000}]}]}}`, 1,
		[]string{"HB107 note /hooks/Stop/0/hooks/0/timeout 1:71"}},
	{"plugin root in settings", `{"hooks":{"Stop":[{"hooks":[{"type":"command",` +
		`"command":"${CLAUDE_PLUGIN_ROOT}/x"}]}]}}`, 1, []string{"HB108 weaker /hooks/Stop/0/hooks/0 1:29"}},
	{"byte order mark", "\ufeff" + `{"hooks":{"Stop":[{"hooks":[{"type":"x"}]}]}}`, 0,
		[]string{"HB103 weaker /hooks/Stop/0/hooks/0/type 1:29"}},
}

const soundHook = `{"type":"command","command":"true"}`

func TestParseConfig(t *testing.T) {
	for _, tt := range configTests {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.ReplaceAll(tt.text, "HOOK", soundHook)
			cfg, ds := New().ParseConfig([]byte(text), schema.Source{File: "f"})
			checkConfig(t, cfg, ds)
			same(t, "findings", tt.want, findings(ds))
			if len(cfg.Hooks) != tt.hooks {
				t.Errorf("%d hooks, want %d", len(cfg.Hooks), tt.hooks)
			}
		})
	}
}

// badEntries void the whole file under PreToolUse and PermissionRequest, and only themselves elsewhere. path is the
// entry's place under the event.
var badEntries = []struct {
	name, groups, path string
	rest               int // valid hooks next to the bad entry
}{
	{"event isn't an array", `{}`, "", 0},
	{"group isn't an object", `["x",{"hooks":[HOOK]}]`, "/0", 1},
	{"hooks is an object", `[{"hooks":{}},{"hooks":[HOOK]}]`, "/0/hooks", 1},
	{"hooks is null", `[{"hooks":null}]`, "/0/hooks", 0},
	{"matcher null", `[{"matcher":null,"hooks":[HOOK]}]`, "/0/matcher", 0},
	{"matcher number", `[{"matcher":1,"hooks":[HOOK]}]`, "/0/matcher", 0},
	{"matcher array", `[{"hooks":[HOOK],"matcher":["Bash"]}]`, "/0/matcher", 0},
	{"handler is a string", `[{"hooks":["x",HOOK]}]`, "/0/hooks/0", 1},
	{"no type", `[{"hooks":[{"command":"x"},HOOK]}]`, "/0/hooks/0", 1},
	{"unknown type", `[{"hooks":[{"type":"callback"},HOOK]}]`, "/0/hooks/0/type", 1},
	{"no command", `[{"hooks":[{"type":"command"},HOOK]}]`, "/0/hooks/0", 1},
	{"no url", `[{"hooks":[{"type":"http"}]}]`, "/0/hooks/0", 0},
	{"bad url", `[{"hooks":[{"type":"http","url":"not a url"}]}]`, "/0/hooks/0/url", 0},
	{"bad headers", `[{"hooks":[{"type":"http","url":"http://h/","headers":{"a":1}}]}]`, "/0/hooks/0/headers", 0},
	{"bad allowedEnvVars", `[{"hooks":[{"type":"http","url":"http://h/","allowedEnvVars":[1]}]}]`,
		"/0/hooks/0/allowedEnvVars", 0},
	{"no tool", `[{"hooks":[{"type":"mcp_tool","server":"s"}]}]`, "/0/hooks/0", 0},
	{"bad input", `[{"hooks":[{"type":"mcp_tool","server":"s","tool":"t","input":[]}]}]`, "/0/hooks/0/input", 0},
	{"no prompt", `[{"hooks":[{"type":"agent"}]}]`, "/0/hooks/0", 0},
	{"bad continueOnBlock", `[{"hooks":[{"type":"prompt","prompt":"x","continueOnBlock":"y"}]}]`,
		"/0/hooks/0/continueOnBlock", 0},
	{"bad model", `[{"hooks":[{"type":"prompt","prompt":"x","model":5}]}]`, "/0/hooks/0/model", 0},
	{"timeout string", `[{"hooks":[{"type":"command","command":"x","timeout":"5"},HOOK]}]`, "/0/hooks/0/timeout", 1},
	{"timeout null", `[{"hooks":[{"type":"command","command":"x","timeout":null}]}]`, "/0/hooks/0/timeout", 0},
	{"timeout 0", `[{"hooks":[{"type":"command","command":"x","timeout":0}]}]`, "/0/hooks/0/timeout", 0},
	{"timeout negative", `[{"hooks":[{"type":"command","command":"x","timeout":-1}]}]`, "/0/hooks/0/timeout", 0},
	{"onFailure word", `[{"hooks":[{"type":"command","command":"x","onFailure":"deny"}]}]`, "/0/hooks/0/onFailure", 0},
	{"onFailure number", `[{"hooks":[{"type":"command","command":"x","onFailure":1}]}]`, "/0/hooks/0/onFailure", 0},
	{"shell word", `[{"hooks":[{"type":"command","command":"x","shell":"zsh"}]}]`, "/0/hooks/0/shell", 0},
	{"args string", `[{"hooks":[{"type":"command","command":"x","args":"x"}]}]`, "/0/hooks/0/args", 0},
	{"args of numbers", `[{"hooks":[{"type":"command","command":"x","args":[1]}]}]`, "/0/hooks/0/args", 0},
	{"if null", `[{"hooks":[{"type":"command","command":"x","if":null}]}]`, "/0/hooks/0/if", 0},
	{"async string", `[{"hooks":[{"type":"command","command":"x","async":"yes"}]}]`, "/0/hooks/0/async", 0},
	{"asyncRewake number", `[{"hooks":[{"type":"command","command":"x","asyncRewake":1}]}]`, "/0/hooks/0/asyncRewake",
		0},
	{"once string", `[{"hooks":[{"type":"command","command":"x","once":"x"}]}]`, "/0/hooks/0/once", 0},
	{"statusMessage number", `[{"hooks":[{"type":"command","command":"x","statusMessage":5}]}]`,
		"/0/hooks/0/statusMessage", 0},
}

// runsWithout are the entries of badEntries whose hook other agents run without the field.
var runsWithout = []string{"timeout", "onFailure", "async", "asyncRewake", "once", "statusMessage"}

func TestParseConfigBadEntries(t *testing.T) {
	for _, tt := range badEntries {
		for _, event := range []string{"PreToolUse", "PermissionRequest", "PostToolUse", "SessionEnd"} {
			text := strings.ReplaceAll(`{"permissions":{},"hooks":{"Stop":[{"hooks":[HOOK]}],"`+event+`":`+tt.groups+
				`}}`, "HOOK", soundHook)
			cfg, ds := New().ParseConfig([]byte(text), schema.Source{File: "f"})
			code, left, read := "HB103", tt.rest+1, tt.rest+1
			field, _, _ := strings.Cut(tt.name, " ")
			if slices.Contains(runsWithout, field) {
				code, read = "HB118", read+1
			}
			guarded := event == "PreToolUse" || event == "PermissionRequest"
			if guarded { // the client rejects the whole file
				code, left = "HB117", 0
			}
			if got := len(cfg.Hooks); got != read {
				t.Errorf("%s under %s: %d hooks for other agents, want %d", tt.name, event, got, read)
			}
			cfg = cfg.AsKnown()
			if len(ds) != 1 || string(ds[0].Code) != code || ds[0].Path != "/hooks/"+event+tt.path || ds[0].Line != 1 ||
				ds[0].Event != event || ds[0].File != "f" {
				t.Errorf("%s under %s: findings %v", tt.name, event, findings(ds))
			}
			if len(cfg.Hooks) != left {
				t.Errorf("%s under %s: %d hooks, want %d", tt.name, event, len(cfg.Hooks), left)
			}
			if guarded && len(cfg.Extra) > 0 {
				t.Errorf("%s under %s: settings of a void file are kept", tt.name, event)
			}
		}
	}
}

func TestParseConfigHandler(t *testing.T) {
	hook := func(members string) schema.Hook {
		t.Helper()
		cfg, ds := New().ParseConfig([]byte(`{"hooks":{"PreToolUse":[{"matcher":"","hooks":[{`+members+`}]}]}}`),
			schema.Source{})
		if len(cfg.Hooks) != 1 {
			t.Fatalf("%s: %v", members, findings(ds))
		}
		return cfg.Hooks[0]
	}
	h := hook(`"type":"command","command":"","args":[],"shell":"powershell","async":true,"asyncRewake":true,` +
		`"timeout":0.5,"statusMessage":"s","if":"","onFailure":"block"`)
	if h.Handler != schema.HandlerCommand || h.Args == nil || h.Shell != "powershell" || !h.Async || !h.Rewake ||
		h.Timeout != 500*time.Millisecond ||
		h.Status != "s" || !h.HasCondition || h.Fail != schema.FailClosed || !h.HasMatcher || h.Line != 1 ||
		h.Path != "/hooks/PreToolUse/0/hooks/0" {
		t.Errorf("command: %+v", h)
	}
	if h = hook(`"type":"command","command":"x","timeout":1e300,"onFailure":"continue"`); h.Timeout < 24*time.Hour ||
		h.Fail != schema.FailOpen || h.Args != nil {
		t.Errorf("long timeout: %+v", h)
	}
	if h = hook(`"type":"command","command":"x","timeout":1e-12`); h.Timeout <= 0 {
		t.Error("the shortest timeout became the default")
	}
	h = hook(`"type":"http","url":"http://127.0.0.1:1/","headers":{"A":"$B"},"allowedEnvVars":["B"]`)
	same(t, "headers", []schema.EnvVar{{Name: "A", Value: "$B"}}, h.Headers)
	same(t, "allowed", []string{"B"}, h.EnvAllow)
	if h = hook(`"type":"mcp_tool","server":"s","tool":"t","input":{"a":1}`); h.Server != "s" || h.ToolRef != "t" ||
		string(h.Input) != `{"a":1}` {
		t.Errorf("mcp_tool: %+v", h)
	}
	if h = hook(`"type":"prompt","prompt":"p","model":"m","continueOnBlock":true`); h.Prompt != "p" || h.Model != "m" ||
		!h.OnBlock {
		t.Errorf("prompt: %+v", h)
	}
}

package cursor

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

func voids(d schema.Diagnostic) bool {
	return d.Code.RejectsFile() || d.Severity == schema.Error
}

// checkConfig checks the invariants of every file.
func checkConfig(t *testing.T, cfg *schema.Config, ds schema.Diagnostics) {
	t.Helper()
	for _, d := range ds {
		if n := len(cfg.AsKnown().Hooks); voids(d) && n > 0 {
			t.Errorf("%s, and yet %d hooks", d, n)
		}
	}
	for _, h := range cfg.Hooks {
		if h.Path == "" || h.Line == 0 || h.Col == 0 || h.Event == 0 || h.Timeout < 0 {
			t.Errorf("hook without a place, an event or a usable timeout: %+v", h)
		}
	}
}

// one returns a file with an entry that has these fields in addition to its command.
func one(members string) string {
	return `{"version":1,"hooks":{"preToolUse":[{"command":"true"` + members + `}]}}`
}

const entry = "/hooks/preToolUse/0"

func newer(path string) []find { return []find{{schema.CodeNewerWord, schema.Weaker, path}} }

func voided(path string) []find { return []find{{schema.CodeVoidFile, schema.Weaker, path}} }

func ignored(path string) []find { return []find{{schema.CodeUnknownMember, schema.Note, path}} }

// configs were all run in @cursor/sdk 1.0.32.
var configs = []struct {
	name, text string
	hooks      int
	finds      []find
}{
	{"plain", one(""), 1, nil},
	{"no hooks", `{"version":1}`, 0, []find{{Code: schema.CodeShape, Severity: schema.Loss}}},
	{"an event beside hooks", `{"version":1,"preToolUse":[{"command":"x"}]}`, 0, []find{
		{Code: schema.CodeVoidHook, Severity: schema.Weaker, Path: "/preToolUse"},
		{Code: schema.CodeShape, Severity: schema.Loss}}},
	{"no version", `{"hooks":{"stop":[{"command":"x"}]}}`, 1,
		[]find{{Code: schema.CodeNoVersion, Severity: schema.Weaker, Path: ""}}},
	{"version 2", `{"version":2,"hooks":{"stop":[{"command":"x"}]}}`, 1, nil},
	{"version 1.0", `{"version":1.0,"hooks":{"stop":[{"command":"x"}]}}`, 1, nil},
	{"version 1e30", `{"version":1e30,"hooks":{"stop":[{"command":"x"}]}}`, 1, nil},
	{"version 0", `{"version":0,"hooks":{"stop":[{"command":"x"}]}}`, 0, voided("/version")},
	{"version -1", `{"version":-1,"hooks":{"stop":[{"command":"x"}]}}`, 0, voided("/version")},
	{"version 1.5", `{"version":1.5,"hooks":{"stop":[{"command":"x"}]}}`, 0, voided("/version")},
	{"version text", `{"version":"1","hooks":{"stop":[{"command":"x"}]}}`, 0, voided("/version")},
	{"unknown event", `{"version":1,"hooks":{"stop":[{"command":"x"}],"Stop":[]}}`, 0, newer("/hooks/Stop")},
	{"event null", `{"version":1,"hooks":{"stop":null}}`, 0, newer("/hooks/stop")},
	{"event object", `{"version":1,"hooks":{"stop":{}}}`, 0, newer("/hooks/stop")},
	{"hooks array", `{"version":1,"hooks":[]}`, 0, voided("/hooks")},
	{"entry null", `{"version":1,"hooks":{"stop":[{"command":"x"},null]}}`, 0, newer("/hooks/stop/1")},
	{"nested group", `{"version":1,"hooks":{"stop":[{"matcher":"","hooks":[{"command":"x"}]}]}}`, 0,
		append(ignored("/hooks/stop/0/hooks"), newer("/hooks/stop/0")...)},
	{"two faults", `{"version":1,"hooks":{"stop":[{}],"x":[]}}`, 0,
		append(newer("/hooks/stop/0"), newer("/hooks/x")...)},
	{"no command", `{"version":1,"hooks":{"stop":[{"timeout":5}]}}`, 0, newer("/hooks/stop/0")},
	{"command empty", `{"version":1,"hooks":{"stop":[{"command":""}]}}`, 1, nil},
	{"command number", `{"version":1,"hooks":{"stop":[{"command":5}]}}`, 0, newer("/hooks/stop/0/command")},
	{"type command", one(`,"type":"command"`), 1, nil},
	{"type agent", one(`,"type":"agent"`), 0, newer(entry + "/type")},
	{"type null", one(`,"type":null`), 0, newer(entry + "/type")},
	{"prompt", `{"version":1,"hooks":{"stop":[{"type":"prompt","prompt":"ok?","model":"m"}]}}`, 1, nil},
	{"prompt blank", `{"version":1,"hooks":{"stop":[{"prompt":" ","type":"prompt"}]}}`, 0,
		newer("/hooks/stop/0/prompt")},
	{"prompt missing", `{"version":1,"hooks":{"stop":[{"type":"prompt"}]}}`, 0, newer("/hooks/stop/0")},
	{"prompt without type", `{"version":1,"hooks":{"stop":[{"prompt":"p"}]}}`, 0,
		append(ignored("/hooks/stop/0/prompt"), newer("/hooks/stop/0")...)},
	{"prompt, model number", `{"version":1,"hooks":{"stop":[{"model":5,"prompt":"p","type":"prompt"}]}}`, 0,
		newer("/hooks/stop/0/model")},
	{"prompt, command number", `{"version":1,"hooks":{"stop":[{"command":5,"prompt":"p","type":"prompt"}]}}`, 1,
		ignored("/hooks/stop/0/command")},
	{"command, prompt number", one(`,"prompt":5`), 1, ignored(entry + "/prompt")},
	{"matcher", one(`,"matcher":"Shell|^Read$"`), 1, nil},
	{"matcher star", one(`,"matcher":"*"`), 1, nil},
	{"matcher empty", one(`,"matcher":""`), 1, nil},
	{"matcher null", one(`,"matcher":null`), 0, newer(entry + "/matcher")},
	{"matcher object", one(`,"matcher":{"tool_name":"Shell"}`), 0, newer(entry + "/matcher")},
	{"matcher broken", one(`,"matcher":"("`), 0, newer(entry + "/matcher")},
	{"matcher of another language", one(`,"matcher":"(?i)task"`), 0, newer(entry + "/matcher")},
	{"timeout", one(`,"timeout":0.5`), 1, nil},
	{"timeout tiny", one(`,"timeout":1e-12`), 1, nil},
	{"timeout 0", one(`,"timeout":0`), 0, newer(entry + "/timeout")},
	{"timeout text", one(`,"timeout":"5"`), 0, newer(entry + "/timeout")},
	{"timeout null", one(`,"timeout":null`), 0, newer(entry + "/timeout")},
	{"timeout infinite", one(`,"timeout":1e400`), 0, newer(entry + "/timeout")},
	{"timeout of milliseconds", one(`,"timeout":5000`), 1,
		[]find{{schema.CodeMilliseconds, schema.Note, entry + "/timeout"}}},
	{"loop limit", one(`,"loop_limit":1.0`), 1, nil},
	{"loop limit none", one(`,"loop_limit":null`), 1, nil},
	{"loop limit 0", one(`,"loop_limit":0`), 0, newer(entry + "/loop_limit")},
	{"loop limit 1.5", one(`,"loop_limit":1.5`), 0, newer(entry + "/loop_limit")},
	{"failClosed", one(`,"failClosed":true`), 1, nil},
	{"failClosed text", one(`,"failClosed":"true"`), 0, newer(entry + "/failClosed")},
	{"failClosed null", one(`,"failClosed":null`), 0, newer(entry + "/failClosed")},
	{"unknown member", one(`,"x":1`), 1, ignored(entry + "/x")},
	{"unknown at top", `{"version":1,"x":{},"hooks":{}}`, 0, nil},
	{"event twice", `{"version":1,"hooks":{"stop":[{"command":"x"},{"command":"y"}],"stop":[{"command":"z"}]}}`,
		1, []find{{Code: schema.CodeRepeated, Severity: schema.Loss, Path: "/hooks/stop"}}},
	{"hooks twice", `{"version":1,"hooks":{"Stop":1},"hooks":{"stop":[{"command":"z"}]}}`, 1,
		[]find{{Code: schema.CodeRepeated, Severity: schema.Loss, Path: "/hooks"}}},
	{"member twice", one(`,"timeout":0,"timeout":6`), 1,
		[]find{{Code: schema.CodeRepeated, Severity: schema.Loss, Path: entry + "/timeout"}}},
	{"mark at the start", "\ufeff" + one(""), 0, voided("")},
	{"comments", "// a /* b\n" + strings.Replace(one(""), "{", "{ /* c\n */", 1) + "//", 1, nil},
	{"comment ends at a return", "// c\r" + one(""), 1, nil},
	{"comment in a string", one(`,"x":"a/*b*/c"`), 1, append([]find{{schema.CodeVoidHook, schema.Weaker, ""}},
		ignored(entry+"/x")...)},
	{"address in a string", one(`,"x":"http://a"`), 0, voided("")},
	{"schema address", "{\"$schema\": \"https://x\",\n\"version\":1,\"hooks\":{}}", 0, voided("")},
	{"address in a comment", "/* http://x */" + one(""), 0, []find{{schema.CodeSyntax, schema.Error, ""}}},
	{"open comment", one("") + "/* x", 0, []find{{schema.CodeSyntax, schema.Error, ""}}},
	{"trailing comma", one(","), 0, []find{{schema.CodeSyntax, schema.Error, ""}}},
	{"array", `[]`, 0, voided("")},
}

func TestParseConfig(t *testing.T) {
	for _, row := range configs {
		t.Run(row.name, func(t *testing.T) {
			cfg, ds := Dialect{}.ParseConfig([]byte(row.text), schema.Source{File: "hooks.json"})
			checkConfig(t, cfg, ds)
			same(t, "findings", finds(ds), row.finds)
			same(t, "hooks", len(cfg.AsKnown().Hooks), row.hooks)
			for _, d := range ds {
				if d.File != "hooks.json" {
					t.Errorf("%v names no file", d)
				}
			}
		})
	}
}

func TestParseHook(t *testing.T) {
	text := "{\"version\": 1, // one\n \"hooks\": {\"beforeShellExecution\": [\n  {\"command\": \"x\", \"command\": " +
		"\"./a\", \"matcher\": \"rm\", \"timeout\": 1.5, \"loop_limit\": null, \"failClosed\": false, \"y\": 2}]}}"
	cfg, _ := Dialect{}.ParseConfig([]byte(text), schema.Source{Scope: schema.ScopeUser})
	if len(cfg.Hooks) != 1 {
		t.Fatal("no hook")
	}
	h := cfg.Hooks[0]
	none := *h.LoopLimit
	h.Extra = nil
	h.LoopLimit = nil
	same(t, "loop limit", none, -1)
	same(t, "hook", h, schema.Hook{Event: schema.PreTool, Native: "beforeShellExecution", Gate: true, Matcher: "rm",
		HasMatcher: true, Handler: schema.HandlerCommand,
		Command: "./a", Timeout: 1500 * time.Millisecond, Fail: schema.FailOpen,
		Source: schema.Source{Scope: schema.ScopeUser}, Path: "/hooks/beforeShellExecution/0", Line: 3, Col: 3})
}

// TestTinyTimeout checks that a limit that rounds to zero isn't the default.
func TestTinyTimeout(t *testing.T) {
	cfg, _ := Dialect{}.ParseConfig([]byte(one(`,"timeout":1e-12`)), schema.Source{})
	same(t, "timeout", Dialect{}.Profile().Timeout(&cfg.Hooks[0]), time.Nanosecond)
}

// TestNoComments checks that an entry survives the client's removal of comments, whatever the other entries contain.
func TestNoComments(t *testing.T) {
	words := []string{"ls src/*", "cat */notes", "curl http://x", "a /**/ b", "*/*/*", "//*", "/*//", `\/*`, "/", "*"}
	file := `{"version":1,"hooks":{"preToolUse":[`
	for i, word := range words {
		value, _ := Dialect{}.WriteHook(schema.Entry{Matcher: "^(?:" + word + ")$"},
			&schema.Hook{Handler: schema.HandlerCommand, Command: word})
		if i > 0 {
			file += ","
		}
		file += string(value)
	}
	file += `]}}`
	if cut := string(strip([]byte(file))); cut != file {
		t.Errorf("cut:\n%s\n%s", file, cut)
	}
	var got struct {
		Hooks map[string][]struct{ Command string }
	}
	if err := json.Unmarshal([]byte(file), &got); err != nil {
		t.Fatal(err)
	}
	for i, h := range got.Hooks["preToolUse"] {
		if h.Command != words[i] {
			t.Errorf("%q became %q", words[i], h.Command)
		}
	}
	for text, found := range map[string]bool{
		`{"version":1,"hooks":{"stop":[{"command":"ls src/*"},{"command":"cat */notes"}]}}`: true,
		// a comment that never ends isn't a comment
		`{"version":1,"hooks":{"stop":[{"command":"ls src/*"},{"command":"notes"}]}}`:              false,
		"{\"version\":1, // ok \"x\n /* \"y\" */ \"hooks\":{\"stop\":[{\"command\":\"ls\"}]}}":     false,
		`{"version":1,"hooks":{"stop":[{"command":"ls src\/\u002a"},{"command":"cat *\/notes"}]}}`: false,
	} {
		_, ds := Dialect{}.ParseConfig([]byte(text), schema.Source{File: ".cursor/hooks.json"})
		if got := slices.ContainsFunc(ds, func(d schema.Diagnostic) bool {
			return d.Code == schema.CodeVoidHook && d.Severity == schema.Weaker
		}); got != found {
			t.Errorf("%s: %v", text, ds)
		}
	}
}

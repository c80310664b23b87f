package gemini

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

// one returns a file with a BeforeTool hook that has these fields in addition to type and command.
func one(members string) string {
	return `{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"./x.sh"` + members + `}]}]}}`
}

const hookPath = "/hooks/BeforeTool/0/hooks/0"

// configs has the effect of every kind of entry, as shown by the client 0.61.0.
var configs = []struct {
	name, text string
	hooks      int
	finds      []find
}{
	{"plain", one(""), 1, nil},
	{"comments", "// a\n" + one("") + "/* b */", 1, nil},
	{"trailing comma", `{"hooks":{},}`, 0, []find{{schema.CodeSyntax, schema.Error, ""}}},
	{"member twice: the last counts", one(`,"command":"./y.sh"`), 1,
		[]find{{schema.CodeRepeated, schema.CodeRepeated.Severity(), hookPath + "/command"}}},
	{"hooks no object", `{"hooks":[]}`, 0, []find{{schema.CodeVoidHook, schema.Weaker, "/hooks"}}},
	{"another agent's event", `{"hooks":{"PreToolUse":[]}}`, 0,
		[]find{{schema.CodeSkippedEvent, schema.Loss, "/hooks/PreToolUse"}}},
	{"other case", `{"hooks":{"beforetool":[]}}`, 0,
		[]find{{schema.CodeSkippedEvent, schema.Loss, "/hooks/beforetool"}}},
	{"event an object", `{"hooks":{"BeforeTool":{"hooks":[{"type":"command","command":"x"}]}}}`, 1, nil},
	{"event a number", `{"hooks":{"BeforeTool":1}}`, 0,
		[]find{{schema.CodeVoidHook, schema.Weaker, "/hooks/BeforeTool"}}},
	{"null group", `{"hooks":{"BeforeTool":[null]}}`, 0,
		[]find{{schema.CodeVoidHook, schema.Weaker, "/hooks/BeforeTool/0"}}},
	{"flat entry", `{"hooks":{"BeforeTool":[{"command":"x"}]}}`, 0,
		[]find{{schema.CodeUnknownMember, schema.Note, "/hooks/BeforeTool/0/command"},
			{schema.CodeVoidHook, schema.Weaker, "/hooks/BeforeTool/0"}}},
	{"no type", `{"hooks":{"BeforeTool":[{"hooks":[{"command":"x"}]}]}}`, 0,
		[]find{{schema.CodeVoidHook, schema.Weaker, hookPath}}},
	{"http", `{"hooks":{"BeforeTool":[{"hooks":[{"type":"http","url":"x"}]}]}}`, 0,
		[]find{{schema.CodeVoidHook, schema.Weaker, hookPath + "/type"}}},
	{"empty command", `{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":""}]}]}}`, 0,
		[]find{{schema.CodeVoidHook, schema.Weaker, hookPath + "/command"}}},
	{"null hook beside one", `{"hooks":{"BeforeTool":[{"hooks":[null,{"type":"command","command":"x"}]}]}}`, 1,
		[]find{{schema.CodeVoidHook, schema.Weaker, hookPath}}},
	{"matcher a number", `{"hooks":{"BeforeTool":[{"matcher":5,"hooks":[{"type":"command","command":"x"}]}]}}`, 0,
		[]find{{schema.CodeNewerPart, schema.Weaker, "/hooks/BeforeTool/0/matcher"}}},
	{"matcher null", `{"hooks":{"BeforeTool":[{"matcher":null,"hooks":[{"type":"command","command":"x"}]}]}}`, 1, nil},
	{"matcher no expression", `{"hooks":{"BeforeTool":[{"matcher":"[","hooks":[{"type":"command","command":"x"}]}]}}`,
		1, []find{{schema.CodeDeadMatcher, schema.Weaker, "/hooks/BeforeTool/0/matcher"}}},
	{"list on a value", `{"hooks":{"SessionStart":[{"matcher":"startup|resume","hooks":[{"type":"command",` +
		`"command":"x"}]}]}}`, 1,
		[]find{{schema.CodeDeadMatcher, schema.Weaker, "/hooks/SessionStart/0/matcher"}}},
	{"matcher of nothing", `{"hooks":{"BeforeAgent":[{"matcher":"x","hooks":[{"type":"command","command":"x"}]}]}}`,
		1, []find{{schema.CodeIgnoredMatcher, schema.Note, "/hooks/BeforeAgent/0/hooks/0"}}},
	{"unknown member", one(`,"failClosed":true,"name":"n","description":"d"`), 1,
		[]find{{schema.CodeUnknownMember, schema.Note, hookPath + "/failClosed"}}},
	{"timeout 0", one(`,"timeout":0`), 1, []find{{schema.CodeVoidHook, schema.Weaker, hookPath + "/timeout"}}},
	{"timeout too large", one(`,"timeout":2147483648`), 1,
		[]find{{schema.CodeVoidHook, schema.Weaker, hookPath + "/timeout"}}},
	{"timeout in seconds", one(`,"timeout":5`), 1,
		[]find{{schema.CodeMilliseconds, schema.Weaker, hookPath + "/timeout"}}},
	{"timeout a word", one(`,"timeout":"soon"`), 1,
		[]find{{schema.CodeUnknownMember, schema.Note, hookPath + "/timeout"}}},
	{"old switch", `{"hooks":{"enabled":false}}`, 0, []find{{schema.CodeUnknownMember, schema.Note, "/hooks/enabled"}}},
	{"unknown switch", `{"hooksConfig":{"off":true}}`, 0,
		[]find{{schema.CodeUnknownMember, schema.Note, "/hooksConfig"}}},
}

func TestParseConfig(t *testing.T) {
	for _, row := range configs {
		cfg, ds := New().ParseConfig([]byte(row.text), schema.Source{File: "settings.json"})
		checkHooks(t, cfg)
		same(t, row.name+": findings", finds(ds), row.finds)
		same(t, row.name+": hooks", len(cfg.Hooks), row.hooks)
	}
}

func TestTimeout(t *testing.T) {
	for _, row := range []struct {
		members string
		want    time.Duration
	}{
		{"", time.Minute}, {`,"timeout":5000`, 5 * time.Second}, {`,"timeout":"5000"`, 5 * time.Second},
		{`,"timeout":1.5`, 1500 * time.Microsecond},
		{`,"timeout":0`, 1}, {`,"timeout":-3`, 1}, {`,"timeout":2147483647`, 2147483647 * time.Millisecond},
		{`,"timeout":2147483648`, 1}} {
		cfg, _ := New().ParseConfig([]byte(one(row.members)), schema.Source{})
		same(t, row.members, New().Profile().Timeout(&cfg.Hooks[0]), row.want)
	}
}

// TestSources finds files and extensions as the client does, in its order.
func TestSources(t *testing.T) {
	home := t.TempDir()
	write := func(file, text string) {
		file = filepath.Join(home, ".gemini", "extensions", file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range []string{"a", "b", "c"} {
		write(e+"/gemini-extension.json", `{"name":"`+e+`","version":"1"}`)
		write(e+"/hooks/hooks.json", `{"hooks":{}}`)
	}
	write("d/hooks/hooks.json", `{}`) // without a manifest, it isn't an extension
	write("extension-enablement.json", `{"b":{"overrides":["!/w/*","/w/p/"]},"c":{"overrides":["!/w/p/*"]}}`)
	p := schema.Places{OS: "linux", Home: home, Project: "/w/p",
		Env: schema.Environ{"GEMINI_CLI_SYSTEM_SETTINGS_PATH=/s.json"}}
	var got []string
	for _, s := range append(New().Locate(p), New().Plugins(p, nil, os.ReadFile)...) {
		rel, err := filepath.Rel(home, s.File)
		if err != nil || rel[:2] == ".." {
			rel = s.File
		}
		got = append(got, s.Scope.String()+" "+filepath.ToSlash(rel))
	}
	same(t, "sources", got, []string{"managed /etc/gemini-cli/system-defaults.json", "user .gemini/settings.json",
		"project /w/p/.gemini/settings.json",
		"managed /s.json", "plugin .gemini/extensions/a/hooks/hooks.json",
		"plugin .gemini/extensions/b/hooks/hooks.json"})
}

// TestResolve checks the switches that turn hooks off.
func TestResolve(t *testing.T) {
	const hook = `"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"x"},{"type":"command","command":"x",` +
		`"name":"n"}]}]}`
	for _, row := range []struct {
		name, user, project string
		want                int
	}{
		{"both", `{` + hook + `}`, `{` + hook + `}`, 4},
		{"user off", `{` + hook + `,"hooksConfig":{"enabled":false}}`, `{` + hook + `}`, 0},
		{"the project has the last word", `{` + hook + `,"hooksConfig":{"enabled":false}}`,
			`{"hooksConfig":{"enabled":true}}`, 2},
		{"by name", `{` + hook + `}`, `{"hooksConfig":{"disabled":["n"]}}`, 1},
		{"by command: not one that has a name", `{` + hook + `}`, `{"hooksConfig":{"disabled":["x"]}}`, 1},
		{"a matcher that is no text", `{` + hook + `}`, `{"hooks":{"BeforeTool":[{"matcher":{},"hooks":[]}]}}`, 0},
		{"of another event", `{` + hook + `}`, `{"hooks":{"AfterTool":[{"matcher":{},"hooks":[]}]}}`, 2},
	} {
		u, _ := New().ParseConfig([]byte(row.user), schema.Source{File: "u", Scope: schema.ScopeUser})
		p, _ := New().ParseConfig([]byte(row.project), schema.Source{File: "p", Scope: schema.ScopeProject})
		hooks, _ := New().Resolve([]*schema.Config{u.AsKnown(), p.AsKnown()})
		same(t, row.name, len(hooks), row.want)
	}
}

func TestExtensionFile(t *testing.T) {
	at := New().Given("/e/hooks/hooks.json")
	same(t, "root", at.Plugin, "/e")
	cfg, ds := New().ParseConfig([]byte(`{"BeforeTool":[{"hooks":[{"type":"command","command":"x"}]}]}`), at)
	same(t, "hooks", len(cfg.Hooks), 0)
	same(t, "findings", finds(ds), []find{{schema.CodeVoidHook, schema.Weaker, "/BeforeTool"}})
}

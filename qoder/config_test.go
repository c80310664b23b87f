package qoder

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/schema"
)

func config(t testing.TB, text string) (*schema.Config, schema.Diagnostics) {
	t.Helper()
	return New().ParseConfig([]byte(text), schema.Source{File: "f", Scope: schema.ScopeProject})
}

func pre(handlers string) string {
	return `{"hooks":{"PreToolUse":[{"hooks":[` + handlers + `]},{"hooks":[{"type":"command","command":"other"}]}]}}`
}

// TestParseConfig has the effects of malformed entries in the client (1.1.52): the commands that remain, and the
// findings.
func TestParseConfig(t *testing.T) {
	const ok = `{"type":"command","command":"ok"}`
	for _, tt := range []struct{ text, commands, findings string }{
		{pre(ok), "ok other", ""},
		{pre(`{"type":"command"},` + ok), "ok other", "HB103 /hooks/PreToolUse/0/hooks/0"},
		{pre(`{"type":"command","command":""},` + ok), "ok other", "HB103 /hooks/PreToolUse/0/hooks/0/command"},
		{pre(`{"type":"nope"},` + ok), "ok other", "HB103 /hooks/PreToolUse/0/hooks/0/type"},
		{pre(`{"command":"x"},` + ok), "ok other", "HB103 /hooks/PreToolUse/0/hooks/0"},
		{pre(`{"type":"http"},` + ok), "ok other", "HB103 /hooks/PreToolUse/0/hooks/0"},
		{pre(`{"type":"prompt"},` + ok), "ok other", "HB103 /hooks/PreToolUse/0/hooks/0"},
		{pre(`"str",` + ok), "other", "HB118 /hooks/PreToolUse/0/hooks/0"},
		{pre(`{"type":"command","command":5},` + ok), "other", "HB118 /hooks/PreToolUse/0/hooks/0/command"},
		{pre(`{"type":"command","command":"x","timeout":"5"},` + ok), "other",
			"HB118 /hooks/PreToolUse/0/hooks/0/timeout"},
		{pre(`{"type":"command","command":"x","timeout":null},` + ok), "other",
			"HB118 /hooks/PreToolUse/0/hooks/0/timeout"},
		{pre(`{"type":"command","command":"x","args":["a",5]},` + ok), "other",
			"HB118 /hooks/PreToolUse/0/hooks/0/args"},
		{pre(`{"type":5,"command":"x"},` + ok), "other", "HB118 /hooks/PreToolUse/0/hooks/0/type"},
		{pre(`{"type":"command","command":"x","env":{"A":5},"shell":"zsh"},` + ok), "x ok other", ""},
		{pre(`{"type":"command","command":"x","foo":1},` + ok), "x ok other", "HB105 /hooks/PreToolUse/0/hooks/0/foo"},
		{`{"hooks":{"PreToolUse":[{"matcher":5,"hooks":[` + ok + `]}]}}`, "", "HB103 /hooks/PreToolUse/0/matcher"},
		{`{"hooks":{"PreToolUse":[{"matcher":null,"hooks":[` + ok + `]},{"hooks":[` + ok + `]}]}}`, "ok",
			"HB103 /hooks/PreToolUse/0/matcher"},
		{`{"hooks":{"PreToolUse":[5,{"hooks":5},{"matcher":"x"},{"type":"command","command":"x"},{"hooks":[` + ok +
			`]}]}}`, "ok",
			"HB103 /hooks/PreToolUse/0, HB103 /hooks/PreToolUse/1/hooks, HB103 /hooks/PreToolUse/2, HB105 " +
				"/hooks/PreToolUse/3/type, HB105 /hooks/PreToolUse/3/command, HB103 /hooks/PreToolUse/3"},
		{`{"hooks":{"Stop":{},"Nope":5,"preToolUse":[],"enabled":true,"PreToolUse":[{"hooks":[` + ok + `]}]}}`, "ok",
			"HB103 /hooks/Stop, HB101 /hooks/Nope, HB101 /hooks/preToolUse, HB105 /hooks/enabled"},
		{`{"hooks":[1]}`, "", "HB103 /hooks"},
		{`// top` + "\n" + `{"hooks":/* c " */{"PreToolUse":[{"matcher":"// no /* comment","hooks":[` + ok +
			`]}]}} // end`, "ok", ""},
		{`{"hooks":{},"hooks":{"PreToolUse":[{"hooks":[` + ok + `]}]}}`, "ok", "HB115 /hooks"},
		{`{"hooks":{"PreToolUse":[{"hooks":[` + ok + `,]}]}}`, "", "HB001 "},
		{`{"disableAllHooks":"yes","allowedHttpHookUrls":"x"}`, "",
			"HB105 /disableAllHooks, HB105 /allowedHttpHookUrls"},
		{`{"hooks":{"Stop":[{"matcher":"x","hooks":[{"type":"command","command":"ok","if":"Bash"}]}]}}`, "ok",
			"HB105 /hooks/Stop/0/hooks/0/if, HB113 /hooks/Stop/0/hooks/0"},
		{`{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"ok","if":"Bash","once":true,` +
			`"timeout":5000}]}]}}`, "ok",
			"HB107 /hooks/SessionStart/0/hooks/0/timeout, HB110 /hooks/SessionStart/0/hooks/0/if, HB111 " +
				"/hooks/SessionStart/0/hooks/0/once"},
	} {
		cfg, ds := config(t, tt.text)
		var commands, findings []string
		for _, h := range cfg.AsKnown().Hooks {
			commands = append(commands, h.Command)
		}
		for _, d := range ds {
			findings = append(findings, string(d.Code)+" "+d.Path)
			if d.File != "f" || d.Line == 0 {
				t.Errorf("%s: %v has no place", tt.text, d)
			}
		}
		if got := strings.Join(commands, " "); got != tt.commands {
			t.Errorf("%s: hooks %q, want %q", tt.text, got, tt.commands)
		}
		if got := strings.Join(findings, ", "); got != tt.findings {
			t.Errorf("%s: findings %q, want %q", tt.text, got, tt.findings)
		}
	}
}

func TestParseHandler(t *testing.T) {
	cfg,
		ds := config(t,
		`{"allowedHttpHookUrls":["https://x/*"],"model":"m","hooks":{"PreToolUse":[{"matcher":"Bash","sequential":true,"async":true,"hooks":[
	  {"type":"command","command":"c","args":["a"],"shell":"bash","env":{"A":"1"},"timeout":1.5,"if":"Bash(x)","async":false,"asyncRewake":true,"rewakeMessage":"m","statusMessage":"s","name":"n"},
	  {"type":"http","url":"https://x/y","headers":{"H":"${V}"},"allowedEnvVars":["V"]},
	  {"type":"agent","prompt":"p","model":"m","tools":["Read"],"maxTurns":5}]}]}}`)
	if len(ds) > 0 || len(cfg.Hooks) != 3 || cfg.AllowURLs[0] != "https://x/*" || len(cfg.Extra) != 1 {
		t.Fatalf("%v %+v", ds, cfg)
	}
	h := cfg.Hooks[0]
	if h.Matcher != "Bash" || !h.Sequential || h.Async || !h.Rewake || h.Timeout != 1500*time.Millisecond ||
		h.Condition != "Bash(x)" || h.Status != "s" ||
		h.Env[0] != (schema.EnvVar{Name: "A", Value: "1"}) || h.Args[0] != "a" || len(h.Extra) != 2 ||
		h.Path != "/hooks/PreToolUse/0/hooks/0" || h.Line != 2 || h.Col != 4 {
		t.Errorf("%+v", h)
	}
	if h := cfg.Hooks[1]; h.Handler != schema.HandlerHTTP || !h.Async || h.Headers[0].Value != "${V}" ||
		h.EnvAllow[0] != "V" {
		t.Errorf("%+v", h)
	}
	if h := cfg.Hooks[2]; h.Handler != schema.HandlerAgent || h.Prompt != "p" || h.Model != "m" || len(h.Extra) != 2 {
		t.Errorf("%+v", h)
	}
}

func TestResolve(t *testing.T) {
	user, _ := New().ParseConfig([]byte(pre(`{"type":"command","command":"user"}`)),
		schema.Source{File: "u", Scope: schema.ScopeUser})
	project, _ := config(t, pre(`{"type":"command","command":"project"}`))
	hooks, ds := New().Resolve([]*schema.Config{user, project})
	if len(ds) > 0 || len(hooks) != 4 || hooks[0].Command != "project" || hooks[2].Command != "user" {
		t.Errorf("%v %+v", ds, hooks)
	}
	for text, want := range map[string]int{`{"hooksConfig":{"enabled":false}}`: 0, `{"disableAllHooks":true}`: 0,
		`{"disableAllHooks":true,"hooksConfig":{"enabled":true}}`: 0,
		`{"disableAllHooks":false}`:                               4, `{"hooksConfig":{"enabled":"no"}}`: 4, `{}`: 4} {
		local, _ := New().ParseConfig([]byte(text), schema.Source{File: "l", Scope: schema.ScopeLocal})
		hooks, ds := New().Resolve([]*schema.Config{user, project, local})
		if len(hooks) != want || want == 0 && (len(ds) != 2 || ds[0].Code != schema.CodeDisabled) {
			t.Errorf("%s: %d hooks, %v", text, len(hooks), ds)
		}
	}
}

// TestSwitches has settings of user and project that were run in the client (1.1.52): the two switches are independent.
func TestSwitches(t *testing.T) {
	for _, tt := range []struct {
		user, project, local string
		by                   string
	}{
		{`"hooksConfig":{"enabled":false}`, `"disableAllHooks":false`, ``, "/hooksConfig/enabled"},
		{`"hooksConfig":{"enabled":false}`, `"hooksConfig":{"enabled":true}`, ``, ""},
		{`"disableAllHooks":true`, `"hooksConfig":{"enabled":true}`, ``, "/disableAllHooks"},
		{`"disableAllHooks":true`, `"disableAllHooks":false`, ``, ""},
		{`"disableAllHooks":true`, `"disableAllHooks":false,"hooksConfig":{"enabled":false}`,
			`"hooksConfig":{"enabled":true}`, ""},
		{``, `"disableAllHooks":true,"hooksConfig":{"enabled":false}`, `"disableAllHooks":false`,
			"/hooksConfig/enabled"},
	} {
		var cfgs []*schema.Config
		for scope, text := range map[schema.Scope]string{schema.ScopeUser: tt.user, schema.ScopeProject: tt.project,
			schema.ScopeLocal: tt.local} {
			cfg, _ := New().ParseConfig([]byte("{"+text+"}"), schema.Source{Scope: scope})
			cfgs = append(cfgs, cfg)
		}
		if path, _ := switchedOff(cfgs); path != tt.by {
			t.Errorf("%+v: %q", tt, path)
		}
	}
}

func TestLocate(t *testing.T) {
	files := func(d Dialect, p schema.Places) (out []string) {
		for _, s := range d.Locate(p) {
			out = append(out, filepath.ToSlash(s.File)+" "+s.Scope.String())
		}
		return out
	}
	p := schema.Places{OS: "plan9", Home: "/h", Project: "/p"}
	want := []string{"/p/.qoder/settings.json project", "/p/.qoder/settings.local.json local",
		"/h/.qoder/settings.json user"}
	if got := files(New(), p); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := files(New(), schema.Places{OS: "linux", Home: "/h", Project: "/h"}); !slices.Equal(got,
		[]string{"/h/.qoder/settings.json user"}) {
		t.Errorf("%q", got)
	}
	p.Env = schema.Environ{"QODER_CONFIG_DIR=/c", "QODER_CONFIG_DIR_NAME=.qq"}
	want = []string{"/p/.qq/settings.json project", "/p/.qq/settings.local.json local", "/c/settings.json user"}
	if got := files(New(), p); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := files(at("qoderwork"), schema.Places{Home: "/h", Project: "/p"}); !slices.Equal(got,
		[]string{"/h/.qoderwork/settings.json user"}) {
		t.Errorf("%q", got)
	}
	s := New().Given(filepath.Join("x", "hooks", "hooks.json"))
	if s.Scope != schema.ScopePlugin || s.Plugin != "x" {
		t.Errorf("%+v", s)
	}
	if s := New().Given("settings.json"); s.Scope != schema.ScopeGiven {
		t.Errorf("%+v", s)
	}
}

func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(material.Corpus(t, "qoder"), "*.json"))
	hooks := 0
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		cfg, _ := New().ParseConfig(text, schema.Source{File: f})
		hooks += len(cfg.Hooks)
	}
	if hooks < 30 {
		t.Errorf("only %d hooks in %d files", hooks, len(files))
	}
}

// TestLongestTimeout checks that no written entry makes the client's second timer end it immediately (observed 1.1.52:
// from 2147479 seconds on).
func TestLongestTimeout(t *testing.T) {
	h := &schema.Hook{Event: schema.PreTool, Handler: schema.HandlerCommand, Timeout: 1000 * time.Hour}
	if got := profile.Timeout(h); got > 2147470*time.Second {
		t.Error(got)
	}
}

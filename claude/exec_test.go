package claude

import (
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

func TestSpec(t *testing.T) {
	call := &schema.Call{Dialect: "other", Project: "/p", Cwd: "/p/sub"}
	call.SetStr(schema.FieldSession, "s1")
	plugin := schema.Source{Scope: schema.ScopePlugin, Plugin: "/h/.claude/plugins/cache/mark et/plug.in/1.0.0"}
	for _, tt := range []struct {
		name string
		hook schema.Hook
		os   string
		want string // Argv, joined by "|"
	}{
		{"shell", schema.Hook{Command: "echo $A"}, "linux", "/bin/sh|-c|echo $A"},
		{"bash is sh", schema.Hook{Command: "x", Shell: "bash"}, "linux", "/bin/sh|-c|x"},
		{"powershell", schema.Hook{Command: "x", Shell: "powershell"}, "linux",
			"pwsh|-NoProfile|-NonInteractive|-Command|x\nif ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }"},
		{"windows", schema.Hook{Command: "x"}, "windows", "bash|-c|x"},
		{"exec", schema.Hook{Command: "${CLAUDE_PROJECT_DIR}/x",
			Args: []string{"${CLAUDE_PROJECT_DIR}", "$CLAUDE_PROJECT_DIR", "${HOME}"}}, "linux",
			"/p/x|/p|$CLAUDE_PROJECT_DIR|${HOME}"},
		{"exec without arguments", schema.Hook{Command: "a b", Args: []string{}}, "linux", "a b"},
		{"exec in a plugin", schema.Hook{Command: "${CLAUDE_PLUGIN_ROOT}/x", Args: []string{"${CLAUDE_PLUGIN_DATA}"},
			Source: plugin}, "linux",
			plugin.Plugin + "/x|/h/.claude/plugins/data/plug-in-mark-et"},
		{"shell in a plugin", schema.Hook{Command: "${CLAUDE_PLUGIN_ROOT}/x", Source: plugin}, "linux",
			"/bin/sh|-c|${CLAUDE_PLUGIN_ROOT}/x"},
		{"bare variable", schema.Hook{Command: "$CLAUDE_PLUGIN_ROOT/x"}, "linux", "/bin/sh|-c|$CLAUDE_PLUGIN_ROOT/x"},
	} {
		env := schema.Environ{"A=1", "OTEL_EXPORTER=x", "CLAUDE_ENV_FILE=/other", "CLAUDE_PLUGIN_ROOT=/other",
			"CLAUDECODE=0"}
		s, err := New().Spec(&tt.hook, call, schema.Places{OS: tt.os, Home: "/h", Env: env})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		same(t, tt.name, tt.want, strings.Join(s.Argv, "|"))
		got := schema.Environ(s.Env)
		want := map[string]string{"CLAUDE_PROJECT_DIR": "/p", "CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s1",
			"A": "1", "OTEL_EXPORTER": "", "CLAUDE_ENV_FILE": "", "CLAUDE_PLUGIN_ROOT": tt.hook.Source.Plugin}
		for name, value := range want {
			if got.Get(name) != value {
				t.Errorf("%s: %s is %q, want %q", tt.name, name, got.Get(name), value)
			}
		}
		if s.Dir != "/p/sub" {
			t.Errorf("%s: runs in %s", tt.name, s.Dir)
		}
	}
	for _, h := range []schema.Hook{{Command: "x ${CLAUDE_PLUGIN_ROOT}"},
		{Command: "x", Args: []string{"${CLAUDE_PLUGIN_ROOT}"}}} {
		if _, err := New().Spec(&h, call, schema.Places{OS: "linux"}); err == nil {
			t.Errorf("%q runs outside a plugin", h.Command)
		}
	}
}

func TestTimeout(t *testing.T) {
	for _, tt := range []struct {
		hook schema.Hook
		want time.Duration
	}{
		{schema.Hook{Handler: schema.HandlerCommand, Event: schema.PreTool}, 600 * time.Second},
		{schema.Hook{Handler: schema.HandlerCommand, Event: schema.PreTool, Timeout: time.Second}, time.Second},
		{schema.Hook{Handler: schema.HandlerCommand, Event: schema.PromptSubmit}, 30 * time.Second},
		{schema.Hook{Handler: schema.HandlerCommand, Event: schema.MessageDisplay}, 10 * time.Second},
		{schema.Hook{Handler: schema.HandlerCommand, Event: schema.SessionEnd}, 1500 * time.Millisecond},
		{schema.Hook{Handler: schema.HandlerCommand, Event: schema.SessionEnd, Timeout: 5 * time.Second},
			5 * time.Second},
		{schema.Hook{Handler: schema.HandlerCommand, Event: schema.SessionEnd, Timeout: time.Hour}, time.Minute},
		{schema.Hook{Handler: schema.HandlerHTTP, Event: schema.PreTool}, 600 * time.Second},
		{schema.Hook{Handler: schema.HandlerPrompt, Event: schema.PreTool}, 30 * time.Second},
		{schema.Hook{Handler: schema.HandlerAgent, Event: schema.PromptSubmit}, time.Minute},
	} {
		if got := New().Profile().Timeout(&tt.hook); got != tt.want {
			t.Errorf("%s on %s: %v, want %v", tt.hook.Handler, tt.hook.Event, got, tt.want)
		}
	}
}

func TestKey(t *testing.T) {
	base := schema.Hook{Handler: schema.HandlerCommand, Command: "x"}
	key := func(change func(*schema.Hook)) string {
		h := base
		change(&h)
		return New().Profile().KeyOf(&h)
	}
	one := key(func(*schema.Hook) {})
	for name, f := range map[string]func(*schema.Hook){
		"timeout": func(h *schema.Hook) { h.Timeout = 1 }, "status": func(h *schema.Hook) { h.Status = "s" },
		"async": func(h *schema.Hook) { h.Async = true },
		"file":  func(h *schema.Hook) { h.Source.File = "f" }, "matcher": func(h *schema.Hook) { h.Matcher = "m" },
		"bash": func(h *schema.Hook) {
			h.Shell = "bash"
		}, "empty condition": func(h *schema.Hook) { h.HasCondition = true },
	} {
		if key(f) != one {
			t.Errorf("%s makes a difference", name)
		}
	}
	for name, f := range map[string]func(*schema.Hook){
		"blank": func(h *schema.Hook) {
			h.Command = "x "
		}, "condition": func(h *schema.Hook) {
			h.Condition = "Bash(ls)"
		}, "args": func(h *schema.Hook) { h.Args = []string{} },
		"plugin": func(h *schema.Hook) {
			h.Source.Plugin = "/p"
		}, "shell": func(h *schema.Hook) {
			h.Shell = "powershell"
		}, "type": func(h *schema.Hook) { h.Handler = schema.HandlerPrompt },
	} {
		if key(f) == one {
			t.Errorf("%s makes no difference", name)
		}
	}
}

func TestEnvFile(t *testing.T) {
	for e := schema.Event(1); e < schema.NumEvents; e++ {
		ok := profile.EnvFile.For(e) != ""
		want := e == schema.SessionStart || e == schema.Setup || e == schema.CwdChanged || e == schema.FileChanged
		if ok != want {
			t.Errorf("%s: %v", e, ok)
		}
	}
}

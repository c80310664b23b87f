package qoder

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

func TestSpec(t *testing.T) {
	c := foreign(schema.PreTool, schema.Tool{})
	c.Cwd = "/p/sub"
	p := schema.Places{OS: "linux", Home: "/h", Env: schema.Environ{"PATH=/bin", "QODER_ENV_FILE=/old", "A=0"}}
	plugin := schema.Source{Scope: schema.ScopePlugin, Plugin: "/pl"}
	for _, tt := range []struct {
		name string
		hook schema.Hook
		argv []string
	}{
		{"shell form", schema.Hook{Command: `x "${QODER_PROJECT_DIR}" $CLAUDE_PROJECT_DIR`},
			[]string{"bash", "-c", `x "/p" $CLAUDE_PROJECT_DIR`}},
		{"exec form", schema.Hook{Command: "${CLAUDE_PROJECT_DIR}/x", Args: []string{"a b", "${QODER_PLUGIN_ROOT}"},
			Source: plugin}, []string{"/p/x", "a b", "/pl"}},
		{"a variable of a plugin that no text names in braces", schema.Hook{Command: "$CLAUDE_PLUGIN_ROOT/x"},
			[]string{"bash", "-c", "$CLAUDE_PLUGIN_ROOT/x"}},
		{"another shell", schema.Hook{Command: "x", Shell: "zsh"}, []string{"bash", "-c", "x"}},
	} {
		s, err := New().Spec(&tt.hook, c, p)
		if err != nil || !reflect.DeepEqual(s.Argv, tt.argv) || s.Dir != "/p/sub" {
			t.Errorf("%s: %+v %v", tt.name, s, err)
		}
	}
	for _, command := range []string{"${QODER_PLUGIN_ROOT}/x", "x '${QODER_PLUGIN_DATA}'", "${CLAUDE_PLUGIN_ROOT}/x",
		"${CLAUDE_PLUGIN_DATA}/x"} {
		if s, err := New().Spec(&schema.Hook{Command: command}, c, p); err == nil { // observed 1.1.52
			t.Errorf("a plugin's variable outside a plugin: %+v", s)
		}
	}
	s, _ := New().Spec(&schema.Hook{Command: "x", Env: []schema.EnvVar{{Name: "A", Value: "1"},
		{Name: "QODER_SITE", Value: "CN"}}}, c, p)
	env := schema.Environ(s.Env)
	for name, want := range map[string]string{"PATH": "/bin", "A": "1", "QODER_PROJECT_DIR": "/p",
		"CLAUDE_PROJECT_DIR": "/p", "QODER_HOOK_SOURCE": "cli",
		"QODER_HOOK_VERSION": "1.1.52", "QODER_SITE": "CN", "QODER_ENV_FILE": "", "QODER_PLUGIN_ROOT": ""} {
		if got := env.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	c.Tool.Input = schema.Args{{Role: schema.RolePath, Raw: []byte(`"/p/a"`)}}
	s, _ = at("ide").Spec(&schema.Hook{Command: "x"}, c, p)
	if env := schema.Environ(s.Env); env.Get("QODER_SESSION_ID") != "s" || env.Get("QODER_HOOK_SOURCE") != "" ||
		env.Get("QODER_TOOL_INPUT_FILE_PATH") != "/p/a" {
		t.Errorf("IDE: %q", s.Env)
	}
}

func TestTimeout(t *testing.T) {
	for _, tt := range []struct {
		d    Dialect
		hook schema.Hook
		want time.Duration
	}{
		{New(), schema.Hook{Handler: schema.HandlerCommand}, 600 * time.Second},
		{New(), schema.Hook{Handler: schema.HandlerHTTP}, 600 * time.Second},
		{New(), schema.Hook{Handler: schema.HandlerPrompt}, 30 * time.Second},
		{New(), schema.Hook{Handler: schema.HandlerAgent}, 60 * time.Second},
		{New(), schema.Hook{Timeout: time.Second}, time.Second},
		{New(), schema.Hook{Event: schema.SessionEnd}, 1500 * time.Millisecond},
		{New(), schema.Hook{Event: schema.SessionEnd, Timeout: 10 * time.Second}, 10 * time.Second},
		{New(), schema.Hook{Event: schema.SessionEnd, Timeout: time.Hour}, time.Minute},
		{at("ide"), schema.Hook{Handler: schema.HandlerCommand}, 30 * time.Second},
		{at("qoderwork"), schema.Hook{Handler: schema.HandlerCommand}, 60 * time.Second},
	} {
		if got := tt.d.Profile().Timeout(&tt.hook); got != tt.want {
			t.Errorf("%q %+v: %s, want %s", tt.d.Data.Version, tt.hook, got, tt.want)
		}
	}
}

func TestKey(t *testing.T) {
	key := func(h schema.Hook) string { return New().Profile().KeyOf(&h) }
	base := schema.Hook{Handler: schema.HandlerCommand, Command: "x"}
	with := func(change func(*schema.Hook)) schema.Hook { h := base; change(&h); return h }
	for name, h := range map[string]schema.Hook{
		"the default shell": with(func(h *schema.Hook) { h.Shell = "bash" }),
		"a timeout":         with(func(h *schema.Hook) { h.Timeout = 1 }),
		"another file":      with(func(h *schema.Hook) { h.Source.File = "y" }),
	} {
		if key(h) != key(base) {
			t.Errorf("%s makes another hook", name)
		}
	}
	for name, h := range map[string]schema.Hook{
		"a shell":     with(func(h *schema.Hook) { h.Shell = "powershell" }),
		"a condition": with(func(h *schema.Hook) { h.Condition = "Bash" }),
		"a plugin":    with(func(h *schema.Hook) { h.Source.Plugin = "/x" }),
		"arguments":   with(func(h *schema.Hook) { h.Args = []string{} }),
	} {
		if key(h) == key(base) {
			t.Errorf("%s makes no difference", name)
		}
	}
	long := func(end string) schema.Hook {
		return schema.Hook{Handler: schema.HandlerPrompt,
			Prompt: "0123456789012345678901234567890123456789012345678901234567890123" + end}
	}
	if key(long("a")) != key(long("b")) {
		t.Error("more than the beginning of a prompt counts")
	}
}

func TestEnvFile(t *testing.T) {
	for e := schema.Event(1); e < schema.NumEvents; e++ {
		ok := profile.EnvFile.For(e) != ""
		want := slices.Contains([]schema.Event{schema.SessionStart, schema.Setup, schema.CwdChanged,
			schema.FileChanged}, e)
		if ok != want {
			t.Errorf("%s: %v", e, ok)
		}
	}
	for _, tt := range []struct {
		text string
		want string // NAME=value, joined; "!" for a finding
	}{
		{"A=1\nexport B='x y'\n# c\n\nC=\"$A/${B}\"", "A=1 B=x y C=1/x y"},
		{"A=$HOME/x", "A=/h/x"}, {`A="a\"b\n"`, `A=a"b\n`}, {`A=a\ b`, "A=a b"}, {`A='$HOME'`, "A=$HOME"}, {"A=", "A="},
		{"A=$(x)", "!"}, {"A=`x`", "!"}, {"A=1 cmd", "!"}, {"A='x", "!"}, {"cmd", "!"}, {"A=1;B=2", "A=1 B=2"},
		{"1A=2", "!"}, {"A=~/x", "A=/h/x"}, {"export A", ""}} {
		vars, ds := New().ParseEnvFile(tt.text, schema.Environ{"HOME=/h"})
		got := ""
		for _, v := range vars {
			if got != "" {
				got += " "
			}
			got += v.Name + "=" + v.Value
		}
		for range ds {
			got += "!"
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

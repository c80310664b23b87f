package droid

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestPlugins checks that each installed plugin that the settings turn on has a single file of hooks.
func TestPlugins(t *testing.T) {
	home := t.TempDir()
	register := filepath.Join(home, ".factory", "plugins", "installed_plugins")
	if err := os.MkdirAll(register, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"on.json":  `{"schemaVersion":1,"pluginId":"a@m","entry":{"scope":"user","installPath":"/p/a"}}`,
		"off.json": `{"schemaVersion":1,"pluginId":"b@m","entry":{"scope":"user","installPath":"/p/b"}}`,
	} {
		if err := os.WriteFile(filepath.Join(register, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d := New()
	settings, _ := d.ParseConfig([]byte(`{"enabledPlugins":{"a@m":true,"b@m":false}}`),
		schema.Source{File: filepath.Join(home, ".factory", "settings.json"), Scope: schema.ScopeUser})
	got := d.Plugins(schema.Places{Home: home}, []*schema.Config{settings}, os.ReadFile)
	if len(got) != 1 || filepath.ToSlash(got[0].File) != "/p/a/hooks/hooks.json" {
		t.Fatalf("%v", got)
	}
	text := `{"hooks":{"PreToolUse":[{"matcher":"Execute","hooks":[{"type":"command","command":"x"}]}]}}`
	cfg, _ := d.ParseConfig([]byte(text), got[0])
	if len(cfg.Hooks) != 1 {
		t.Errorf("%v", cfg.Hooks)
	}
}

// TestPluginRoot checks that both variables of a plugin's root are replaced in the command as text.
func TestPluginRoot(t *testing.T) {
	const command = `"${CLAUDE_PLUGIN_ROOT}/a" $CLAUDE_PLUGIN_ROOT ` +
		`${DROID_PLUGIN_ROOT} $DROID_PLUGIN_ROOT ${CLAUDE_PLUGIN_ROOT:-x}`
	h := schema.Hook{Command: command, Source: schema.Source{Plugin: "/p"}}
	spec, err := New().Spec(&h, &schema.Call{Project: "/project"}, schema.Places{})
	if want := `"/p/a" /p /p /p ${CLAUDE_PLUGIN_ROOT:-x}`; err != nil || spec.Argv[len(spec.Argv)-1] != want {
		t.Errorf("%q, %v", spec.Argv, err)
	}
}

// TestPluginFile checks how the file of a plugin is read: a mistake drops only the part that contains it, and lists may
// be flat (each row observed 0.225.2).
func TestPluginFile(t *testing.T) {
	const post = `"PostToolUse":[{"hooks":[{"type":"command","command":"p"}]}]`
	const g, prompt = `{"type":"command","command":"g"}`, `{"type":"prompt","prompt":"x"}`
	const group = `{"hooks":[` + g + `]}`
	with := func(list string) string { return `{"hooks":{"PreToolUse":` + list + `,` + post + `}}` }
	for text, want := range map[string]string{
		with(`[` + g + `,{"matcher":"Create","command":"m"},` + group + `]`): "g m p",
		with(`[` + group + `,{"type":"command","command":"f"}]`):             "g p",
		with(`[` + prompt + `,` + g + `]`):                                   "p",
		with(`[` + g + `,` + prompt + `,7]`):                                 "g p",
		with(`[{"hooks":[` + prompt + `,{"type":"command"},` + g + `]}]`):    "g p",
		with(`[{"hooks":[{"command":"n"},{"command":"t","timeout":"5"}]}]`):  "n t p",
		with(`[{"matcher":5,"hooks":[` + g + `]},{"hooks":7},{},"x"]`):       "p",
		with(group + `,"Bogus":3`):                                           "p",
		with(`[]`) + "//":                                                    "",
		`{"PreToolUse":[` + group + `],"description":"x"}`:                   "g",
		`{"PreToolUse":[` + g + `]}`:                                         "g",
		`{"PreToolUse":[` + group + `],"hooks":{` + post + `}}`:              "p",
		`{"PreToolUse":[` + group + `],"hooks":[]}`:                          "",
		`{"hooks":{"hooksDisabled":true,` + post + `}}`:                      "",
		`{"hooksDisabled":true,"hooks":{` + post + `}}`:                      "p",
	} {
		cfg, _ := New().ParseConfig([]byte(text), schema.Source{File: "/p/hooks/hooks.json", Scope: schema.ScopePlugin,
			Plugin: "/p"})
		var got []string
		if cfg != nil {
			for _, h := range cfg.Hooks {
				got = append(got, h.Command)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
}

package claude

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

func TestLocate(t *testing.T) {
	src := func(file string, s schema.Scope) schema.Source { return schema.Source{File: file, Scope: s} }
	same(t, "order", []schema.Source{
		src(filepath.FromSlash("/h/.claude/settings.json"), schema.ScopeUser),
		src(filepath.FromSlash("/p/.claude/settings.json"), schema.ScopeProject),
		src(filepath.FromSlash("/p/.claude/settings.local.json"), schema.ScopeLocal),
		src("/etc/claude-code/managed-settings.json", schema.ScopeManaged),
	}, Dialect{}.Locate(schema.Places{OS: "linux", Home: "/h", Project: "/p"}))
	same(t, "configuration folder", []schema.Source{src(filepath.FromSlash("/c/settings.json"), schema.ScopeUser)},
		Dialect{}.Locate(schema.Places{OS: "plan9", Home: "/h", Env: schema.Environ{"CLAUDE_CONFIG_DIR=/c"}}))
	if got := (Dialect{}).Locate(schema.Places{}); got != nil {
		t.Errorf("nothing known: %v", got)
	}
}

func TestGiven(t *testing.T) {
	same(t, "plugin", schema.Source{File: "/x/hooks/hooks.json", Scope: schema.ScopePlugin, Plugin: filepath.FromSlash("/x")}, Dialect{}.Given("/x/hooks/hooks.json"))
	same(t, "settings", schema.Source{File: "/x/hooks.json"}, Dialect{}.Given("/x/hooks.json"))
}

func config(t *testing.T, scope schema.Scope, text string) *schema.Config {
	t.Helper()
	cfg, ds := Dialect{}.ParseConfig([]byte(text), schema.Source{File: scope.String(), Scope: scope})
	if ds != nil {
		t.Fatal(findings(ds))
	}
	return cfg
}

func TestPlugins(t *testing.T) {
	root, other := filepath.FromSlash("/pl/a"), filepath.FromSlash("/pl/b")
	const v1 = `{"version":1,"plugins":{"a@m":{"installPath":"/pl/a/"},"b@m":{"installPath":"/pl/b"},"r@m":{"installPath":"rel"},"z@m":{}}}`
	const v2 = `{"version":2,"plugins":{"a@m":[{"scope":"user","installPath":"/pl/a"}],"b@m":[{"installPath":"/pl/b"}],"e@m":[]}}`
	user := config(t, schema.ScopeUser, `{"enabledPlugins":{"a@m":true,"b@m":true,"e@m":true,"r@m":true,"z@m":true}}`)
	project := config(t, schema.ScopeProject, `{"enabledPlugins":{"b@m":false}}`)
	places := schema.Places{Home: "/h"}
	hooks := func(dir string) schema.Source {
		return schema.Source{File: filepath.Join(dir, "hooks", "hooks.json"), Scope: schema.ScopePlugin, Plugin: dir}
	}
	for _, register := range []string{v1, v2} {
		read := func(file string) ([]byte, error) {
			if file != filepath.FromSlash("/h/.claude/plugins/installed_plugins.json") {
				return nil, errors.New(file)
			}
			return []byte(register), nil
		}
		same(t, "one", []schema.Source{hooks(root)}, Dialect{}.Plugins(places, []*schema.Config{user, project}, read))
		same(t, "both", []schema.Source{hooks(root), hooks(other)}, Dialect{}.Plugins(places, []*schema.Config{user}, read))
		if got := (Dialect{}).Plugins(places, nil, read); got != nil {
			t.Errorf("none is switched on: %v", got)
		}
	}
	for _, text := range []string{"", "[]", `{"plugins":[]}`} {
		if got := (Dialect{}).Plugins(places, []*schema.Config{user}, func(string) ([]byte, error) { return []byte(text), nil }); got != nil {
			t.Errorf("register %q: %v", text, got)
		}
	}
}

// What a manifest names or holds is read beside hooks/hooks.json.
func TestPluginManifest(t *testing.T) {
	user := config(t, schema.ScopeUser, `{"enabledPlugins":{"a@m":true}}`)
	for _, tt := range []struct {
		manifest string
		want     []string
	}{
		{`{"name":"a"}`, nil},
		{`{"hooks":"./more.json"}`, []string{"more.json"}},
		{`{"hooks":["./more.json","./hooks/hooks.json"]}`, []string{"more.json"}},
		{`{"hooks":"../out.json"}`, nil},
		{`{"hooks":{"Stop":[{"hooks":[` + soundHook + `]}]}}`, []string{".claude-plugin/plugin.json"}},
	} {
		read := func(file string) ([]byte, error) {
			if filepath.Base(file) == "plugin.json" {
				return []byte(tt.manifest), nil
			}
			return []byte(`{"plugins":{"a@m":{"installPath":"/pl/a"}}}`), nil
		}
		var want []schema.Source
		for _, f := range append([]string{"hooks/hooks.json"}, tt.want...) {
			root := filepath.FromSlash("/pl/a")
			want = append(want, schema.Source{File: filepath.Join(root, filepath.FromSlash(f)), Scope: schema.ScopePlugin, Plugin: root})
		}
		same(t, tt.manifest, want, Dialect{}.Plugins(schema.Places{Home: "/h"}, []*schema.Config{user}, read))
	}
}

func TestResolve(t *testing.T) {
	const stop = `"hooks":{"Stop":[{"hooks":[` + soundHook + `]}]}`
	on, off, none := `{"disableAllHooks":false,`+stop+`}`, `{"disableAllHooks":true,`+stop+`}`, `{`+stop+`}`
	for _, tt := range []struct {
		name                          string
		user, project, local, managed string
		hooks                         int
	}{
		{"all count", none, none, none, none, 4},
		{"user off", off, none, none, "{}", 0},
		{"project on beats user off", off, on, none, "{}", 3},
		{"local off beats project on", none, on, off, "{}", 0},
		{"managed hooks stay", off, none, none, none, 1},
		{"managed off", none, none, none, off, 0},
		{"managed on beats the rest", off, off, off, on, 4},
		{"managed only", none, none, none, `{"allowManagedHooksOnly":true,` + stop + `}`, 1},
		{"managed only in a project", none, `{"allowManagedHooksOnly":true,` + stop + `}`, none, none, 4},
	} {
		cfgs := []*schema.Config{config(t, schema.ScopeUser, tt.user), config(t, schema.ScopeProject, tt.project),
			config(t, schema.ScopeLocal, tt.local), config(t, schema.ScopeManaged, tt.managed)}
		hooks, ds := Dialect{}.Resolve(cfgs)
		total := 0
		for _, c := range cfgs {
			total += len(c.Hooks)
		}
		if len(hooks) != tt.hooks {
			t.Errorf("%s: %d hooks, want %d", tt.name, len(hooks), tt.hooks)
		}
		if len(ds) != total-len(hooks) { // one hook a file
			t.Errorf("%s: %d files are switched off, findings %v", tt.name, total-len(hooks), findings(ds))
		}
	}
}

package claude

import (
	"errors"
	"path/filepath"
	"strings"
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
		{File: "/etc/claude-code/managed-settings.d", Scope: schema.ScopeManaged, Folder: true},
	}, New().Locate(schema.Places{OS: "linux", Home: "/h", Project: "/p"}))
	same(t, "configuration folder", []schema.Source{src(filepath.FromSlash("/c/settings.json"), schema.ScopeUser)},
		New().Locate(schema.Places{OS: "plan9", Home: "/h", Env: schema.Environ{"CLAUDE_CONFIG_DIR=/c"}}))
	if got := New().Locate(schema.Places{}); got != nil {
		t.Errorf("nothing known: %v", got)
	}
}

func TestGiven(t *testing.T) {
	same(t, "plugin", schema.Source{File: "/x/hooks/hooks.json", Scope: schema.ScopePlugin,
		Plugin: filepath.FromSlash("/x")}, New().Given("/x/hooks/hooks.json"))
	same(t, "settings", schema.Source{File: "/x/hooks.json"}, New().Given("/x/hooks.json"))
}

func config(t *testing.T, scope schema.Scope, text string) *schema.Config {
	t.Helper()
	cfg, ds := New().ParseConfig([]byte(text), schema.Source{File: scope.String(), Scope: scope})
	if ds != nil {
		t.Fatal(findings(ds))
	}
	return cfg
}

func TestPlugins(t *testing.T) {
	root, other := filepath.FromSlash("/pl/a"), filepath.FromSlash("/pl/b")
	const v1 = `{"version":1,"plugins":{"a@m":{"installPath":"/pl/a/"},"b@m":{"installPath":"/pl/b"},` +
		`"r@m":{"installPath":"rel"},"z@m":{}}}`
	const v2 = `{"version":2,"plugins":{"a@m":[{"scope":"user","installPath":"/pl/a"}],` +
		`"b@m":[{"installPath":"/pl/b"}],"e@m":[]}}`
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
		same(t, "one", []schema.Source{hooks(root)}, New().Plugins(places, []*schema.Config{user, project}, read))
		same(t, "both", []schema.Source{hooks(root), hooks(other)}, New().Plugins(places, []*schema.Config{user}, read))
		if got := New().Plugins(places, nil, read); got != nil {
			t.Errorf("none is switched on: %v", got)
		}
	}
	for _, text := range []string{"", "[]", `{"plugins":[]}`} {
		if got := New().Plugins(places, []*schema.Config{user}, func(string) ([]byte, error) {
			return []byte(text), nil
		}); got != nil {
			t.Errorf("register %q: %v", text, got)
		}
	}
}

// TestPluginManifest checks that files and hooks of a manifest are read in addition to hooks/hooks.json.
func TestPluginManifest(t *testing.T) {
	user := config(t, schema.ScopeUser, `{"enabledPlugins":{"a@m":true}}`)
	for _, tt := range []struct {
		manifest string
		want     []string
	}{
		{`{"name":"a"}`, nil},
		{`{"name":"a","hooks":"./more.json"}`, []string{"more.json"}},
		{`{"name":"a","hooks":["./more.json","./hooks/hooks.json"]}`, []string{"more.json"}},
		{`{"name":"a","hooks":{"Stop":[{"hooks":[` + soundHook + `]}]}}`, []string{".claude-plugin/plugin.json"}},
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
			want = append(want, schema.Source{File: filepath.Join(root, filepath.FromSlash(f)),
				Scope: schema.ScopePlugin, Plugin: root})
		}
		same(t, tt.manifest, want, New().Plugins(schema.Places{Home: "/h"}, []*schema.Config{user}, read))
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
		hooks, ds := New().Resolve(cfgs)
		total := 0
		for _, c := range cfgs {
			total += len(c.Hooks)
		}
		if len(hooks) != tt.hooks {
			t.Errorf("%s: %d hooks, want %d", tt.name, len(hooks), tt.hooks)
		}
		if len(ds) != total-len(hooks) { // one hook per file
			t.Errorf("%s: %d files are switched off, findings %v", tt.name, total-len(hooks), findings(ds))
		}
	}
}

// TestInstallPath checks which of several installations of a plugin counts, as observed with 2.1.328.
func TestInstallPath(t *testing.T) {
	entry := func(scope, project, path string) string {
		if project != "" {
			project = `,"projectPath":"` + project + `"`
		}
		return `{"scope":"` + scope + `","installPath":"/c/` + path + `"` + project + `}`
	}
	for _, tt := range []struct {
		name, want string
		list       []string
	}{
		{"another project's is not ours", "/c/mine", []string{entry("project", "/other", "other"),
			entry("project", "/p", "mine"), entry("user", "", "user")}},
		{"the first that counts", "/c/user", []string{entry("user", "", "user"), entry("project", "/p", "mine")}},
		{"local", "/c/local", []string{entry("local", "/p", "local"), entry("user", "", "user")}},
		{"another project's alone", "", []string{entry("project", "/other", "other")}},
		{"of no project", "/c/user", []string{entry("project", "", "none"), entry("user", "", "user")}},
		{"of a folder around, if there is no other", "/c/around", []string{entry("project", "/", "around")}},
	} {
		raw := "[" + strings.Join(tt.list, ",") + "]"
		if got := installPath([]byte(raw), "/p"); got != filepath.FromSlash(tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := installPath([]byte(entry("user", "", "one")), "/p"); got != filepath.FromSlash("/c/one") {
		t.Errorf("version 1: %q", got)
	}
}

// TestManagedFolder checks how an administrator's files are merged, as observed with 2.1.328: the last file with a
// switch counts, and a hook that voids a user's file voids only the hooks of an administrator's.
func TestManagedFolder(t *testing.T) {
	d := New()
	parse := func(scope schema.Scope, text string) *schema.Config {
		cfg, _ := d.ParseConfig([]byte(text), schema.Source{File: text, Scope: scope})
		return cfg
	}
	hook := `"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x"}]}]}`
	user := parse(schema.ScopeUser, "{"+hook+"}")
	count := func(cfgs ...*schema.Config) int { hooks, _ := d.Resolve(cfgs); return len(hooks) }
	on, off := parse(schema.ScopeManaged, `{"allowManagedHooksOnly":true}`),
		parse(schema.ScopeManaged, `{"allowManagedHooksOnly":false}`)
	if n := count(user, on, off); n != 1 {
		t.Errorf("only, then not: %d hooks", n)
	}
	if n := count(user, off, on); n != 0 {
		t.Errorf("not, then only: %d hooks", n)
	}
	void := parse(schema.ScopeManaged,
		`{"disableAllHooks":true,"hooks":{"PreToolUse":[{"hooks":[{"type":"nosuch"}]}]}}`)
	if n := count(user, void); n != 0 {
		t.Errorf("switched off beside a void hook: %d hooks", n)
	}
	env := parse(schema.ScopeUser, `{"env":{"A":"x","B":7,"C":["no"],"":"no","D=E":"no"}}`).Env
	if len(env) != 2 || env[0] != (schema.EnvVar{Name: "A", Value: "x"}) ||
		env[1] != (schema.EnvVar{Name: "B", Value: "7"}) {
		t.Errorf("env: %v", env)
	}
}

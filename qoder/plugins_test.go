package qoder

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/schema"
)

// files is a file system by path.
type files map[string]string

func (f files) read(name string) ([]byte, error) {
	text, ok := f[filepath.ToSlash(name)]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

// TestPlugins has installations that were run in the client (1.1.52).
func TestPlugins(t *testing.T) {
	entry := func(scope, project, root string) string {
		return `{"scope":"` + scope + `","projectPath":"` + project + `","installPath":"` + root + `"}`
	}
	f := files{
		"/h/.qoder/plugins/installed_plugins_v2.json": `{"version":2,"plugins":{
			"conv@m":[` + entry("user", "", "/x/conv") + `],"off@m":[` + entry("user", "", "/x/off") +
			`],"unlisted@m":[` + entry("user", "", "/x/unlisted") + `],
			"here@m":[` + entry("project", "/p", "/x/here") + `],"above@m":[` + entry("local", "/", "/x/above") +
			`],"other@m":[` + entry("project", "/pq", "/x/other") + `],
			"two@m":[` + entry("user", "", "/x/two-user") + `,` + entry("local", "/p", "/x/two-local") + `],"org@m":[` +
			entry("managed", "", "/x/org") + `],
			"list@m":[` + entry("user", "", "/x/list") + `],"path@m":[` + entry("user", "", "/x/path") +
			`],"inline@m":[` + entry("user", "", "/x/inline") + `],
			"outside@m":[` + entry("user", "", "/x/outside") + `],"claude@m":[` + entry("user", "", "/x/claude") +
			`],"broken@m":[` + entry("user", "", "/x/broken") + `],
			"relative@m":[` + entry("user", "", "rel") + `],"turned@m":[` + entry("user", "", "/x/turned") + `]}}`,
		"/h/.qoder/plugins/installed_plugins.json": `{"version":2,"plugins":{"old@m":[` + entry("user", "", "/x/old") +
			`]}}`, "/x/conv/.qoder-plugin/plugin.json": `{"name":"conv"}`,
		"/x/list/.qoder-plugin/plugin.json":    `{"name":"list","hooks":["./a.json",{"Stop":[]}]}`,
		"/x/path/.qoder-plugin/plugin.json":    `{"name":"path","hooks":"./h/b.json"}`,
		"/x/inline/.qoder-plugin/plugin.json":  `{"name":"inline","hooks":{"Stop":[]}}`,
		"/x/inline/.claude-plugin/plugin.json": `{"name":"inline"}`,
		"/x/outside/.qoder-plugin/plugin.json": `{"name":"outside","hooks":"../conv/hooks/hooks.json"}`,
		"/x/claude/.claude-plugin/plugin.json": `{"name":"claude","hooks":"./c.json"}`,
		"/x/broken/.qoder-plugin/plugin.json":  `{`,
	}
	settings := func(scope schema.Scope, text string) *schema.Config {
		c, _ := New().ParseConfig([]byte(`{"enabledPlugins":{`+text+`}}`), schema.Source{Scope: scope})
		return c
	}
	project := settings(schema.ScopeProject, `"off@m":false,"turned@m":true`)
	user := settings(schema.ScopeUser,
		`"conv@m":true,"off@m":true,"turned@m":false,"here@m":true,"above@m":true,"other@m":true,"two@m":true,"org@m":true,"list@m":true,
		"path@m":true,"inline@m":true,"outside@m":true,"claude@m":true,"broken@m":true,"relative@m":true,"old@m":true,"none@m":true,"unlisted@m":1`)
	places := schema.Places{Home: "/h", Project: "/p"}
	list := func(p schema.Places, f files) (out []string) {
		for _, s := range New().Plugins(p, []*schema.Config{project, user}, f.read) {
			if s.Scope != schema.ScopePlugin || s.Plugin == "" {
				t.Errorf("%+v", s)
			}
			out = append(out, filepath.ToSlash(s.File))
		}
		return out
	}
	want := []string{"/x/conv/hooks/hooks.json", "/x/here/hooks/hooks.json", "/x/above/hooks/hooks.json",
		"/x/two-local/hooks/hooks.json", "/x/list/a.json",
		"/x/list/.qoder-plugin/plugin.json", "/x/path/h/b.json", "/x/inline/.qoder-plugin/plugin.json",
		"/x/claude/c.json", "/x/turned/hooks/hooks.json"}
	if diff := cmp.Diff(want, list(places, f)); diff != "" {
		t.Error(diff)
	}
	delete(f, "/h/.qoder/plugins/installed_plugins_v2.json")
	if diff := cmp.Diff([]string{"/x/old/hooks/hooks.json"}, list(places, f)); diff != "" {
		t.Error(diff)
	}
	f = files{"/h/shelf/installed_plugins_v2.json": f["/h/.qoder/plugins/installed_plugins.json"]}
	places.Env = schema.Environ{"QODER_PLUGIN_CACHE_DIR=~/shelf"}
	if diff := cmp.Diff([]string{"/x/old/hooks/hooks.json"}, list(places, f)); diff != "" {
		t.Error(diff)
	}
	for root, want := range map[string]string{"/h/shelf/cache/the.m/p q/1.0": "/h/shelf/data/p-q-the-m",
		"/x/conv": "/h/shelf/data/conv"} {
		if got := filepath.ToSlash(New().dataFolder(root, places)); got != want {
			t.Errorf("%s: %s", root, got)
		}
	}
}

// TestPluginConfig has the shapes of a plugin's hooks.
func TestPluginConfig(t *testing.T) {
	const group = `[{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}]`
	at := func(file string) schema.Source {
		return schema.Source{File: filepath.FromSlash("/x/" + file), Scope: schema.ScopePlugin,
			Plugin: filepath.FromSlash("/x")}
	}
	for _, tt := range []struct {
		file, text, path string // the place of the hook; "": there is none
	}{
		{"hooks/hooks.json", `{"hooks":{"PreToolUse":` + group + `}}`, "/hooks/PreToolUse/0/hooks/0"},
		{"hooks/hooks.json", `{"PreToolUse":` + group + `}`, ""},
		{"a.json", `{"PreToolUse":` + group + `}`, "/PreToolUse/0/hooks/0"},
		{".qoder-plugin/plugin.json", `{"name":"x","hooks":["./a.json",{"PreToolUse":` + group + `}]}`,
			"/hooks/1/PreToolUse/0/hooks/0"},
		{".qoder-plugin/plugin.json", `{"name":"x","hooks":{"PreToolUse":` + group + `}}`,
			"/hooks/PreToolUse/0/hooks/0"},
		{"hooks/hooks.json", `{"hooks":{"PreToolUse":` + group + `,"Stop":["x"]}}`, ""},
		{"hooks/hooks.json", `{"hooks":{"PreToolUse":` + group + `,"Other":{}}}`, ""},
	} {
		cfg, _ := New().ParseConfig([]byte(tt.text), at(tt.file))
		cfg = cfg.AsKnown()
		switch {
		case tt.path == "" && len(cfg.Hooks) > 0, tt.path != "" &&
			(len(cfg.Hooks) != 1 || cfg.Hooks[0].Path != tt.path):
			t.Errorf("%s: %+v", tt.text, cfg.Hooks)
		}
	}
}

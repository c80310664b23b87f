package kimi

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestPlugins checks that the manifests of plugins that are turned on in the registry count as files of hooks.
func TestPlugins(t *testing.T) {
	files := map[string]string{
		"/h/.kimi-code/plugins/installed.json": `{"version":1,"plugins":[{"id":"a","root":"/p/a","enabled":true},
			{"id":"b","root":"/p/b","enabled":false},
			{"id":"c","root":"c","enabled":true}]}`,
		"/p/a/.kimi-plugin/plugin.json": `{"name":"a","hooks":[{"event":"PreToolUse","matcher":"Bash","command":"x"}]}`,
	}
	read := func(file string) ([]byte, error) {
		if text, ok := files[filepath.ToSlash(file)]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	d := New()
	got := d.Plugins(schema.Places{Home: filepath.FromSlash("/h")}, nil, read)
	if len(got) != 1 || filepath.ToSlash(got[0].File) != "/p/a/.kimi-plugin/plugin.json" ||
		filepath.ToSlash(got[0].Plugin) != "/p/a" {
		t.Fatalf("%v", got)
	}
	cfg, ds := d.ParseConfig([]byte(files["/p/a/.kimi-plugin/plugin.json"]), got[0])
	if len(cfg.Hooks) != 1 || cfg.Hooks[0].Command != "x" || ds.Max() >= schema.Loss {
		t.Errorf("%v, %v", cfg.Hooks, ds)
	}
}

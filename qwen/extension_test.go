package qwen

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestExtensions checks that exactly those extensions count whose hooks ran (observed 0.24.4).
func TestExtensions(t *testing.T) {
	home := t.TempDir()
	hooks := func(tag string) string {
		return `{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command",` +
			`"command":"${CLAUDE_PLUGIN_ROOT}/` + tag + `"}]}]}`
	}
	manifest := func(name, more string) string { return `{"name":"` + name + `","version":"1.0.0"` + more + `}` }
	for file, text := range map[string]string{
		"a/qwen-extension.json":        manifest("a", `,"hooks":`+hooks("inline")),
		"b/qwen-extension.json":        manifest("b", ""),
		"b/hooks/hooks.json":           `{"hooks":` + hooks("file") + `}`,
		"c/qwen-extension.json":        manifest("c", `,"hooks":`+hooks("inline")),
		"c/hooks/hooks.json":           `{"hooks":` + hooks("beside") + `}`,
		"d/gemini-extension.json":      manifest("d", ""),
		"d/hooks/hooks.json":           `{"hooks":` + hooks("gemini") + `}`,
		"e/qwen-extension.json":        manifest("e", ""),
		"e/hooks/hooks.json":           `{"hooks":` + hooks("off") + `}`,
		"extension-enablement.json":    `{"e":{"overrides":["!/*"]}}`,
		"f/qwen-extension.json":        manifest("f", ""),
		"f/hooks/hooks.json":           hooks("bare"),
		"g/.claude-plugin/plugin.json": manifest("g", ""),
		"g/hooks/hooks.json":           `{"hooks":` + hooks("claude") + `}`,
		"i/qwen-extension.json":        manifest("i", `,"hooks":"hooks/other.json"`),
		"i/hooks/other.json":           `{"hooks":` + hooks("path") + `}`,
		"j/qwen-extension.json":        manifest("j", `,"hooks":{"hooks":`+hooks("wrapped")+`}`),
	} {
		path := filepath.Join(home, ".qwen", "extensions", filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d, p := New(), schema.Places{Home: home, Project: "/p"}
	var ran []string
	for _, source := range d.Plugins(p, nil, os.ReadFile) {
		text, _ := os.ReadFile(source.File)
		cfg, _ := d.ParseConfig(text, source)
		for _, h := range cfg.Hooks {
			var spec process.Spec
			spec, _ = d.Spec(&h, &schema.Call{Project: "/p"}, p)
			root, _ := filepath.Rel(filepath.Join(home, ".qwen", "extensions"), spec.Argv[len(spec.Argv)-1])
			ran = append(ran, filepath.ToSlash(root))
		}
	}
	if want := []string{"a/inline", "b/file", "c/inline", "f/bare", "i/path"}; !slices.Equal(ran, want) {
		t.Errorf("ran %s", strings.Join(ran, " "))
	}
}

package dialect

import (
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
)

// TestPluginFiles checks that each file is listed once, and nothing outside the plugin.
func TestPluginFiles(t *testing.T) {
	beside := Plugins{Manifests: []string{".a-plugin/plugin.json", ".b-plugin/plugin.json"},
		Hooks: []string{"hooks/hooks.json"}, Beside: true, Forms: PathForm | ListForm | BareForm | FileForm,
		Absent: OtherType}
	alone := beside
	alone.Beside, alone.Absent, alone.Forms = false, 0, DottedForm|ListForm|BareForm|FileForm
	const usual, manifest = "hooks/hooks.json", ".a-plugin/plugin.json"
	for _, tt := range []struct {
		manifest      string
		beside, alone []string
		findings      int // where the files are next to each other
	}{
		{"", []string{usual}, []string{usual}, 0},
		{`{"name":"x"}`, []string{usual}, []string{usual}, 0},
		{`{"hooks":[]}`, []string{usual}, []string{usual}, 0},
		{`{"hooks":null}`, []string{usual}, nil, 0},
		{`{"hooks":"./a.json"}`, []string{usual, "a.json"}, []string{"a.json"}, 0},
		{`{"hooks":["./a.json","./hooks/hooks.json","./a.json"]}`, []string{usual, "a.json"}, []string{"a.json", usual},
			0},
		{`{"hooks":["./a.json",{"Stop":[]}]}`, []string{usual, "a.json", manifest}, []string{"a.json", manifest}, 0},
		{`{"hooks":{"Stop":[]}}`, []string{usual, manifest}, []string{manifest}, 0},
		{`{"hooks":"./"}`, []string{usual}, nil, 1},
		{`{"hooks":[""]}`, []string{usual}, nil, 0},
		{`{"hooks":"./.a-plugin/plugin.json"}`, []string{usual}, nil, 1},
		{`{"hooks":["../x.json","./a.json"]}`, []string{usual, "a.json"}, nil, 1},
		{`{"hooks":"./a.json","hooks":"./b.json"}`, []string{usual, "b.json"}, []string{"b.json"}, 0},
		{`{`, nil, nil, 1},
	} {
		read := func(file string) ([]byte, error) {
			if tt.manifest == "" || file != filepath.FromSlash("/p/"+manifest) {
				return nil, fs.ErrNotExist
			}
			return []byte(tt.manifest), nil
		}
		list := func(p *Plugins) (out []string, n int) {
			files, ds := p.Files(filepath.FromSlash("/p"), read)
			for _, f := range files {
				rel, _ := filepath.Rel(filepath.FromSlash("/p"), f.File)
				out = append(out, filepath.ToSlash(rel))
			}
			return out, len(ds)
		}
		if got, n := list(&beside); !slices.Equal(got, tt.beside) || n != tt.findings {
			t.Errorf("%s: %q, %d findings", tt.manifest, got, n)
		}
		if got, _ := list(&alone); !slices.Equal(got, tt.alone) {
			t.Errorf("%s: alone %q", tt.manifest, got)
		}
	}
}

func TestRootOf(t *testing.T) {
	p := Plugins{Manifests: []string{".a-plugin/plugin.json"}}
	for file, want := range map[string]string{"/x/.a-plugin/plugin.json": "/x", ".a-plugin/plugin.json": ".",
		"x/.a-plugin/plugin.json": "x", "/x/b.a-plugin/plugin.json": "", "/x/plugin.json": "", "": ""} {
		if got := filepath.ToSlash(p.RootOf(filepath.FromSlash(file))); got != want {
			t.Errorf("%s: %q", file, got)
		}
	}
}

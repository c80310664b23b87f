package plugin

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
)

// TestManifestForms checks which files of a plugin each agent reads for hooks, depending on the manifest. "-": the
// agent rejects the plugin because of the manifest; "none": it has no hooks.
func TestManifestForms(t *testing.T) {
	values := []string{`(none)`, `(broken)`, `null`, `""`, `5`, `[]`, `{}`, `"./a.json"`, `"a.json"`, `"./absent.json"`,
		`"../out.json"`, `["./a.json","./b.json"]`, `["./a.json",{"Stop":[]}]`, `["./a.json",5]`, `{"Stop":[]}`,
		`{"hooks":{"Stop":[]}}`, `[{"event":"Stop","command":"x"}]`}
	var out strings.Builder
	for _, d := range adapter.Dialects() {
		rules := &d.Profile().Plugins
		if rules.Own == "" {
			continue
		}

		fmt.Fprintf(&out, "%s\n", d.Profile().Name)
		for _, value := range values {
			text := `{"name":"p","version":"1","hooks":` + value + `}`
			if value == "(broken)" {
				text = "{"
			}
			read := func(file string) ([]byte, error) {
				rel, _ := filepath.Rel(filepath.FromSlash("/p"), file)
				switch rel := filepath.ToSlash(rel); {
				case rel == rules.Own && value != "(none)":
					return []byte(text), nil
				case rel == "a.json", rel == "b.json", rel == "hooks/hooks.json":
					return []byte(`{}`), nil
				}
				return nil, fs.ErrNotExist
			}

			files, ds := rules.Files(filepath.FromSlash("/p"), read)
			var names []string
			for _, f := range files {
				rel, _ := filepath.Rel(filepath.FromSlash("/p"), f.File)
				names = append(names, filepath.ToSlash(rel))
			}
			found := cmp.Or(strings.Join(names, " "), "none")
			if files == nil && len(ds) > 0 {
				found = "-"
			}
			fmt.Fprintf(&out, "\t%-34s%s\n", value, found)
		}
	}

	want, err := os.ReadFile("testdata/manifests.txt")
	if err != nil || out.String() != string(want) {
		t.Errorf("not as in testdata/manifests.txt: %v\n%s", err, out.String())
	}
}

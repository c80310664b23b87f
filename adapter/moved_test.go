package adapter_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// TestUsual: no agent's variable hides a hook file of the usual place, and none of those is marked as moved.
func TestUsual(t *testing.T) {
	for _, d := range adapter.Dialects() {
		for _, r := range d.Profile().Reads {
			if r.Moves != dialect.MovesHooks {
				continue
			}
			home := t.TempDir()
			at := schema.Places{OS: "linux", Home: home, Project: filepath.Join(home, "p"),
				System: filepath.Join(home, "sys")}
			files := map[string]bool{}
			for _, s := range d.Locate(at) {
				file := s.File
				if s.Folder {
					file = filepath.Join(file, "x.json")
				}
				if filepath.Ext(file) != ".json" {
					continue
				}
				files[file] = true
				if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte("{}"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, value := range []string{"/nonexistent", filepath.Join(home, "away")} {
				at.Env = schema.Environ{r.Name + "=" + value}
				res, _ := discover.Load(d, at, nil)
				found := map[string]bool{}
				for _, c := range res.Configs {
					found[c.Source.File] = true
					if c.Source.Moved {
						t.Errorf("%s: %s=%s: %s is marked", d.Profile().Name, r.Name, value, c.Source.File)
					}
				}
				for file := range files {
					if !found[file] {
						t.Errorf("%s: %s=%s hides %s", d.Profile().Name, r.Name, value, file)
					}
				}
			}
		}
	}
}

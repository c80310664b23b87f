package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestCompanions installs for each agent that needs a companion file, changes that file, and uninstalls.
func TestCompanions(t *testing.T) {
	for _, host := range adapter.Where(func(d adapter.Dialect) bool { return d.Abilities().Companion != nil }) {
		name, text := host.Abilities().Companion.Companion()
		for _, scope := range []schema.Scope{schema.ScopeProject, schema.ScopeUser} {
			x := project(t, map[string]string{".cursor/hooks.json": cursorHooks})
			x.Scope, x.Hosts, x.Owners = scope, []adapter.Dialect{host}, []adapter.Dialect{find(t, "cursor")}
			file := filepath.Join(filepath.Dir(FileOf(host, x.Places, scope)), filepath.FromSlash(name))
			state := func(action Action) string {
				results := x.do(t, action, -1)
				if i := slices.IndexFunc(results, func(r Result) bool { return r.File == file }); i >= 0 {
					return results[i].State
				}
				return "unmentioned"
			}
			check := func(what, got, want string) {
				t.Helper()
				if got != want {
					t.Errorf("%s, %s: %s is %s, want %s", host.Profile().Name, scope, what, got, want)
				}
			}

			check("a new file", state(Install), "written")
			if got, _ := os.ReadFile(file); string(got) != string(text) {
				t.Errorf("%s has %q", file, got)
			}
			check("a second install", state(Install), "unmentioned")
			check("the status", state(Status), "current")
			os.Remove(file)
			check("the status without it", state(Status), "absent")
			check("an install without it", state(Install), "written")
			os.WriteFile(file, []byte(strings.SplitAfter(string(text), "\n")[0]), 0o644)
			check("the status of an empty one", state(Status), "edited")
			check("an install over it", state(Install), "written")
			check("the file after an uninstall", state(Uninstall), "removed")
			if _, err := os.Stat(filepath.Dir(file)); err == nil {
				t.Errorf("%s: its folder is left", file)
			}
		}
	}
}

// TestForeignCompanion checks that a file of that name stays if hookbridge didn't write it.
func TestForeignCompanion(t *testing.T) {
	for _, host := range adapter.Where(func(d adapter.Dialect) bool { return d.Abilities().Companion != nil }) {
		name, _ := host.Abilities().Companion.Companion()
		x := project(t, map[string]string{".cursor/hooks.json": cursorHooks})
		x.Hosts, x.Owners = []adapter.Dialect{host}, []adapter.Dialect{find(t, "cursor")}
		main := FileOf(host, x.Places, x.Scope)
		file := filepath.Join(filepath.Dir(main), filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(file), 0o755)
		os.WriteFile(file, []byte("mine\n"), 0o644)
		targets, err := x.Targets()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := x.Change(targets); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", host.Profile().Name, err)
		}
		if _, err := os.Stat(main); err == nil {
			t.Errorf("%s was written", main)
		}
	}
}

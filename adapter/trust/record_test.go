package trust

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestRecords: a record that may have come with a repository records nothing, by whatever name it is reached.
func TestRecords(t *testing.T) {
	top := realPath(t.TempDir())
	home, project := filepath.Join(top, "home"), filepath.Join(top, "home", "src", "project")
	sub := filepath.Join(project, "sub")
	for _, dir := range []string{home, sub, filepath.Join(top, "elsewhere")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(project, filepath.Join(top, "elsewhere", "link")); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		moved, project string // the folder that XDG_CONFIG_HOME names, and that of the session
		counts         bool
	}{
		{filepath.Join(home, "settings"), project, true},
		{filepath.Join(top, "elsewhere", "settings"), project, true},
		{filepath.Join(project, ".cfg"), project, false},
		{filepath.Join(project, "..", "project", ".cfg"), project, false},
		{filepath.Join(top, "elsewhere", "link", ".cfg"), project, false},
		{filepath.Join(project, ".cfg"), sub, false},
		{filepath.Join(home, "src", "other", ".cfg"), project, false},
		{filepath.Join(project, "sub", ".cfg"), project, false},
	} {
		os.RemoveAll(filepath.Join(home, ".config"))
		r := RecordsIn(schema.Environ{Variable + "=" + tt.moved}, home)
		g := &Ground{Places: schema.Places{Home: home, Project: tt.project}}
		file := filepath.Join(tt.moved, "hookbridge", "trusted")
		if err := write(file, tt.project, []string{"sum"}, false); err != nil {
			t.Fatal(err)
		}
		if got := len(r.Of(g)) == 1; got != tt.counts {
			t.Errorf("%s for %s: counts %v", tt.moved, tt.project, got)
		}
		if err := r.Set(g, []string{"sum"}, false); (err == nil) != tt.counts {
			t.Errorf("%s for %s: written, %v", tt.moved, tt.project, err)
		}
		os.RemoveAll(tt.moved)
	}
	// a home that the environment alone knows, in the project
	g := &Ground{Places: schema.Places{Home: sub, Project: project}}
	r := RecordsIn(nil, sub)
	if err := write(r.File, project, []string{"sum"}, false); err != nil {
		t.Fatal(err)
	}
	if len(r.Of(g)) != 0 {
		t.Error("a record of a home in the project counts")
	}
	g.Places.Account = sub
	if len(r.Of(g)) != 1 {
		t.Error("a record of the user's own home doesn't count in a project around it")
	}
}

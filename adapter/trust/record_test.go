package trust

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestRecords: a record that may have come with a repository is ignored, at any path.
func TestRecords(t *testing.T) {
	top := dialect.RealPath(t.TempDir())
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
		moved, project string // the folder in XDG_CONFIG_HOME, and that of the session
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
	// a home inside the project, set only by the environment
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

// TestFoldedNames: if the file system ignores case, a folder is the same under another spelling. No record in it
// counts, a project's trust does, and withdrawing removes it.
func TestFoldedNames(t *testing.T) {
	top := dialect.RealPath(t.TempDir())
	home, project := filepath.Join(top, "home"), filepath.Join(top, "elsewhere", "project")
	other := filepath.Join(top, "elsewhere", "PROJECT")
	for _, dir := range []string{home, filepath.Join(project, ".cfg")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(other); err != nil {
		t.Skip("the file system knows case")
	}

	moved := filepath.Join(other, ".cfg")
	g := &Ground{Places: schema.Places{Home: home, Project: project}}
	if err := write(filepath.Join(moved, "hookbridge", "trusted"), project, []string{"sum"}, false); err != nil {
		t.Fatal(err)
	}
	if len(RecordsIn(schema.Environ{Variable + "=" + moved}, home).Of(g)) != 0 {
		t.Error("a record in the project counts by another name")
	}
	if !g.near(filepath.Join(other, "new", "file")) {
		t.Error("a file that isn't there yet isn't in the project")
	}
	g = &Ground{Places: schema.Places{Home: filepath.Join(other, "home"), Project: project}}
	if r := RecordsIn(nil, g.Places.Home); r.Set(g, []string{"sum"}, false) == nil {
		t.Error("a record is written into the project")
	}

	g, r := &Ground{Places: schema.Places{Home: home, Project: project}}, RecordsIn(nil, home)
	if err := r.Set(g, []string{"sum"}, false); err != nil {
		t.Fatal(err)
	}
	if g.Places.Project = other; len(r.Of(g)) != 1 {
		t.Error("the project isn't trusted by another name")
	}
	if err := r.Set(g, nil, false); err != nil {
		t.Fatal(err)
	}
	if g.Places.Project = project; len(r.Of(g)) != 0 {
		t.Error("the trust is withdrawn and counts")
	}
}

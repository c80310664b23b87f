package discover

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestFiles checks which files of a folder count, and in which order.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"20-b.json", "10-a.json", ".hidden.json", "30.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder := schema.Source{File: dir, Scope: schema.ScopeManaged, Folder: true}
	got := Files(folder)
	if len(got) != 2 || filepath.Base(got[0].File) != "10-a.json" || filepath.Base(got[1].File) != "20-b.json" ||
		got[0].Folder {
		t.Errorf("%v", got)
	}
	folder.File = filepath.Join(dir, "absent")
	if got := Files(folder); len(got) != 0 {
		t.Errorf("absent: %v", got)
	}
	folder.File = filepath.Join(dir, "30.txt")
	if got := Files(folder); len(got) != 1 { // reading it fails, and is reported
		t.Errorf("a file: %v", got)
	}
}

// TestMuch checks how much of a repository's files is read: by bytes, and by number.
func TestMuch(t *testing.T) {
	for _, c := range []struct {
		name              string
		size, files, read int
	}{
		{"large", MaxProject / 4, 6, 4},
		{"huge", MaxFile + 1, 2, 0},
		{"many", 10, MaxProject/perFile + 10, MaxProject / perFile},
		{"usual", 60 << 10, 10, 10},
	} {
		dir := t.TempDir()
		write := func(name string) string {
			file := filepath.Join(dir, name)
			if err := os.WriteFile(file, make([]byte, c.size), 0o600); err != nil {
				t.Fatal(err)
			}
			return file
		}
		res := Result{budget: NewBudget(schema.Places{Project: dir, Home: t.TempDir()})}
		var ds schema.Diagnostics
		for i := range c.files {
			s := schema.Source{File: write(strconv.Itoa(i) + ".json"), Scope: schema.ScopeProject}
			if i%2 == 1 { // files of a plugin in the repository
				s.Scope = schema.ScopePlugin
			}
			res.add(anyText{}, s, false, &ds)
		}

		partial := c.read < c.files
		if len(res.Texts) != c.read || res.Failed != partial || res.Partial != partial {
			t.Errorf("%s: %d files, failed %v, partial %v, %v", c.name, len(res.Texts), res.Failed, res.Partial, ds)
		}
		if partial && (len(ds) != 1 || ds[0].Code != schema.CodeUnreadable) {
			t.Errorf("%s: %v", c.name, ds)
		}
		own := schema.Source{File: filepath.Join(t.TempDir(), "own.json"), Scope: schema.ScopeUser}
		if err := os.WriteFile(own.File, make([]byte, MaxProject+1), 0o600); err != nil {
			t.Fatal(err)
		}
		if res.add(anyText{}, own, false, &ds); len(res.Texts) != c.read+1 {
			t.Errorf("%s: the user's own file was not read", c.name)
		}
	}
}

// TestHomeBudget checks that an agent started in the user's own folder has no repository there.
func TestHomeBudget(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "large.json")
	if err := os.WriteFile(file, make([]byte, MaxProject+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewBudget(schema.Places{Project: home, Home: home}).Read(file); err != nil {
		t.Error(err)
	}
	below := NewBudget(schema.Places{Project: home, Home: filepath.Join(home, "user")})
	if _, err := below.Read(file); err != nil {
		t.Error(err)
	}
}

// anyText reads any text as a file without hooks.
type anyText struct{ Reader }

func (anyText) ParseConfig([]byte, schema.Source) (*schema.Config, schema.Diagnostics) {
	return &schema.Config{}, nil
}

func (anyText) Profile() *dialect.Profile { return &dialect.Profile{} }

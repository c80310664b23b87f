package discover

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestFiles holds which files of a folder count, and in which order.
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

// TestMuch holds that a folder of huge files is read in part, and that this is reported.
func TestMuch(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "0.json"), make([]byte, MaxFile), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 20 {
		if err := os.Symlink("0.json", filepath.Join(dir, string(rune('a'+i))+".json")); err != nil {
			t.Skip(err)
		}
	}
	var res Result
	var ds schema.Diagnostics
	for _, s := range Files(schema.Source{File: dir, Scope: schema.ScopeProject, Folder: true}) {
		res.add(anyText{}, s, false, &ds)
	}
	if len(res.Texts) != 5 || !res.Failed || len(ds) != 1 || ds[0].Code != schema.CodeUnreadable {
		t.Errorf("%d files, failed %v, %v", len(res.Texts), res.Failed, ds)
	}
	if res.add(anyText{}, schema.Source{File: filepath.Join(dir, "0.json"), Scope: schema.ScopeUser}, false,
		&ds); len(res.Texts) != 6 {
		t.Error("the user's own file was not read")
	}
}

// anyText reads anything as no hooks.
type anyText struct{ Reader }

func (anyText) ParseConfig([]byte, schema.Source) (*schema.Config, schema.Diagnostics) {
	return &schema.Config{}, nil
}

func (anyText) Profile() *dialect.Profile { return &dialect.Profile{} }

package discover

import (
	"os"
	"path/filepath"
	"testing"

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
	if len(got) != 2 || filepath.Base(got[0].File) != "10-a.json" || filepath.Base(got[1].File) != "20-b.json" || got[0].Folder {
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

package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
)

// TestProgramFile checks that entries name this program by a path where it is, and never another program with its name.
func TestProgramFile(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := cmdline.Program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	here, other, folder := t.TempDir(), t.TempDir(), t.TempDir()
	found := filepath.Join(here, name)
	if err := os.Symlink(self, found); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(other, name), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, cmdline.Program), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	list := string(os.PathListSeparator)
	for path, want := range map[string]string{
		here: found, folder + list + here: found, other + list + here: "", here + list + other: found, other: "",
		"": "", ".": "", folder: "",
	} {
		if got := ProgramFile(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

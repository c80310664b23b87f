package dialect

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestUserShell checks that no program can answer instead of a guard by being the user's shell.
func TestUserShell(t *testing.T) {
	top := RealPath(t.TempDir())
	project, own := filepath.Join(top, "project"), filepath.Join(top, "own")
	for _, dir := range []string{project, own} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "zsh"), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(project, "zsh"), filepath.Join(own, "bash")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(own, filepath.Join(project, "link")); err != nil {
		t.Fatal(err)
	}
	for shell, want := range map[string]string{
		filepath.Join(own, "zsh"):             filepath.Join(own, "zsh"),
		"":                                    "/bin/sh",
		"zsh":                                 "/bin/sh",
		"own/zsh":                             "/bin/sh",
		"/bin/true":                           "/bin/sh",
		filepath.Join(own, "fish"):            "/bin/sh", // doesn't exist
		filepath.Join(project, "zsh"):         "/bin/sh",
		filepath.Join(own, "bash"):            "/bin/sh", // leads into the project
		filepath.Join(project, "link", "zsh"): "/bin/sh", // the project may change where it leads
		own + "/../project/zsh":               "/bin/sh",
	} {
		p := schema.Places{Project: project, Env: schema.Environ{ShellVariable + "=" + shell}}
		if got := UserShell(p); got != want {
			t.Errorf("%s: %s, want %s", shell, got, want)
		}
	}
}

// TestInside checks that a file is found to be in a folder whatever name it has there.
func TestInside(t *testing.T) {
	top := RealPath(t.TempDir())
	dir, other := filepath.Join(top, "a"), filepath.Join(top, "ab")
	for _, d := range []string{filepath.Join(dir, "sub"), other} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(dir, filepath.Join(other, "link")); err != nil {
		t.Skip(err)
	}
	_, folded := os.Stat(filepath.Join(top, "A"))
	for file, want := range map[string]bool{
		dir: true, filepath.Join(dir, "sub"): true, filepath.Join(dir, "new", "file"): true, other: false, top: false,
		filepath.Join(other, "link", "new"): true, filepath.Join(other, "file"): false, "": false,
		filepath.Join(top, "A", "new"): folded == nil, filepath.Join(top, "A"): folded == nil,
	} {
		if got := Inside(dir, file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
	if SameFolder(dir, other) || !SameFolder(dir, dir) || SameFolder(dir, filepath.Join(top, "A")) != (folded == nil) {
		t.Error("SameFolder")
	}
}

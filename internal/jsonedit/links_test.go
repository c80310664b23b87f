package jsonedit

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestInside: the real place of the nearest existing folder counts, for existing and missing files, at every depth.
func TestInside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	top := t.TempDir()
	root := filepath.Join(top, "linked-root")
	for _, dir := range []string{"real-root/own/deep", "out/deep", "real-root/.git"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"linked-root":          "real-root",
		"real-root/.out":       "../out",
		"real-root/.abs":       filepath.Join(top, "out"),
		"real-root/own/up":     "../../out/deep",
		"real-root/.in":        "own",
		"real-root/.above":     "..",
		"real-root/.broken":    "../nowhere/x",
		"real-root/.back":      "../out/../real-root/own",
		"real-root/.self":      ".self",
		"real-root/own/parent": "../own/..",
	} {
		if err := os.Symlink(to, filepath.Join(top, link)); err != nil {
			t.Fatal(err)
		}
	}
	for file, ok := range map[string]bool{
		"x": true, "new/x": true, "own/x": true, "own/new/deep/x": true, ".in/x": true, ".in/deep/new/x": true,
		".back/x": true, "own/parent/x": true, "own/parent/new/x": true,
		".out/x": false, ".out/new/x": false, ".out/deep/x": false, ".out/new/deep/x": false, ".abs/x": false,
		".abs/new/x": false, "own/up/x": false, "own/up/new/x": false, ".above/x": false, ".above/new/x": false,
		".broken/x": false, ".broken/new/x": false, ".self/x": false, ".in/up/x": false, ".in/up/new/x": false,
		"own/parent/.out/x": false,
	} {
		if err := Inside(root, filepath.Join(root, file)); (err == nil) != ok {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, file := range []string{filepath.Join(top, "out", "x"), filepath.Join(top, "linked-root-2", "x")} {
		if err := Inside(root, file); err != nil {
			t.Errorf("%s isn't below the root: %v", file, err)
		}
	}
}

// TestRemoveFolders: empty folders are removed, up to the kept one; a link stays, and so does its target.
func TestRemoveFolders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	root := t.TempDir()
	for _, dir := range []string{"a/b/c", "k/b/c", "full/b", "real/b"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "full", "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	for file, kept := range map[string]string{"a/b/c/f": "", "k/b/c/f": "k", "full/b/f": "", "link/b/f": "", "f": ""} {
		RemoveFolders(filepath.Join(root, file), root, filepath.Join(root, kept))
	}
	for path, there := range map[string]bool{"a": false, "k": true, "k/b": false, "full": true, "full/b": false,
		"link": true, "real": true, "real/b": false, "": true} {
		if _, err := os.Lstat(filepath.Join(root, path)); (err == nil) != there {
			t.Errorf("%s: %v", path, err)
		}
	}
}

package jsonedit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// content reads a file; a missing one is "none".
func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "none"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// link makes a link, and reports whether it is one: on Windows it needs a privilege, and Wine makes something else.
func link(t *testing.T, to, path string) bool {
	t.Helper()
	err := os.Symlink(to, path)
	if err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return true
	}
	os.Remove(path)
	return false
}

// alone checks that only want files are left in dir.
func alone(t *testing.T, dir string, want int) {
	t.Helper()
	if list, err := os.ReadDir(dir); err != nil || len(list) != want {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	for _, step := range []struct {
		before []byte
		after  string
	}{{nil, "a"}, {[]byte("a"), ""}, {[]byte(""), "c"}} {
		if err := WriteFile(path, step.before, []byte(step.after)); err != nil || content(t, path) != step.after {
			t.Fatalf("%q: %v, %q", step.after, err, content(t, path))
		}
	}
	if runtime.GOOS != "windows" {
		for _, mode := range []fs.FileMode{0o644, 0o600, 0o664} {
			if mode != 0o644 {
				write(t, path, "c", mode)
			}
			if err := WriteFile(path, []byte("c"), []byte("c")); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode() != mode {
				t.Errorf("mode %v, want %v", info.Mode(), mode)
			}
		}
	}
	alone(t, dir, 1)
}

func TestWriteFileChanged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	if err := WriteFile(path, []byte("a"), []byte("b")); !errors.Is(err, ErrChanged) || content(t, path) != "none" {
		t.Errorf("gone: %v", err)
	}
	write(t, path, "x", 0o644)
	for _, before := range [][]byte{nil, {}, []byte("a"), []byte("xx")} {
		if err := WriteFile(path, before, []byte("b")); !errors.Is(err, ErrChanged) || content(t, path) != "x" {
			t.Errorf("%q: %v", before, err)
		}
	}
	alone(t, dir, 1)
}

func TestWriteFileRefuses(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	write(t, real, "a", 0o644)
	for name, to := range map[string]string{"link": real, "dangling": filepath.Join(dir, "nowhere")} {
		path := filepath.Join(dir, name)
		if !link(t, to, path) {
			continue
		}
		for _, before := range [][]byte{nil, []byte("a")} {
			if err := WriteFile(path, before, []byte("b")); err == nil || content(t, real) != "a" {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got, err := os.Readlink(path); err != nil || got != to {
			t.Errorf("%s is now %q, %v", name, got, err)
		}
	}
	if err := WriteFile(dir, nil, []byte("b")); err == nil {
		t.Error("a folder was replaced")
	}
	write(t, real, "a", 0o444)
	if err := WriteFile(real, []byte("a"), []byte("b")); !errors.Is(err, fs.ErrPermission) || content(t, real) != "a" {
		t.Errorf("write-protected: %v", err)
	}
	if runtime.GOOS != "windows" {
		alone(t, dir, 3)
	}
}

func TestWriteFileReadOnlyFolder(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("nothing is forbidden here")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	write(t, path, "a", 0o644)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if err := WriteFile(path, []byte("a"), []byte("b")); !errors.Is(err, fs.ErrPermission) || content(t, path) != "a" {
		t.Errorf("%v, %q", err, content(t, path))
	}
	if name, err := Backup(path, []byte("a")); !errors.Is(err, fs.ErrPermission) || name != "" {
		t.Errorf("%q, %v", name, err)
	}
	alone(t, dir, 1)
}

func TestMakeParent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "settings.json")
	if err := WriteFile(path, nil, []byte("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a folder: %v", err)
	}
	if err := MakeParent(path); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, nil, []byte("x")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil ||
		info.Mode().Perm()&^0o755 != 0 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestBackup(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	write(t, path, "now", 0o640)
	if !link(t, path, path+".hookbridge-backup.1") {
		write(t, path+".hookbridge-backup.1", "taken", 0o600)
	}
	for _, want := range []string{"", ".2", ".3"} {
		name, err := Backup(path, []byte("text"+want))
		if err != nil || name != path+".hookbridge-backup"+want || content(t, name) != "text"+want {
			t.Errorf("%q, %v", name, err)
		}
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o640 {
			t.Errorf("%v, %v", info, err)
		}
	}
	if content(t, path) != "now" {
		t.Error("the file itself was changed")
	}
}

// TestWriteFileRace: if files can be exchanged, an edit between the last read of the file and the rename is kept. A
// file that appears meanwhile is always kept.
func TestWriteFileRace(t *testing.T) {
	dir := t.TempDir()
	path, temp := filepath.Join(dir, "a.json"), filepath.Join(dir, "temp")
	for _, before := range [][]byte{nil, []byte("read")} {
		if before != nil && runtime.GOOS != "linux" {
			continue
		}
		write(t, path, "edited", 0o600)
		write(t, temp, "new", 0o600)
		if err := replace(temp, path, before, []byte("new")); !errors.Is(err, ErrChanged) {
			t.Errorf("before %q: %v", before, err)
		}
		if got := content(t, path); got != "edited" {
			t.Errorf("before %q: the file is %q", before, got)
		}
	}
}

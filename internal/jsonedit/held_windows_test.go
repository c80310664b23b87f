package jsonedit

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestWriteFileHeld: a file that another program has locked, as Windows allows, stays unchanged, without another file
// next to it; once it is closed it is written. A reader that shares the file doesn't interfere.
func TestWriteFileHeld(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	write(t, path, "a", 0o644)
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range []uint32{0, syscall.FILE_SHARE_READ, syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE} {
		h, err := syscall.CreateFile(name, syscall.GENERIC_READ, share, nil, syscall.OPEN_EXISTING, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := WriteFile(path, []byte("a"), []byte("b")); err == nil {
			t.Errorf("shared as %d: replaced", share)
		}
		alone(t, dir, 1)
		syscall.CloseHandle(h)
		if got := content(t, path); got != "a" {
			t.Errorf("shared as %d: %q", share, got)
		}
	}
	if err := WriteFile(path, []byte("a"), []byte("b")); err != nil || content(t, path) != "b" {
		t.Errorf("closed: %v", err)
	}
}

package jsonedit

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestSweep: a write removes the temporary files of runs that were killed, and no others.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{
		".hookbridge-123": time.Hour, ".hookbridge-456": 0, ".hookbridge-": time.Hour, ".hookbridge-7-kept": time.Hour,
		"x.hookbridge-1": time.Hour} {
		file := filepath.Join(dir, name)
		write(t, file, "x", 0o644)
		at := time.Now().Add(-age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	left := 5
	if link(t, ".", filepath.Join(dir, ".hookbridge-8")) {
		left++
	}
	if err := WriteFile(filepath.Join(dir, "settings.json"), nil, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, ".hookbridge-123")); !os.IsNotExist(err) {
		t.Error("an abandoned file is left")
	}
	alone(t, dir, left)
}

//go:build unix

package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestAppendOwn checks that lines of many writers are whole, and that a file is private to this user from the first one
// on.
func TestAppendOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	put(t, path, "")
	chmod(t, path, 0o666)
	line := strings.Repeat("x", 5000) + "\n"
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if err := AppendOwn(path, []byte(line)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	b, _ := os.ReadFile(path)
	if string(b) != strings.Repeat(line, 50) {
		t.Errorf("%d bytes", len(b))
	}
	if fi, _ := os.Lstat(path); fi.Mode() != 0o600 {
		t.Errorf("mode %v", fi.Mode())
	}
}

// TestAppendOwnRotates checks that 200 writers lose no line if the file is renamed between them, and that no file grows
// beyond its limit.
func TestAppendOwnRotates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	const writers, size, limit = 200, 100, 150 * 100 // they all fit in two files
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			if err := appendFile(path, fmt.Appendf(nil, "%-99d\n", i), limit); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, file := range []string{path, path + ".1"} {
		b, err := os.ReadFile(file)
		if err != nil || len(b) > limit || len(b)%size != 0 {
			t.Errorf("%s: %d bytes, %v", file, len(b), err)
		}
		for line := range strings.Lines(string(b)) {
			seen[line] = true
		}
	}
	if len(seen) != writers {
		t.Errorf("%d lines of %d", len(seen), writers)
	}
}

// TestAppendOwnNoRoom checks that a line without room doesn't change the file.
func TestAppendOwnNoRoom(t *testing.T) {
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Skip(err)
	}
	small := old
	small.Cur = 4096 // beyond it writes are cut short, then fail
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Skip(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)
	path := filepath.Join(t.TempDir(), "log")
	if err := AppendOwn(path, []byte("first\n")); err != nil {
		t.Fatal(err)
	}
	if err := AppendOwn(path, []byte(strings.Repeat("x", 5000)+"\n")); err == nil {
		t.Error("written beyond the limit")
	}
	if b, _ := os.ReadFile(path); string(b) != "first\n" {
		t.Errorf("left: %d bytes", len(b))
	}
}

func TestOwnOnly(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	put(t, victim, "old")
	for name, path := range map[string]string{"a link": link(t, victim), "a FIFO": filepath.Join(t.TempDir(), "fifo"),
		"a device": os.DevNull} {
		if name == "a FIFO" {
			replace(t, path, "")
		}
		if err := AppendOwn(path, []byte("new")); err == nil {
			t.Errorf("%s: written to", name)
		}
		if b, err := ReadOwn(path); !errors.Is(err, ErrUnsafe) {
			t.Errorf("%s: read %q, %v", name, b, err)
		}
	}
	if b, err := ReadOwn(victim); string(b) != "old" || err != nil {
		t.Errorf("%q, %v", b, err)
	}
	chmod(t, victim, 0o620)
	if _, err := ReadOwn(victim); !errors.Is(err, ErrUnsafe) {
		t.Errorf("a file that others can write to: %v", err)
	}
	if b, err := ReadOwn(victim + "x"); b != nil || err != nil {
		t.Errorf("no file: %q, %v", b, err)
	}
	chown(t, victim)
	chmod(t, victim, 0o600)
	if err := AppendOwn(victim, []byte("new")); !errors.Is(err, ErrUnsafe) {
		t.Errorf("another's file: %v", err)
	}
}

// TestAppendOwnFolder: the folder of a log is created for this user alone.
func TestAppendOwnFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "hookbridge", "run.log")
	for range 2 {
		if err := AppendOwn(path, []byte("line\n")); err != nil {
			t.Fatal(err)
		}
	}
	if text, _ := os.ReadFile(path); string(text) != "line\nline\n" {
		t.Errorf("%q", text)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info, err)
	}
}

package state

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestLog(t *testing.T) {
	s := newStore(t)
	extend := func(size int64, text string) error {
		return s.Update("s", now, func(tx *Tx) error {
			tx.Put("size", text, 0)
			return s.ExtendLog("s", "a.jsonl", size, []byte(text))
		})
	}
	for _, step := range []struct {
		size int64
		text string
		want string
	}{
		{0, "one\n", "one\n"},
		{4, "two\n", "one\ntwo\n"},
		{4, "2\n", "one\n2\n"}, // the rest of an interrupted call is cut off
	} {
		if err := extend(step.size, step.text); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(s.Log("s", "a.jsonl"))
		if string(got) != step.want {
			t.Errorf("%q, want %q", got, step.want)
		}
	}
	if err := extend(99, "x"); !errors.Is(err, ErrShort) {
		t.Errorf("a log that lost bytes: %v", err)
	}
	for _, name := range []string{"", "..", ".x", "a/b", `a\b`, "a:b", "../a", "a\x00"} {
		if err := s.ExtendLog("s", name, 0, nil); !errors.Is(err, ErrUnsafe) {
			t.Errorf("%q: %v", name, err)
		}
	}
	if err := s.Update("s", now, func(tx *Tx) error { tx.Clear(); return nil }); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(s.Dir); len(left) > 0 {
		t.Errorf("%v stay of a session that was cleared", left)
	}
}

// TestLogIsPrivate checks that a log is neither written through a link nor readable by others, and that Remove and
// Sweep remove it.
func TestLogIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes, and links need a privilege")
	}
	s := newStore(t)
	dir := filepath.Dir(s.Log("s", "x"))
	elsewhere := t.TempDir()
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, dir); err != nil {
		t.Skip(err)
	}
	if err := s.ExtendLog("s", "x", 0, []byte("x")); !errors.Is(err, ErrUnsafe) {
		t.Errorf("a linked folder: %v", err)
	}
	os.Remove(dir)
	target := filepath.Join(elsewhere, "target")
	os.WriteFile(target, []byte("kept"), 0o600)
	os.Mkdir(dir, 0o700)
	if err := os.Symlink(target, filepath.Join(dir, "x")); err != nil {
		t.Fatal(err)
	}
	if err := s.ExtendLog("s", "x", 0, []byte("x")); !errors.Is(err, ErrUnsafe) {
		t.Errorf("a linked log: %v", err)
	}
	if err := s.ExtendLog("s", "y", 0, []byte("y")); err != nil {
		t.Fatal(err)
	}
	if fi, _ := os.Stat(s.Log("s", "y")); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", fi.Mode())
	}
	if err := s.Remove("s"); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(target); string(got) != "kept" {
		t.Errorf("Remove followed a link: %q", got)
	}

	if err := s.ExtendLog("old", "y", 0, []byte("y")); err != nil {
		t.Fatal(err)
	}
	if n := s.Sweep(time.Now().Add(time.Hour), time.Minute, 100); n != 1 {
		t.Errorf("%d swept", n)
	}
	if _, err := os.Lstat(filepath.Dir(s.Log("old", "y"))); !os.IsNotExist(err) {
		t.Errorf("after the sweep: %v", err)
	}
}

//go:build unix

package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestPrivate(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	s := newStore(t)
	update(t, s, func(t *Tx) { t.Put("a", "1", 0) })
	for path, want := range map[string]os.FileMode{
		s.Dir: 0o700 | os.ModeDir, s.files("s").data: 0o600, s.files("s").lock: 0o600,
	} {
		if fi, err := os.Lstat(path); err != nil || fi.Mode() != want {
			t.Errorf("%s: %v, %v", path, fi.Mode(), err)
		}
	}
	if strings.Contains(s.files("secret").data, "secret") || s.files("a").data == s.files("b").data {
		t.Error("file names tell the session, or do not tell it from another")
	}
}

func TestUnsafe(t *testing.T) {
	other := t.TempDir()
	victim := filepath.Join(other, "victim")
	put(t, victim, "hookbridge-state 1\n0 1 1\na1\nend\n")
	for _, tt := range []struct {
		name string
		make func(t *testing.T, s *Store)
		text string
	}{
		{"a folder others can read", func(t *testing.T, s *Store) { chmod(t, s.Dir, 0o750) }, "is open to others"},
		{"a folder others can write to", func(t *testing.T, s *Store) { chmod(t, s.Dir, 0o702) }, "is open to others"},
		{"a folder by way of a link", func(t *testing.T, s *Store) { s.Dir = link(t, s.Dir) }, "is a symbolic link"},
		{"a link with a slash", func(t *testing.T, s *Store) { s.Dir = link(t, s.Dir) + "/" }, "is a symbolic link"},
		{"no folder", func(t *testing.T, s *Store) { s.Dir = s.files("s").data }, ""},
		{"no name", func(t *testing.T, s *Store) { s.Dir = "" }, "no folder"},
		{"another's folder", func(t *testing.T, s *Store) { chown(t, s.Dir) }, "belongs to another user"},
		{"another's file", func(t *testing.T, s *Store) { chown(t, s.files("s").data) }, "not a file of this user's"},
		{"a file by way of a link", func(t *testing.T, s *Store) {
			replace(t, s.files("s").data, victim)
		}, "is a symbolic link"},
		{"a file that is a FIFO", func(t *testing.T, s *Store) {
			replace(t, s.files("s").data, "")
		}, "not a file of this user's"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			update(t, s, func(t *Tx) { t.Put("a", "1", 0) })
			tt.make(t, &s)
			err := s.Update("s", now, func(tx *Tx) error { tx.Put("a", "2", 0); return nil })
			verr := s.View("s", now, func(*Tx) { t.Error("seen") })
			for _, err := range []error{err, verr} {
				if err == nil || !strings.Contains(err.Error(), tt.text) {
					t.Errorf("got %v, want %q", err, tt.text)
				}
			}
			if tt.text != "" && tt.text != "no folder" && !errors.Is(err, ErrUnsafe) {
				t.Errorf("not ErrUnsafe: %v", err)
			}
		})
	}
	for _, ext := range []string{"lock", "temp"} {
		s := newStore(t)
		update(t, s, func(t *Tx) { t.Put("a", "1", 0) })
		p := s.files("s")
		replace(t, map[string]string{"lock": p.lock, "temp": p.temp}[ext], victim)
		if err := s.Update("s", now, func(t *Tx) error { t.Put("a", "2", 0); return nil }); !errors.Is(err, ErrUnsafe) {
			t.Errorf("a %s by way of a link: %v", ext, err)
		}
		if got := text(items(t, s, now)); got != "a=1" {
			t.Errorf("then %q", got)
		}
	}
	if b, _ := os.ReadFile(victim); string(b) != "hookbridge-state 1\n0 1 1\na1\nend\n" {
		t.Errorf("written through a link: %q", b)
	}
}

// TestNoRoom checks that a write that fails leaves the old content.
func TestNoRoom(t *testing.T) {
	s := newStore(t)
	update(t, s, func(t *Tx) { t.Put("a", "1", 0) })
	set := func() error {
		return s.Update("s", now, func(t *Tx) error { t.Put("a", "2", 0); return nil })
	}
	if err := os.Mkdir(s.files("s").temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := set(); err == nil || !strings.Contains(err.Error(), s.files("s").temp) {
		t.Errorf("no place for a new file: %v", err)
	}
	if got := text(items(t, s, now)); got != "a=1" {
		t.Errorf("then %q", got)
	}
	_ = os.Remove(s.files("s").temp)
	chmod(t, s.Dir, 0o500)
	defer chmod(t, s.Dir, 0o700)
	if os.Geteuid() == 0 {
		return // no mode stops root
	}
	if err := set(); !errors.Is(err, os.ErrPermission) {
		t.Errorf("a read-only folder: %v", err)
	}
	if got := text(items(t, s, now)); got != "a=1" {
		t.Errorf("then %q", got)
	}
}

func TestLocked(t *testing.T) {
	if testing.Short() {
		t.Skip("waits as long as an update does")
	}
	s := newStore(t)
	update(t, s, func(t *Tx) { t.Put("a", "1", 0) })
	l, err := lock(s.files("s").lock, 0)
	if err != nil {
		t.Fatal(err)
	}
	t0 := time.Now()
	err = s.Update("s", now, func(*Tx) error { t.Error("run without the lock"); return nil })
	if d := time.Since(t0); err != ErrLocked || d < lockWait-10*time.Millisecond || d > lockWait+20*time.Second {
		t.Errorf("%v after %v", err, d)
	}
	if got := text(items(t, s, now)); got != "a=1" {
		t.Errorf("a view waits for nobody: %q", got)
	}
	if err := s.Update("other", now, func(t *Tx) error { t.Put("a", "1", 0); return nil }); err != nil {
		t.Errorf("another session: %v", err)
	}
	l.unlock()
	update(t, s, func(t *Tx) { t.Put("a", "2", 0) })
	func() {
		defer func() { _ = recover() }()
		update(t, s, func(*Tx) { panic("in f") })
	}()
	update(t, s, func(t *Tx) { t.Put("a", "3", 0) })
}

// TestRemovedWhileWaited checks that a lock on a removed file neither blocks anyone nor lets two in.
func TestRemovedWhileWaited(t *testing.T) {
	s := newStore(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			if err := s.Remove("s"); err != nil {
				t.Error(err)
			}
		}
	}()
	inside := 0
	for range 200 {
		update(t, s, func(tx *Tx) {
			if inside++; inside != 1 {
				t.Error("two at once")
			}
			tx.Add("a", "", 0)
			inside--
		})
	}
	<-done
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func chown(t *testing.T, path string) {
	t.Helper()
	if err := os.Lchown(path, os.Geteuid()+1, -1); err != nil {
		t.Skip(err)
	}
}

func link(t *testing.T, to string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// replace puts a link to a file, or a FIFO, at path.
func replace(t *testing.T, path, to string) {
	t.Helper()
	_ = os.Remove(path)
	err := syscall.Mkfifo(path, 0o600)
	if to != "" {
		_ = os.Remove(path)
		err = os.Symlink(to, path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

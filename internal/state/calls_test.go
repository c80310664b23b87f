package state

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestCalls: a call's memory is separate from its session and from other calls, survives when the session's items are
// forgotten, and is removed with the session.
func TestCalls(t *testing.T) {
	dir, now := filepath.Join(t.TempDir(), "state"), time.Now()
	s := Store{Dir: dir}
	put := func(store Store, name, value string) {
		t.Helper()
		if err := store.Update(name, now, func(tx *Tx) error { tx.Put("k", value, 0); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	get := func(store Store, name string) (value string) {
		t.Helper()
		if err := store.View(name, now, func(tx *Tx) { value, _ = tx.Get("k") }); err != nil {
			t.Fatal(err)
		}
		return value
	}
	calls := s.Calls("s")
	put(s, "s", "session")
	put(calls, "a", "one")
	put(calls, "b", "two")
	put(s.Calls("other"), "a", "other")
	if err := s.Update("s", now, func(tx *Tx) error { tx.Clear(); return nil }); err != nil {
		t.Fatal(err)
	}
	if get(calls, "a") != "one" || get(calls, "b") != "two" || get(s.Calls("other"), "a") != "other" ||
		get(s, "s") != "" {
		t.Error("sessions and calls are mixed up")
	}
	if n := s.Sweep(now.Add(time.Hour), 2*time.Hour, 100); n != 0 {
		t.Errorf("%d sessions with fresh calls are swept", n)
	}
	if err := s.Remove("s"); err != nil {
		t.Fatal(err)
	}
	if n := s.Sweep(now.Add(3*time.Hour), time.Hour, 100); n != 1 {
		t.Errorf("%d sessions swept", n)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	if runtime.GOOS == "windows" {
		return // folders have no modes
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := calls.Update("a", now, func(tx *Tx) error { tx.Put("k", "v", 0); return nil }); err == nil {
		t.Error("a call is kept in a folder that is open to others")
	}
}

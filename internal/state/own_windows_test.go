package state

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestAppendOwn checks that 200 writers lose no line, although a file that one of them has open can't be moved. Wine
// looks for a file's end before it writes there, so that one of two simultaneous lines is lost.
func TestAppendOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	const writers, limit = 200, 150 * 100
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
		if err != nil && !os.IsNotExist(err) {
			t.Error(err)
		}
		for line := range strings.Lines(string(b)) {
			seen[line] = true
		}
	}
	inWine := syscall.NewLazyDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil
	if len(seen) != writers && !inWine {
		t.Errorf("%d lines of %d", len(seen), writers)
	}
}

// TestLongPath: session files can be in a folder whose path is longer than the 260 characters of old programs. Their
// session's id can be a device name of Windows.
func TestLongPath(t *testing.T) {
	s := Store{Dir: filepath.Join(t.TempDir(), strings.Repeat("long", 30), strings.Repeat("path", 30), "state")}
	for _, session := range []string{"s", "NUL", "con.txt", "dot. ", "a:b"} {
		if err := s.Update(session, now, func(tx *Tx) error { tx.Put("k", session, 0); return nil }); err != nil {
			t.Fatal(err)
		}
		if err := s.ExtendLog(session, "a.jsonl", 0, []byte("x")); err != nil {
			t.Error(err)
		}
		value := ""
		if err := s.View(session, now, func(tx *Tx) { value, _ = tx.Get("k") }); err != nil || value != session {
			t.Errorf("%s: %q %v", session, value, err)
		}
		if err := s.Remove(session); err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(s.Dir); err != nil || len(left) > 0 {
		t.Errorf("%v stay: %v", left, err)
	}
}

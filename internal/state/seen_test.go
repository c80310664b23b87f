package state

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

func TestSeen(t *testing.T) {
	s := Store{Dir: filepath.Join(t.TempDir(), "state")}
	if v, err := s.Seen("e"); v != (Seen{}) || err != nil {
		t.Error(v, err)
	}
	at := time.Unix(1000, 5)
	for i, session := range []string{"a", "a", "b"} {
		if err := s.Saw("e", session, at.Add(time.Duration(i)), "deny"); err != nil {
			t.Fatal(err)
		}
	}
	if v, err := s.Seen("e"); err != nil || !v.Last.Equal(at.Add(2)) || v.Answer != "deny" || v.Calls != 3 ||
		v.Sessions != 2 {
		t.Error(v, err)
	}
	path := Store{Dir: filepath.Join(s.Dir, seenFolder)}.files("e").data
	for _, broken := range []string{"", "1 2", "2 3 a 4 5 b\n", "x"} {
		if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if v, err := s.Seen("e"); v != (Seen{}) || err != nil {
			t.Errorf("%q: %v %v", broken, v, err)
		}
		if err := s.Saw("e", "s", at, "none"); err != nil {
			t.Error(err)
		}
	}
}

// TestSeenTogether: 200 simultaneous calls leave a complete record, and one file that doesn't grow.
func TestSeenTogether(t *testing.T) {
	s := Store{Dir: filepath.Join(t.TempDir(), "state")}
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			if err := s.Saw("e", strconv.Itoa(i), time.Unix(int64(i+1), 0), "allow"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	v, err := s.Seen("e")
	if err != nil || v.Calls < 1 || v.Calls > 200 || v.Answer != "allow" || v.Last.Unix() < 1 {
		t.Error(v, err)
	}
	list, err := os.ReadDir(filepath.Join(s.Dir, seenFolder))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if info, err := list[0].Info(); err != nil || info.Size() > 128 {
		t.Error(info, err)
	}
}

// TestSeenUnsafe: nothing is counted in a folder that others can enter, or that can't be written.
func TestSeenUnsafe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Store{Dir: filepath.Join(dir, "file", "state")}).Saw("e", "s", time.Unix(1, 0), "deny"); err == nil {
		t.Error("a file in the place of a folder")
	}
}

func BenchmarkSaw(b *testing.B) {
	s := Store{Dir: filepath.Join(b.TempDir(), "state")}
	for b.Loop() {
		if err := s.Saw("e", "s", time.Unix(1, 0), "deny"); err != nil {
			b.Fatal(err)
		}
	}
}

package state

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)

func newStore(t testing.TB) Store { return Store{Dir: filepath.Join(t.TempDir(), "a", "state")} }

// update fails the test if Update does.
func update(t testing.TB, s Store, f func(*Tx)) {
	t.Helper()
	if err := s.Update("s", now, func(t *Tx) error { f(t); return nil }); err != nil {
		t.Fatal(err)
	}
}

// items returns what s remembers at a time.
func items(t testing.TB, s Store, at time.Time) (all []Item) {
	t.Helper()
	if err := s.View("s", at, func(t *Tx) { all = t.All("") }); err != nil {
		t.Fatal(err)
	}
	return all
}

// text writes items the way the rows below do.
func text(all []Item) string {
	var b strings.Builder
	for _, it := range all {
		b.WriteString(it.Key + "=" + it.Value + " ")
	}
	return strings.TrimSpace(b.String())
}

func TestKept(t *testing.T) {
	for _, tt := range []struct {
		name        string
		first, then func(*Tx)
		want, later string // at once, and after an hour
	}{
		{"put", func(t *Tx) { t.Put("a", "1", 0); t.Put("b", "2", time.Minute) }, nil, "a=1 b=2", "a=1"},
		{"put again", func(t *Tx) { t.Put("a", "1", 0); t.Put("b", "2", 0) }, func(t *Tx) { t.Put("a", "3", 0) },
			"b=2 a=3", "b=2 a=3"},
		{"put the same", func(t *Tx) { t.Put("a", "1", 0); t.Put("b", "2", 0) }, func(t *Tx) { t.Put("a", "1", 0) },
			"a=1 b=2", "a=1 b=2"},
		{"put for ever what had a limit", func(t *Tx) {
			t.Put("a", "1", time.Minute)
		}, func(t *Tx) { t.Put("a", "1", 0) }, "a=1", "a=1"},
		{"put for no time", func(t *Tx) { t.Put("a", "1", 0); t.Put("b", "2", 0) }, func(t *Tx) { t.Put("a", "3", -1) },
			"b=2", "b=2"},
		{"add", func(t *Tx) {
			t.Add("a", "1", 0)
			t.Add("b", "2", 0)
			t.Add("a", "3", time.Minute)
		}, nil, "a=1 b=2 a=3", "a=1 b=2"},
		{"put after add", func(t *Tx) { t.Add("a", "1", 0); t.Add("a", "2", 0) }, func(t *Tx) { t.Put("a", "2", 0) },
			"a=2", "a=2"},
		{"take", func(t *Tx) { t.Add("a", "1", 0); t.Add("a", "2", 0) }, func(t *Tx) { t.Take("a") }, "a=2", "a=2"},
		{"delete", func(t *Tx) {
			t.Add("a", "1", 0)
			t.Add("b", "", 0)
			t.Add("a", "2", 0)
		}, func(t *Tx) { t.Delete("a") }, "b=", "b="},
		{"a limit beyond all time", func(t *Tx) { t.Put("a", "1", 1<<63-1) }, nil, "a=1", "a=1"},
		{"any bytes", func(t *Tx) {
			t.Put("k\n \x00end\n", "v\xff\r\nend\n", 0)
			t.Put("", "", 0)
		}, nil, "k\n \x00end\n=v\xff\r\nend\n =", "k\n \x00end\n=v\xff\r\nend\n ="},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t)
			update(t, s, tt.first)
			if tt.then != nil {
				update(t, s, tt.then)
			}
			if got := text(items(t, s, now)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := text(items(t, s, now.Add(time.Hour))); got != tt.later {
				t.Errorf("an hour later %q, want %q", got, tt.later)
			}
		})
	}
}

func TestTx(t *testing.T) {
	s := newStore(t)
	update(t, s, func(tx *Tx) {
		tx.Add("a", "old", 0)
		tx.Add("a", "new", 0)
		tx.Add("ab", "x", time.Second)
		if v, ok := tx.Get("a"); v != "new" || !ok {
			t.Errorf("Get: %q, %v", v, ok)
		}
		if v, ok := tx.Get("b"); v != "" || ok {
			t.Errorf("Get of nothing: %q, %v", v, ok)
		}
		if all := tx.All("a"); len(all) != 3 || all[2].Until != now.Add(time.Second).UnixNano() || all[0].Until != 0 {
			t.Errorf("All: %v", all)
		}
		if v, ok := tx.Take("a"); v != "old" || !ok {
			t.Errorf("Take: %q, %v", v, ok)
		}
		if v, ok := tx.Take("b"); v != "" || ok {
			t.Errorf("Take of nothing: %q, %v", v, ok)
		}
	})
}

func TestWrittenOnlyIfChanged(t *testing.T) {
	s := newStore(t)
	if items(t, s, now) != nil {
		t.Error("something out of nothing")
	}
	if _, err := os.Stat(filepath.Dir(s.Dir)); err == nil {
		t.Error("a look at nothing made a folder")
	}
	update(t, s, func(t *Tx) { t.Put("a", "1", 0); t.Put("b", "2", time.Minute) })
	data := s.files("s").data
	before, _ := os.Stat(data)
	fault := errors.New("no")
	if err := s.Update("s", now, func(t *Tx) error { t.Put("a", "2", 0); return fault }); err != fault {
		t.Errorf("the function's own error: %v", err)
	}
	update(t, s, func(t *Tx) { t.Put("a", "1", 0); t.Delete("none"); t.Take("none"); t.All("") })
	if err := s.View("s", now, func(t *Tx) { t.Put("a", "2", 0) }); err != nil {
		t.Error(err)
	}
	if after, err := os.Stat(data); err != nil || !os.SameFile(before, after) {
		t.Errorf("written without a change: %v", err)
	}
	if err := s.Update("s", now.Add(time.Hour), func(t *Tx) error { t.Put("c", "3", 0); return nil }); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(data); string(b) != "hookbridge-state 1\n0 1 1\na1\n0 1 1\nc3\nend\n" {
		t.Errorf("what has expired is written: %q", b)
	}
	update(t, s, (*Tx).Clear)
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("a file without an item: %v", err)
	}
	if s.View("t", now, func(tx *Tx) { tx.Put("x", "y", 0) }) != nil || len(items(t, s, now)) != 0 {
		t.Error("a view was kept")
	}
}

func TestDamage(t *testing.T) {
	whole := "hookbridge-state 1\n0 1 1\na1\nend\n"
	rows := []string{"", "\n", "hookbridge-state", "{}", "hookbridge-state 0\nend\n", "hookbridge-state -1\nend\n",
		"hookbridge-state x\nend\n",
		"hookbridge-state 1\n0 1 1\na1\nend\nmore", "hookbridge-state 1\n0 9 9\na1\nend\n",
		"hookbridge-state 1\n-1 1 1\na1\nend\n",
		"hookbridge-state 1\n0 2147483647 2147483647\na1\nend\n", "hookbridge-state 1\n0 1\na1\nend\n",
		whole[:len(whole)-4] + strings.Repeat("0 0 0\n\n", maxFile/7) + "end\n"}
	for i := range whole {
		rows = append(rows, whole[:i])
	}
	s := newStore(t)
	for _, row := range rows {
		update(t, s, func(t *Tx) { t.Put("x", "", 0) })
		put(t, s.files("s").data, row)
		if err := s.View("s", now, func(tx *Tx) {
			if !tx.Corrupt || tx.All("") != nil {
				t.Errorf("%.40q: %+v", row, tx)
			}
		}); err != nil {
			t.Errorf("%.40q: %v", row, err)
		}
		update(t, s, func(tx *Tx) { tx.Put("b", "2", 0) })
		if got := text(items(t, s, now)); got != "b=2" {
			t.Errorf("%.40q: then %q", row, got)
		}
	}
	for _, row := range []string{"hookbridge-state 2\n", "hookbridge-state 17\nwhat ever", "hookbridge-state 2\n" +
		strings.Repeat("x", 2*maxFile)} {
		put(t, s.files("s").data, row)
		called := false
		err := s.Update("s", now, func(*Tx) error { called = true; return nil })
		verr := s.View("s", now, func(*Tx) { called = true })
		if b, _ := os.ReadFile(s.files("s").data); err != ErrNewer || verr != ErrNewer || called || string(b) != row {
			t.Errorf("a newer file: %v, %v, %v, %.40q", err, verr, called, b)
		}
	}
}

func TestFull(t *testing.T) {
	s := newStore(t)
	third := strings.Repeat("x", maxFile/3)
	update(t, s, func(t *Tx) {
		t.Add("keep", third, 0)
		t.Add("old", third, time.Hour)
		t.Add("new", third, time.Hour)
		t.Add("last", "", 0)
	})
	keys := func() (k string) {
		for _, it := range items(t, s, now) {
			k += it.Key + " "
		}
		return k
	}
	if got := keys(); got != "keep new last " {
		t.Errorf("kept %s", got)
	}
	for name, f := range map[string]func(*Tx){
		"more than can be dropped":     func(t *Tx) { t.Add("a", third, 0); t.Add("b", third, 0) },
		"one item that can never fit":  func(t *Tx) { t.Add("a", third+third+third+third, time.Hour) },
		"a key as much as a value can": func(t *Tx) { t.Add(third+third+third+third, "", 0) },
	} {
		if err := s.Update("s", now, func(t *Tx) error { f(t); return nil }); err != ErrFull {
			t.Errorf("%s: %v", name, err)
		}
		if got := keys(); got != "keep new last " {
			t.Errorf("%s: kept %s", name, got)
		}
	}
	for d := range 12 { // the limit is exact to the byte
		all := []Item{{Value: strings.Repeat("v", 1000-d)}, {Key: "k", Value: strings.Repeat("w", 10*d), Until: 5},
			{Key: "z"}}
		b, err := encode(all, 1060)
		whole, werr := encode(all, maxFile)
		if err != nil || werr != nil || len(b) > 1060 || len(whole) <= 1060 && len(b) != len(whole) ||
			len(whole) != cap(whole) {
			t.Errorf("%d: %d of %d bytes, capacity %d, %v", d, len(b), len(whole), cap(whole), err)
		}
	}
}

func TestRemove(t *testing.T) {
	s := newStore(t)
	if err := s.Remove("s"); err != nil {
		t.Errorf("without a folder: %v", err)
	}
	update(t, s, func(t *Tx) { t.Put("a", "1", 0) })
	if err := errors.Join(s.Remove("s"), s.Remove("s"), s.Remove("other")); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(s.Dir); len(left) != 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestSweep(t *testing.T) {
	s := newStore(t)
	clock := time.Now()
	age := func(path string, d time.Duration) {
		if err := os.Chtimes(path, clock.Add(-d), clock.Add(-d)); err != nil {
			t.Fatal(err)
		}
	}
	if n := s.Sweep(clock, time.Hour, 100); n != 0 {
		t.Errorf("without a folder: %d", n)
	}
	for _, id := range []string{"old", "fresh", "busy", "orphan", "revived"} {
		if err := s.Update(id, clock, func(t *Tx) error { t.Put("a", "1", 0); return nil }); err != nil {
			t.Fatal(err)
		}
		p := s.files(id)
		age(p.lock, 3*time.Hour)
		if id != "fresh" && id != "revived" {
			age(p.data, 2*time.Hour)
		}
	}
	_ = os.Remove(s.files("orphan").data)
	put(t, s.files("orphan").temp, "half")
	age(s.files("orphan").temp, 2*time.Hour)
	put(t, filepath.Join(s.Dir, "README"), "not ours")
	age(filepath.Join(s.Dir, "README"), 9*time.Hour)
	l, err := lock(s.files("busy").lock, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.Sweep(clock, time.Hour, 100); n != 2 {
		t.Errorf("removed %d, want 2", n)
	}
	l.unlock()
	if left, _ := os.ReadDir(s.Dir); len(left) != 7 {
		t.Errorf("left: %v", left)
	}
	if n := s.Sweep(clock, time.Hour, 0); n != 0 {
		t.Errorf("with a limit of none: %d", n)
	}
	if n := s.Sweep(clock, time.Hour, 100); n != 1 {
		t.Errorf("once not busy: %d, want 1", n)
	}
}

// TestDue checks that sessions are swept once an hour, and not if the clock has just been set.
func TestDue(t *testing.T) {
	s, clock := newStore(t), time.Now()
	if s.Due(clock, 24*time.Hour) {
		t.Error("due without a folder")
	}
	if err := s.Update("a", clock, func(t *Tx) error { t.Put("a", "1", 0); return nil }); err != nil {
		t.Fatal(err)
	}
	const year = 365 * 24 * time.Hour
	for i, step := range []struct {
		passed time.Duration
		due    bool
	}{
		{0, false}, {59 * time.Minute, false}, {2 * time.Minute, true}, {time.Second, false}, {23 * time.Hour, true},
		{25 * time.Hour, false}, {time.Minute, false}, {2 * time.Hour, true}, {-time.Minute, false},
		{time.Minute, false}, {20 * year, false}, {time.Hour, true}, {-20 * year, false}, {time.Hour, true},
	} {
		if clock = clock.Add(step.passed); s.Due(clock, 24*time.Hour) != step.due {
			t.Errorf("step %d, after %s: due %v", i, step.passed, !step.due)
		}
	}
}

// TestTemp checks that a later call removes a named file that is still there.
func TestTemp(t *testing.T) {
	s := newStore(t)
	var names []string
	for range 3 {
		f, err := s.Temp()
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		names = append(names, f.Name())
	}
	long := time.Now().Add(-2 * tempLife)
	if err := os.Chtimes(names[0], long, long); err != nil {
		t.Fatal(err)
	}
	if f, err := s.Temp(); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	for i, name := range names {
		if _, err := os.Stat(name); (err == nil) != (i > 0) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if n := s.Sweep(time.Now().Add(time.Hour), time.Minute, 100); n != 0 {
		t.Errorf("%d sessions are forgotten", n)
	}
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("hookbridge-state 1\n0 1 1\na1\n7 0 3\nend\nend\n"))
	f.Add([]byte("hookbridge-state 2\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := decode(b, 0)
		if err != nil {
			return
		}
		again, err := encode(all, maxFile+len(b))
		if err != nil {
			t.Fatal(err)
		}
		twice, err := decode(again, 0)
		if err != nil || fmt.Sprint(twice) != fmt.Sprint(all) {
			t.Fatalf("%q\nbecame %q: %v", b, again, err)
		}
	})
}

package state

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain doubles as one of many processes that write to one session.
func TestMain(m *testing.M) {
	if dir := os.Getenv("STATE_TEST_DIR"); dir != "" {
		n, _ := strconv.Atoi(os.Getenv("STATE_TEST_N"))
		pad := strings.Repeat("p", 20_000)
		for i := 0; i < n || n == 0; i++ {
			err := Store{Dir: dir}.Update("s", time.Now(), func(t *Tx) error {
				t.Put("pad", pad[:i%len(pad)], 0)
				t.Put("same", pad[:i%len(pad)], 0)
				t.Add("n", strconv.Itoa(os.Getpid()), 0)
				if n == 0 {
					t.Take("n")
				}
				return nil
			})
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// another returns a process that does n updates of the session "s"; 0 is forever.
func another(dir string, n int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STATE_TEST_DIR="+dir, "STATE_TEST_N="+strconv.Itoa(n))
	cmd.Stderr = os.Stderr
	return cmd
}

func TestManyGoroutines(t *testing.T) {
	s := newStore(t)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			err := s.Update("s", now, func(t *Tx) error { t.Add("n", strconv.Itoa(i), 0); return nil })
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, it := range items(t, s, now) {
		seen[it.Value] = true
	}
	if len(seen) != 200 {
		t.Errorf("%d of 200 are left", len(seen))
	}
}

func TestManyProcesses(t *testing.T) {
	s := newStore(t)
	var all []*exec.Cmd
	for range 20 {
		cmd := another(s.Dir, 20)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	count := map[string]int{}
	for _, it := range items(t, s, now) {
		count[it.Value]++
	}
	for _, cmd := range all {
		if n := count[strconv.Itoa(cmd.Process.Pid)]; n != 20 {
			t.Errorf("%d of 20 are left", n)
		}
	}
}

// TestKilled kills writers at random moments: the remaining file must be one complete update, and must be writable.
func TestKilled(t *testing.T) {
	s := newStore(t)
	for i := range 30 {
		cmd := another(s.Dir, 0)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10*time.Millisecond + time.Duration(i)*137*time.Microsecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		update(t, s, func(tx *Tx) {
			a, _ := tx.Get("pad")
			b, _ := tx.Get("same")
			if tx.Corrupt || a != b {
				t.Errorf("torn: %v, %d and %d bytes", tx.Corrupt, len(a), len(b))
			}
		})
	}
	if left, _ := os.ReadDir(s.Dir); len(left) > 3 {
		t.Errorf("left: %v", left)
	}
}

func BenchmarkUpdate(b *testing.B) {
	s := newStore(b)
	update(b, s, func(t *Tx) {
		for i := range 20 {
			t.Add("edit/"+strconv.Itoa(i), strings.Repeat("v", 200), time.Hour)
		}
	})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		update(b, s, func(t *Tx) { t.Put("loop", strconv.Itoa(i), 0) })
	}
}

func BenchmarkView(b *testing.B) {
	s := newStore(b)
	for _, name := range []string{"missing", "there"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				items(b, s, now)
			}
		})
		update(b, s, func(t *Tx) { t.Put("loop", "1", 0) })
	}
}

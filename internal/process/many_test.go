//go:build unix

package process

import (
	"context"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// limitFiles lowers this process's limit for open files during a test.
func limitFiles(t *testing.T, n uint64) {
	t.Helper()
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	low := was
	low.Cur = 0
	for range n {
		low.Cur++ // its type depends on the system
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was) })
}

// TestMoreThanFiles: if there are more programs than descriptors, all run, some after others. poll takes no more
// entries than the limit either.
func TestMoreThanFiles(t *testing.T) {
	limitFiles(t, 64)
	specs := make([]Spec, 100)
	for i := range specs {
		specs[i] = with(sh("cat; exit $1", strconv.Itoa(i)), func(s *Spec) {
			s.Stdin, s.Timeout = []byte("in"), time.Minute
		})
	}
	for i, r := range RunAll(context.Background(), specs) {
		same(t, r, Result{Stdout: []byte("in"), Exit: i})
	}
}

// TestWaitingCancelled: a program that waits for a free place when the context ends doesn't start.
func TestWaitingCancelled(t *testing.T) {
	limitFiles(t, 64)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	specs := make([]Spec, 20)
	for i := range specs {
		specs[i] = sh("sleep 60")
	}
	specs[0].Argv[2], specs[0].Release = "echo x; sleep 60", func([]byte) bool { cancel(); return false }
	results := RunAll(ctx, specs)
	took(t, results[0], 0, time.Second)
	for i, r := range results[:1] {
		if r.Signal != "SIGKILL" {
			t.Errorf("%d: %+v", i, r)
		}
	}
	if last := results[len(results)-1]; last.Err == nil {
		t.Errorf("started: %+v", last)
	}
}

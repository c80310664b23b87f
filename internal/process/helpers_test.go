//go:build unix

package process

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// same compares two results, except for the times.
func same(t *testing.T, got, want Result) {
	t.Helper()
	if string(got.Stdout) != string(want.Stdout) {
		t.Errorf("stdout: %d bytes %.60q, want %d bytes %.60q", len(got.Stdout), got.Stdout, len(want.Stdout),
			want.Stdout)
	}
	if string(got.Stderr) != string(want.Stderr) {
		t.Errorf("stderr: %d bytes %.60q, want %d bytes %.60q", len(got.Stderr), got.Stderr, len(want.Stderr),
			want.Stderr)
	}
	got.Stdout, got.Stderr, want.Stdout, want.Stderr = nil, nil, nil, nil
	got.Start, got.End = want.Start, want.End
	if got.Exit != want.Exit || got.Signal != want.Signal || got.TimedOut != want.TimedOut ||
		got.Truncated != want.Truncated || got.Released != want.Released || got.Err != want.Err {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// patience is the delay that a busy machine may add. Differences that the tests check last longer.
const patience = 20 * time.Second

// took fails unless the run is over by now and lasted from least to most.
func took(t *testing.T, r Result, least, most time.Duration) {
	t.Helper()
	most += patience
	if d := time.Since(r.Start); d < least || d > most {
		t.Errorf("took %v, want %v to %v", d, least, most)
	}
}

// lasting checks that a run lasts for limit and at most 100 ms longer. It gets three tries, because a busy machine may
// need those 100 ms itself.
func lasting(t *testing.T, limit time.Duration, run func() Result) Result {
	t.Helper()
	for try := 1; ; try++ {
		r := run()
		d := time.Since(r.Start)
		if d >= limit && d <= limit+100*time.Millisecond {
			return r
		}
		if d < limit || d > limit+patience { // what the hooks started lasts a minute
			t.Errorf("took %v, want %v", d, limit)
		}
		if d < limit || try == 3 {
			return r
		}
	}
}

// gone fails unless the process with this id ends very soon; a zombie that some init is slow to reap has ended.
func gone(t *testing.T, id string) {
	t.Helper()
	pid, err := strconv.Atoi(id)
	if err != nil {
		t.Fatal(err)
	}
	for range 20000 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		if stat, err := os.ReadFile("/proc/" + id + "/stat"); err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("process %d is alive", pid)
}

// noChildren fails if this process keeps a child, dead or alive; a detached one takes a while to end.
func noChildren(t *testing.T) {
	t.Helper()
	for range 3000 {
		if childless() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("a child is left")
}

// appears waits until file has this content.
func appears(t *testing.T, file, want string) {
	t.Helper()
	var got []byte
	for range 3000 {
		if got, _ = os.ReadFile(file); string(got) == want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%s: %q, want %q", filepath.Base(file), got, want)
}

// absent fails if the file exists: its writer, which should outlive a caller that did not wait, has ended.
func absent(t *testing.T, file string) {
	t.Helper()
	if _, err := os.Stat(file); err == nil {
		t.Errorf("%s is there already", filepath.Base(file))
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Skip(err)
	}
	return len(all)
}

func write(t *testing.T, file, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func real(t *testing.T, dir string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// BenchmarkStart compares the same program started here, with both streams read, and with os/exec, with neither and
// with both.
func BenchmarkStart(b *testing.B) {
	argv := []string{"sh", "-c", ":"}
	env := os.Environ()
	b.Run("Run", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if r := Run(context.Background(), Spec{Argv: argv, Env: env, Stdin: []byte("{}"),
				Timeout: time.Minute}); r.Err != nil || r.Exit != 0 {
				b.Fatal(r)
			}
		}
	})
	b.Run("exec", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := exec.Command(argv[0], argv[1:]...).Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("exec-both", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var out, err strings.Builder
			cmd := exec.Command(argv[0], argv[1:]...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("{}"), &out, &err
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, n := range []int{2, 8} {
		b.Run("RunAll-"+strconv.Itoa(n), func(b *testing.B) {
			specs := make([]Spec, n)
			for i := range specs {
				specs[i] = Spec{Argv: argv, Env: env}
			}
			for b.Loop() {
				RunAll(context.Background(), specs)
			}
		})
	}
}

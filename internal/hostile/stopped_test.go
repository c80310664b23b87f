//go:build linux

package hostile

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

// TestStopped stops hookbridge at any moment of a call, for longer than its own work may take, and lets it continue:
// the answer is the guard's.
func TestStopped(t *testing.T) {
	calls, stopped := 2, 4*time.Second
	switch {
	case long():
		calls, stopped = 50, 10*time.Second
	case testing.Short():
		calls, stopped = 1, 3500*time.Millisecond
	}

	var all sync.WaitGroup
	for _, name := range []string{"cursor", "codex", "gemini", "qwen"} {
		host := dialect(t, name)
		row := rowFor(host, schema.PreTool)
		for range calls {
			p := newPlace(t)
			guard := p.put(t, "guard.sh", "#!/bin/sh\ncat >/dev/null\nsleep 0.05\necho no >&2\nexit 2\n", 0o700)
			stdin := p.payload(t, host, row, "s1", "echo "+strings.Repeat("x", 2<<20))
			cmd := p.command("run", "--host", name, "-c", guard)
			var out, errs bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errs
			at := rand.N(150 * time.Millisecond)
			all.Go(func() {
				if err := cmd.Start(); err != nil {
					t.Error(err)
					return
				}
				time.Sleep(at)
				if cmd.Process.Signal(syscall.SIGSTOP) == nil {
					time.Sleep(stopped)
					cmd.Process.Signal(syscall.SIGCONT)
				}
				cmd.Wait()
				o := outcome{exit: cmd.ProcessState.ExitCode(), stdout: out.String(), stderr: errs.String()}
				if o.exit != 0 || !denies(host, row, o.stdout) {
					t.Errorf("%s, stopped after %s: %v", name, at, o)
				}
			})
		}
	}
	all.Wait()
}

// TestFrozen stops hookbridge with its hook, as a container is frozen: time in which neither ran doesn't count for the
// hook.
func TestFrozen(t *testing.T) {
	p := newPlace(t)
	stdin, args := p.gate(t, "--timeout", "2")
	args[len(args)-1] = "sleep 1; echo no >&2; exit 2"
	cmd := p.command(args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := p.awaitHook(); err != nil {
		t.Fatal(err)
	}

	for _, sig := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		cmd.Process.Signal(sig)
		p.each(func(pid int, _ string) { syscall.Kill(pid, sig) })
		if sig == syscall.SIGSTOP {
			time.Sleep(4 * time.Second)
		}
	}
	cmd.Wait()
	o := outcome{exit: cmd.ProcessState.ExitCode(), stdout: out.String(), stderr: errs.String()}
	if err := o.sound(); err != nil || !refused(t, o) {
		t.Errorf("%v %v", err, o)
	}
}

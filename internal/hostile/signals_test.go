//go:build linux

package hostile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

// TestSignals ends hookbridge from outside at random times. No hook outlives it, no file is left, and its output so far
// is an answer or nothing.
func TestSignals(t *testing.T) {
	rounds, pause := 4, 400*time.Millisecond // earlier, it isn't ready for signals yet on a slow machine
	switch {
	case long():
		rounds = 200
	case testing.Short():
		rounds = 2
	}
	counts := map[string]int{}
	for i := range rounds {
		for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT} {
			p := newPlace(t)
			stdin, args := p.gate(t)
			args[len(args)-1] = "sleep 90 & sleep 90"
			if i%2 == 0 {
				args = append([]string{"run", "--fail-closed"}, args[1:]...)
			}
			cmd := p.command(args...)
			var out, errs bytes.Buffer
			cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if err := p.awaitHook(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(pause + rand.N(20*time.Millisecond))
			cmd.Process.Signal(sig)
			cmd.Wait()
			o := outcome{exit: cmd.ProcessState.ExitCode(), stdout: out.String(), stderr: errs.String()}
			if err := o.sound(); err != nil || (i%2 == 0) != refused(t, o) {
				t.Errorf("%v: %v %v", sig, err, o)
			}
			if err := p.clean(); err != nil {
				t.Errorf("%v: %v", sig, err)
				p.end()
			}
			counts[fmt.Sprintf("%v, exit %d", sig, o.exit)]++
		}
	}
	t.Logf("%v", counts)
}

// TestSignalLate ends hookbridge while the second round of hooks runs: those that their agent runs after the others, at
// its gate.
func TestSignalLate(t *testing.T) {
	p := newPlace(t)
	c := dialect(t, "claude")
	file := p.put(t, "hooks.json",
		`{"version":1,"hooks":{"preToolUse":[{"command":"true"}],"beforeShellExecution":[{"command":"sleep 90 & `+
			`sleep 90"}]}}`, 0o600)
	cmd := p.command("run", "--host", "claude", "--hooks", "cursor", "--fail-closed", "--config", file)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout = bytes.NewReader(p.payload(t, c, rowFor(c, schema.PreTool), "s1", "ls")), &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := p.awaitHook(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(400 * time.Millisecond)
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	if !denies(c, rowFor(c, schema.PreTool), out.String()) {
		t.Errorf("%v, %s", cmd.ProcessState, out.Bytes())
	}
	if err := p.clean(); err != nil {
		t.Error(err)
		p.end()
	}
}

// TestSIGPIPE sends the signal of a missing reader while a hook runs: it has no effect, and the guard's answer arrives.
func TestSIGPIPE(t *testing.T) {
	p := newPlace(t)
	stdin, args := p.gate(t)
	args[len(args)-1] = "sleep 1; echo no >&2; exit 2"
	cmd := p.command(args...)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout = bytes.NewReader(stdin), &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := p.awaitHook(); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		cmd.Process.Signal(syscall.SIGPIPE)
		time.Sleep(20 * time.Millisecond)
	}
	cmd.Wait()
	if o := (outcome{exit: cmd.ProcessState.ExitCode(), stdout: out.String()}); !refused(t, o) {
		t.Errorf("%v", o)
	}
}

// awaitHook waits until a hook of the place runs.
func (p *place) awaitHook() error {
	for range 12000 {
		for _, line := range p.processes() {
			if strings.HasPrefix(line, "sleep") {
				return nil
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return fmt.Errorf("no hook within a minute: %v", p.processes())
}

// TestDeafHost closes the streams that it should read, or doesn't read them. The answer arrives in what is still read.
func TestDeafHost(t *testing.T) {
	flood := "yes 'a long line of complaint' | head -c 2000000 >&2; echo no >&2; exit 2"
	for _, tt := range []struct {
		name, shell string
		holds       bool // the answer must be visible
	}{
		{"stderr closed", `exec "$@" 2>&-`, true},
		{"stderr of a reader that has gone", `{ exec 3>&1; "$@" 2>&1 >&3 3>&- | :; }`, true},
		{"stdout closed", `exec "$@" >&-`, false},
		{"stdout of a reader that has gone", `"$@" | :`, false},
		{"stdin closed", `exec "$@" <&-`, false},
		{"everything closed", `exec "$@" <&- >&- 2>&-`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPlace(t)
			p.wrap = []string{"bash", "-c", tt.shell, "bash"}
			stdin, args := p.gate(t)
			for _, hook := range []string{args[len(args)-1], flood, `echo '{"x":' ; echo bad >&2; exit 1`} {
				args[len(args)-1] = hook
				o := p.run(t, stdin, args...)
				if o.exit == 2 || tt.holds && !strings.Contains(hook, "exit 1") && !refused(t, o) {
					t.Errorf("%s: %v", hook, o)
				}
				if err := p.clean(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

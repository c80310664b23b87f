//go:build unix

package process

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

func TestExtend(t *testing.T) {
	run := func(script string, extend func([]byte) time.Duration) Result {
		return Run(context.Background(), Spec{Argv: []string{"sh", "-c", script}, Env: os.Environ(),
			Timeout: 2 * time.Second, Extend: extend})
	}
	asked := func(out []byte) time.Duration {
		if strings.Contains(string(out), "more") {
			return time.Minute
		}
		return 0
	}
	t.Run("longer", func(t *testing.T) {
		same(t, run("echo more; sleep 3; echo done", asked), Result{Stdout: []byte("more\ndone\n")})
	})
	t.Run("not asked for", func(t *testing.T) {
		got := run("echo x; sleep 60", asked)
		same(t, got, Result{Stdout: []byte("x\n"), Exit: -1, Signal: "SIGKILL", TimedOut: true})
		took(t, got, 2*time.Second, 4*time.Second)
	})
	t.Run("shorter", func(t *testing.T) {
		got := Run(context.Background(), Spec{Argv: []string{"sh", "-c", "echo x; sleep 60"}, Env: os.Environ(),
			Timeout: time.Minute, Extend: func([]byte) time.Duration { return time.Second }})
		same(t, got, Result{Stdout: []byte("x\n"), Exit: -1, Signal: "SIGKILL", TimedOut: true})
		took(t, got, time.Second, 10*time.Second)
	})
}

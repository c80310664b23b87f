//go:build linux

package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestFleetFigures measures the figures in docs/fleet.md. With HOOKBRIDGE_COLLECTOR it builds hookbridge and a
// collector, makes hook calls, and sends generated logs to the collector. It requires nothing of times; -v shows the
// figures.
func TestFleetFigures(t *testing.T) {
	dir := os.Getenv("HOOKBRIDGE_COLLECTOR")
	if dir == "" {
		t.Skip("HOOKBRIDGE_COLLECTOR names no folder to build the collector in: scripts/collector.sh")
	}
	program := filepath.Join(t.TempDir(), "hookbridge")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	project, file := t.TempDir(), filepath.Join(t.TempDir(), "run.log")
	hook := `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command",` +
		`"command":"\"$CLAUDE_PROJECT_DIR\"/guard.sh"}]}]}}`
	for name, text := range map[string]string{".claude/settings.json": hook, "guard.sh": "#!/bin/sh\nexit 0\n"} {
		path := filepath.Join(project, name)
		if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, []byte(text), 0o755) != nil {
			t.Fatal(path)
		}
	}
	const calls = 100
	var cpu time.Duration
	var peak int64
	for i := range calls {
		cmd := exec.Command(program, "run", "--host", "cursor", "--project", project, "--log", file)
		cmd.Env = append(os.Environ(), "HOOKBRIDGE_STATE_DIR="+filepath.Join(project, "state"), "HOME="+project)
		cmd.Stdin = strings.NewReader(
			fmt.Sprintf(`{"hook_event_name":"preToolUse","conversation_id":"3f2c8a10-6f0e-4d6c-9b6a-%012d",`+
				`"generation_id":"g",`+
				`"tool_name":"Shell","tool_input":{"command":"go test ./..."},"tool_use_id":"tool_%024d",`+
				`"cursor_version":"3.15.19","workspace_roots":[%q]}`, i, i, project))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		cpu += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		peak = max(peak, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, otlp, _ := output("log", "--format", "otlp", file)
	lines := strings.Split(strings.TrimSpace(otlp), "\n")
	if len(lines) != calls {
		t.Fatalf("%d lines", len(lines))
	}
	t.Logf("a hook call: %.1f ms of CPU with its hook, %d KiB of memory; a line of the log: %d bytes, as OTLP %d",
		float64(cpu.Microseconds())/1000/calls, peak, len(text)/calls, len(otlp)/calls)

	built, err := exec.Command("../../scripts/collector.sh", dir).Output()
	if err != nil {
		t.Skip("the collector can't be built here: ", err)
	}
	url, printed, end := runCollector(t, strings.TrimSpace(string(built)), "basic")
	const senders, requests = 8, 2000
	var wg sync.WaitGroup
	start := time.Now()
	for s := range senders {
		wg.Go(func() {
			for i := range requests / senders {
				r, err := http.Post(url+"/v1/logs", "application/json", strings.NewReader(lines[(s+i)%calls]))
				if err != nil || r.StatusCode != http.StatusOK {
					t.Error(err)
					return
				}
				r.Body.Close()
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	used := end()
	if n := strings.Count(printed(), `"log records": 1`); n != requests {
		t.Errorf("the collector received %d records of %d", n, requests)
	}
	if used != nil {
		u := used.SysUsage().(*syscall.Rusage)
		t.Logf("the collector: %d records, one a request, in %v: %.0f a second, %.3f ms of CPU each, %d MiB of memory",
			requests, took.Round(time.Millisecond),
			requests/took.Seconds(), float64((used.UserTime()+used.SystemTime()).Microseconds())/1000/requests,
			u.Maxrss>>10)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// windowsProject is a copy of examples/guard with other handlers, if not nil, in its file.
func windowsProject(t *testing.T, handler map[string]any) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my project")
	if err := os.CopyFS(dir, os.DirFS("../../examples/guard")); err != nil {
		t.Fatal(err)
	}
	if handler != nil {
		handler["type"] = "command"
		text, err := json.Marshal(map[string]any{"hooks": map[string]any{"PreToolUse": []any{map[string]any{
			"matcher": "Bash", "hooks": []any{handler}}}}})
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, ".claude", "settings.json"), string(text))
	}
	return dir
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// windowsPath is the PATH with a folder that has a stand-in for Git's bash in front.
func windowsPath(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	b, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "bash.exe"), b, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir + ";" + os.Getenv("PATH")
}

// windowsRun starts hookbridge.exe as a host does, with a call of a shell command, and returns its answer.
func windowsRun(t *testing.T, host dialect.Dialect, dir, path, command string, flags ...string) process.Result {
	t.Helper()
	input, _ := json.Marshal(map[string]string{"command": command})
	var payload []byte
	for _, row := range host.Profile().Events {
		p, err := sample.Payload(host, sample.Event{Event: row.Native, Tool: "shell", Input: input, Project: dir,
			Session: "s"})
		if row.Event == schema.PreTool && err == nil && row.Blocks&schema.EffectDeny != 0 {
			payload = p
			break
		}
	}
	if payload == nil {
		t.Fatal("no event asks before a command")
	}
	state := filepath.Join(filepath.Dir(dir), "state")
	home := filepath.Join(filepath.Dir(dir), "home")
	r := process.Run(context.Background(), process.Spec{Argv: append([]string{"hookbridge", "run", "--host",
		host.Profile().Name, "--hooks", "claude", "--project", dir}, flags...), Dir: dir, Stdin: payload,
		Env:     append(os.Environ(), "PATH="+path, "HOOKBRIDGE_STATE_DIR="+state, "HOME="+home, "USERPROFILE="+home),
		Timeout: 2 * time.Minute})
	byCode := []string{"auggie", "letta"} // which read a refusal from the exit code
	denied := r.Exit == 2 && slices.Contains(byCode, host.Profile().Name)
	if r.Err != nil || r.Exit != 0 && !denied || r.TimedOut || !json.Valid(r.Stdout) {
		t.Errorf("%s: %d %v %s %s", command, r.Exit, r.Err, r.Stdout, r.Stderr)
	}
	return r
}

// TestWindowsGuard holds that README's guard refuses what it is for under every host on Windows: as a shell script by
// Git's bash, as a batch file, as a program, and where nothing can start it.
func TestWindowsGuard(t *testing.T) {
	const reason = "rm -rf is not allowed"
	withBash := windowsPath(t)
	script, batch := windowsProject(t, nil), windowsProject(t, map[string]any{
		"command": `${CLAUDE_PROJECT_DIR}\.claude\hooks\guard.cmd`, "args": []string{}})
	put(t, filepath.Join(batch, ".claude", "hooks", "guard.cmd"), "@echo off\r\n"+
		"findstr /c:\"rm -rf\" >nul || exit /b 0\r\necho "+reason+" 1>&2\r\nexit /b 2\r\n")
	alone := filepath.Dir(process.Find("hookbridge", os.Environ())) // a PATH without any shell
	program := windowsProject(t, map[string]any{"command": "fake-hook", "args": []string{"err=" + reason, "exit=2"}})
	powershell := windowsProject(t, map[string]any{"command": "exit 0", "shell": "powershell"})
	for _, host := range adapter.Dialects() {
		name := host.Profile().Name
		if name == "claude" {
			continue // runs its own hooks
		}
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				what, dir, path, command, reason string
			}{
				{"bash", script, withBash, "rm -rf build", reason},
				{"bash", script, withBash, "ls", ""},
				{"a batch file", batch, os.Getenv("PATH"), "rm -rf build", reason},
				{"a program", program, os.Getenv("PATH"), "rm -rf build", reason},
				{"no bash", script, alone, "ls", "this shell isn't installed"},
				{"no PowerShell", powershell, alone, "ls", "this shell isn't installed"},
			} {
				r := windowsRun(t, host, c.dir, c.path, c.command)
				if has := strings.Contains(string(r.Stdout), c.reason) && c.reason != ""; has != (c.reason != "") ||
					c.reason == "" && strings.Contains(string(r.Stdout), reason) {
					t.Errorf("%s, %s: %s %s", c.what, c.command, r.Stdout, r.Stderr)
				}
			}
		})
	}
}

// TestWindowsEnds holds that a hook that hangs, floods or forks is ended with all that it started, and answers no call.
func TestWindowsEnds(t *testing.T) {
	host, err := adapter.Find("cursor")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"sleep=2h"}, {"flood", "flood", "sleep=2h"}, {"fork", "sleep=2h"},
		{"fork", "fork", "sleep=2h"}} {
		b, err := os.ReadFile(process.Find("fake-hook", os.Environ()))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "fake-hook.exe") // can't be removed while it runs
		if err := os.WriteFile(file, b, 0o700); err != nil {
			t.Fatal(err)
		}
		dir := windowsProject(t, map[string]any{"command": file, "args": args, "timeout": 2})
		r := windowsRun(t, host, dir, os.Getenv("PATH"), "ls")
		if !bytes.Contains(r.Stderr, []byte("HB")) {
			t.Errorf("%q: %s %s", args, r.Stdout, r.Stderr)
		}
		if err := os.Remove(file); err != nil {
			t.Errorf("%q: still runs: %v", args, err)
		}
	}
}

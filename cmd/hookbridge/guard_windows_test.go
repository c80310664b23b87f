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
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// windowsProject copies examples/guard and puts handler into its file, if not nil. The folder's name has characters
// that are special to shells.
func windowsProject(t *testing.T, handler map[string]any) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my (own) & ^pr!oj=ect")
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

// windowsPath returns the PATH after a folder with stand-ins for Git's bash and for PowerShell.
func windowsPath(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"bash.exe", "sh.exe", "powershell.exe", "pwsh.exe"} {
		if file := filepath.Join(dir, name); os.Link(os.Args[0], file) != nil {
			if err := linkOrCopy(os.Args[0], file); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir + ";" + os.Getenv("PATH")
}

// windowsHookbridge runs hookbridge.exe in a project, with a home and session files next to the project.
func windowsHookbridge(t *testing.T, dir, path string, stdin []byte, args ...string) process.Result {
	t.Helper()
	home := filepath.Join(filepath.Dir(dir), "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	return process.Run(context.Background(), process.Spec{Argv: append([]string{"hookbridge"}, args...), Dir: dir,
		Stdin: stdin, Timeout: 2 * time.Minute, Env: append(os.Environ(), "PATH="+path, "HOME="+home,
			"USERPROFILE="+home, "HOOKBRIDGE_STATE_DIR="+filepath.Join(filepath.Dir(dir), "state"))})
}

// windowsRun starts hookbridge.exe with a host's call of a shell command and returns its answer.
func windowsRun(t *testing.T, host dialect.Dialect, dir, path, command string) process.Result {
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
	r := windowsHookbridge(t, dir, path, payload, "run", "--host", host.Profile().Name, "--hooks", "claude",
		"--project", dir)
	byCode := []string{"auggie", "letta"} // these read a denial from the exit code
	denied := r.Exit == 2 && slices.Contains(byCode, host.Profile().Name)
	if r.Err != nil || r.Exit != 0 && !denied || r.TimedOut || !json.Valid(r.Stdout) {
		t.Errorf("%s: %d %v %s %s", command, r.Exit, r.Err, r.Stdout, r.Stderr)
	}
	return r
}

// TestWindowsGuard checks that the README's guard denies its command under every host on Windows: as a shell script in
// Git's bash, as a batch file, as a program, and if nothing can start it. The host starts the entry that install has
// written in the shell that the host uses there.
func TestWindowsGuard(t *testing.T) {
	const reason = "rm -rf is not allowed"
	withShells := windowsPath(t)
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
		cases := 2
		if name == "cursor" {
			cases = 4 // other hosts differ only in these
		}
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct {
				what, dir, path, command, reason string
			}{
				{"a batch file", batch, os.Getenv("PATH"), "rm -rf build", reason},
				{"no bash", script, alone, "ls", "this shell isn't installed"},
				{"a program", program, os.Getenv("PATH"), "rm -rf build", reason},
				{"no PowerShell", powershell, alone, "ls", "this shell isn't installed"},
			}[:cases] {
				r := windowsRun(t, host, c.dir, c.path, c.command)
				if !strings.Contains(string(r.Stdout), c.reason) {
					t.Errorf("%s, %s: %s %s", c.what, c.command, r.Stdout, r.Stderr)
				}
			}
			windowsEntry(t, host, withShells, reason)
		})
	}
}

// windowsEntry has a host start its entries: one that names hookbridge, and one that starts the project's launcher. It
// leaves out launcher entries for bash, because the stand-in can't run them.
func windowsEntry(t *testing.T, host dialect.Dialect, path, reason string) {
	t.Helper()
	name, starts := host.Profile().Name, host.Profile().Starts
	forms := [][]string{nil, {"--launcher", "--missing", "closed"}}
	switch {
	case !plan.InProjects(host):
		forms = [][]string{{"--scope", "user"}}
	case starts.Windows == dialect.AsElsewhere:
		forms = forms[:1]
	case starts.Windows == dialect.NotThere:
		forms = nil
	}
	for _, flags := range forms {
		dir := windowsProject(t, nil)
		do := func(args ...string) {
			r := windowsHookbridge(t, dir, path, nil, args...)
			if r.Err != nil || r.Exit != 0 {
				t.Errorf("%q, %q: %d %v %s %s", flags, args, r.Exit, r.Err, r.Stdout, r.Stderr)
			}
			if says := slices.Contains(args, "deny"); strings.Contains(string(r.Stdout), reason) != says {
				t.Errorf("%q, %q: %s", flags, args, r.Stdout)
			}
		}
		do(append([]string{"install", "--host", name, "--hooks", "claude"}, flags...)...)
		if !plan.InProjects(host) {
			do("trust", dir)
		}
		do("fire", "--spawn", "--host", name, "--project", dir, "--expect", "deny", `shell "rm -rf build"`)
		if !slices.Contains(flags, "--launcher") {
			do("fire", "--spawn", "--host", name, "--project", dir, "--expect", "none", `shell "ls"`)
		}
	}
}

// TestWindowsVariables checks that cmd.exe expands variables in the commands of an agent that starts its hooks with it.
// Text from the call must not be expanded.
func TestWindowsVariables(t *testing.T) {
	host, err := adapter.Find("claude")
	if err != nil {
		t.Fatal(err)
	}
	dir := windowsProject(t, nil)
	hooks := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"\"%USERPROFILE%\\guard.cmd\""}]}]}}`
	for file, text := range map[string]string{filepath.Join(dir, ".commandcode", "settings.json"): hooks,
		filepath.Join(filepath.Dir(dir), "home", "guard.cmd"): "@echo off\r\n" +
			"findstr /c:\"%%USERPROFILE%%\" >nul || exit /b 0\r\necho as it is written 1>&2\r\nexit /b 2\r\n"} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, file, text)
	}
	for command, denied := range map[string]bool{"echo %USERPROFILE%": true, "ls": false} {
		payload, err := sample.Payload(host, sample.Event{Event: "PreToolUse", Tool: "shell",
			Input: []byte(`{"command":"` + command + `"}`), Project: dir, Session: "s"})
		if err != nil {
			t.Fatal(err)
		}
		r := windowsHookbridge(t, dir, os.Getenv("PATH"), payload, "run", "--host", "claude", "--hooks", "commandcode",
			"--project", dir)
		if r.Exit != 0 || strings.Contains(string(r.Stdout), "as it is written") != denied {
			t.Errorf("%s: %d %s %s", command, r.Exit, r.Stdout, r.Stderr)
		}
	}
}

// TestWindowsDoctor checks that doctor reports a guard before its call if its shell is missing or can't read its lines,
// and doesn't report a working one.
func TestWindowsDoctor(t *testing.T) {
	alone := filepath.Dir(process.Find("hookbridge", os.Environ()))
	for _, c := range []struct {
		path  string
		crlf  bool
		says  string
		what  string
		other bool // init and install report it too
	}{
		{windowsPath(t), false, "", "bash is there", true},
		{alone, false, "isn't installed", "bash is missing", true},
		{windowsPath(t), true, "carriage returns", "a checkout with carriage returns", false},
	} {
		dir := windowsProject(t, nil)
		if guard := filepath.Join(dir, ".claude", "hooks", "guard.sh"); c.crlf {
			text, err := os.ReadFile(guard)
			if err != nil {
				t.Fatal(err)
			}
			put(t, guard, strings.ReplaceAll(string(text), "\n", "\r\n"))
		}
		for _, args := range [][]string{{"install", "--host", "cursor", "--hooks", "claude"}, {"doctor"},
			{"init", "--yes", "--host", "gemini"}} {
			if args[0] != "doctor" && !c.other {
				continue
			}
			r := windowsHookbridge(t, dir, c.path, nil, args...)
			said := string(r.Stdout) + string(r.Stderr)
			for _, fault := range []string{"isn't installed", "carriage returns", "executable", "not found"} {
				if strings.Contains(said, fault) != (fault == c.says) {
					t.Errorf("%s: %q: %q is said or missing: %s", c.what, args, fault, said)
				}
			}
		}
	}
}

// TestWindowsEnds checks that a hook that hangs, floods or forks is ended together with everything it started, and
// answers no call.
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

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSimulationAgreesWithRun compares a simulated host's entries run in process with the same entries started as
// programs. The decision, and what the host acts upon at each event, must agree, also for entries edited by hand.
func TestSimulationAgreesWithRun(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are shell commands")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "bin", cmdline.Program)
	mustWrite(t, filepath.Join(dir, "bin", "x"), "")
	if err := os.Symlink(executable, program); err != nil {
		t.Skip(err)
	}
	project := filepath.Join(dir, "project")
	mustWrite(t, filepath.Join(project, ".claude", "settings.json"), `{"hooks":{
		"PreToolUse":[{"matcher":"Bash|Write","hooks":[{"type":"command","command":"sh guard.sh"}]}],
		"PostToolUse":[{"hooks":[{"type":"command","command":"echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUse\",\"additionalContext\":\"after\"}}'"}]}],
		"UserPromptSubmit":[{"hooks":[{"type":"command","command":"grep -q secret && exit 2; echo hello"}]}],
		"SessionStart":[{"hooks":[{"type":"command","command":"echo start"}]}],
		"Stop":[{"hooks":[{"type":"command","command":"echo more >&2; exit 2"}]}]}}`)
	mustWrite(t, filepath.Join(project, "guard.sh"), `case $(cat) in
*'rm -rf'*) echo "no" >&2; exit 2 ;;
*askme*) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}}' ;;
*other*) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"ls"}}}' ;;
*broken*) frobnicate ;;
esac
`)
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	login := filepath.Join(dir, "bin", "sh") // this machine's profile may set another PATH
	mustWrite(t, login, "#!/bin/sh\nshift\nexec /bin/sh -c \"$@\"\n")
	if err := os.Chmod(login, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SHELL", login)
	at := schema.Places{OS: runtime.GOOS, Home: filepath.Join(dir, "home"), Project: project, Env: os.Environ()}
	edits := []string{" --ask allow", " --frobnicate", " --project /nowhere", " --project /nowhere --fail-closed",
		" --timeout 60", " --host claude"}
	for i, d := range adapter.Dialects() {
		if testing.Short() && i%5 != 0 {
			continue
		}
		name := d.Profile().Name
		if name != adapter.Default {
			scope := "project"
			if install.FileOf(d, at, schema.ScopeProject) == "" {
				scope = "user"
			}
			args := []string{"install", "--host", name, "--scope", scope, "--project", project, "--ask", "relay"}
			if code, out, errs := output(args...); code != cli.OK {
				t.Fatalf("%s: %s%s", name, out, errs)
			}
		}
		agreeWithRun(t, d, at, program, "", "shell ls", "shell 'rm -rf /'", "shell askme", "shell other",
			"shell broken", "write a.txt x", "prompt hi", "prompt secret", "stop", "session-start")
		src := lists.Find(d.Locate(at), func(s *schema.Source) bool { return s.Scope == schema.ScopeProject })
		if name == adapter.Default || src == nil {
			continue
		}
		for _, file := range discover.Files(*src) {
			text, err := os.ReadFile(file.File)
			if err != nil {
				continue
			}
			for j, edit := range edits {
				if testing.Short() && (i/5+j)%3 != 0 {
					continue
				}
				mustWrite(t, file.File, strings.ReplaceAll(string(text), " --scope project", " --scope project"+edit))
				agreeWithRun(t, d, at, program, edit, "shell 'rm -rf /'", "shell askme", "prompt secret")
			}
			mustWrite(t, file.File, string(text))
		}
	}
}

func agreeWithRun(t *testing.T, d adapter.Dialect, at schema.Places, program, edit string, lines ...string) {
	t.Helper()
	name := d.Profile().Name + edit
	for _, line := range lines {
		call, err := scenario.ParseLine(line)
		if err != nil {
			t.Fatal(err)
		}
		var shown [2]string
		for i := range shown {
			host := common.HostIn(d, at)
			host.Program.File, host.Spawn = program, i == 1
			action, why, err := common.ActionOf(d, call)
			if err != nil || why != "" {
				continue
			}
			out, err := simulate.Simulate(context.Background(), host, action)
			if err != nil {
				t.Fatal(err)
			}
			shown[i] = out.Decision
			for _, s := range out.Steps {
				shown[i] += fmt.Sprintf("\n%s %d entries: %s reason %q context %q input %s", s.Event, len(s.Runs),
					strings.Join(s.Reply.Uses().Names(), ","),
					s.Reply.Reason, s.Reply.Context+s.Reply.Feedback, schema.AppendNamed(nil, s.Reply.Input))
				for _, r := range s.Runs {
					if called := strings.HasPrefix(r.Hook.Command, cmdline.Program+" run"); called && !r.Unanswered &&
						r.Result.Exit != cli.WrongUsage && (r.Inside == nil) != (i == 1) {
						t.Errorf("%s %s: %s ran in process: %v", name, line, s.Event, r.Inside != nil)
					}
				}
			}
		}
		if shown[0] != shown[1] {
			t.Errorf("%s %s: in process\n%s\nstarted\n%s", name, line, shown[0], shown[1])
		}
	}
}

func mustWrite(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

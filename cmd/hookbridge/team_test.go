package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestTeam follows only docs/team.md: its commands set the project up, and those of its workflow pass there. Each
// change that alters a guard must make one of them fail.
func TestTeam(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples are shell scripts")
	}
	page := string(read(t, "../../docs/team.md"))
	_, rest, _ := strings.Cut(page, runMark)
	folder, _, _ := strings.Cut(rest, " -->")
	w := newWalk(t, folder)
	for _, m := range regexp.MustCompile(`(?m)^\$ (.*)$`).FindAllStringSubmatch(page, -1) {
		w.run(t, m[1])
	}

	var checks []string
	for _, m := range regexp.MustCompile(`(?m)^ +- run: (hookbridge .*)$`).FindAllStringSubmatch(page, -1) {
		checks = append(checks, m[1])
	}
	if len(checks) != 4 {
		t.Fatalf("the workflow has the commands %q", checks)
	}
	red := func() (failed string) { // the first command that fails
		for _, command := range checks {
			if out := w.run(t, command); strings.Contains(out, "[exit status ") {
				return command
			}
		}
		return ""
	}
	if failed := red(); failed != "" {
		t.Fatalf("after the setup this fails: %s", failed)
	}

	for i, change := range []struct{ name, command string }{
		{"launcher deleted", "rm .hookbridge/run"},
		{"launcher edited", "printf '#!/bin/sh\nexit 0\n' > .hookbridge/run"},
		{"launcher not executable", "chmod 644 .hookbridge/run"},
		{"launcher for cmd deleted", "rm .hookbridge/run.cmd"},
		{"launcher for cmd edited", "echo exit 0 > .hookbridge/run.cmd"},
		{"entries deleted", "rm .cursor/hooks.json"},
		{"entries and folder deleted", "rm -r .codex"},
		{"entry emptied", "echo '{\"version\":1,\"hooks\":{}}' > .cursor/hooks.json"},
		{"entry does nothing", "sed -i.bak 's,.hookbridge/run run,true run,' .cursor/hooks.json"},
		{"entry of another agent", "sed -i.bak 's,--hooks claude,--hooks qoder,' .cursor/hooks.json"},
		{"entry without --fail-closed", "sed -i.bak 's, --fail-closed,,' .codex/hooks.json"},
		{"entry narrowed", "sed -i.bak 's,\\^(?!MCP:),^Write$,' .cursor/hooks.json"},
		{"hooks switched off", "printf '{\"disableAllHooks\":true}' > .claude/settings.json"},
		{"guard deleted", "rm .claude/hooks/no-rm.sh"},
		{"guard not executable", "chmod 644 .claude/hooks/no-rm.sh"},
		{"guard allows", "printf '#!/bin/sh\nexit 0\n' > .claude/hooks/no-rm.sh"},
		{"guard's matcher changed", "sed -i.bak 's,\"Bash\",\"Bsh\",' .claude/settings.json"},
		{"guard's entry deleted", "echo '{\"hooks\":{}}' > .claude/settings.json"},
		{"agent's file has a mistake", "echo '{' > .github/hooks/hookbridge.json"},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		kept := filepath.Join(w.root, "kept")
		err := os.CopyFS(kept, os.DirFS(w.project))
		w.run(t, change.command)
		if red() == "" {
			t.Errorf("%s: no command of the check fails", change.name)
		}
		err = errors.Join(err, os.RemoveAll(w.project), os.Rename(kept, w.project))
		if err != nil {
			t.Fatal(err)
		}
	}
	if failed := red(); failed != "" {
		t.Errorf("in the restored project this fails: %s", failed)
	}
}

package claude

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// notRunners are words in Claude Code's program that are listed with runners, but after which no rule looks for a
// command. A rule for a command denied none of these before the command (observed 2.1.332).
var notRunners = []string{"arch", "ash", "busybox", "caffeinate", "chronic", "cmd", "coproc", "csh", "entr", "eval",
	"find", "fish", "gtimeout", "hush", "mksh", "numactl", "parallel", "powershell", "proxychains", "proxychains4",
	"pwsh", "rbash", "rsh", "runuser", "sem", "setpriv", "sshpass", "su", "tcsh", "torsocks", "toybox", "tsocks",
	"unbuffer", "wsl", "zargs"}

// TestRunners checks that every word in the program's list of commands that run another is a runner, a shell, or known
// to be neither. If a newer client has further ones, they have to be examined. Its snapshot is the repository's, or in
// the folder given by scripts/drift.
func TestRunners(t *testing.T) {
	folder := cmp.Or(os.Getenv("HOOKBRIDGE_CLIENT_NAMES"), filepath.Join(material.Root(t), "conformance", "clients"))
	files, err := filepath.Glob(filepath.Join(folder, "claude-*.json"))
	if err != nil || len(files) == 0 {
		t.Skip("no snapshot of Claude Code") // drift examines one agent at a time
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	list, err := ordjson.Elements(ordjson.At(text, "/runners"), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		word, _ := ordjson.String(m.Value)
		listed[word] = true
		known := slices.Contains(runners, word) || slices.Contains(shells, word) ||
			slices.Contains(notRunners, word)
		if !known {
			t.Errorf("%s: %q may run the command behind it: try a rule with it", filepath.Base(files[0]), word)
		}
	}
	for _, word := range slices.Concat(runners, shells, notRunners) {
		if !listed[word] {
			t.Errorf("%s doesn't list %q any more", filepath.Base(files[0]), word)
		}
	}
}

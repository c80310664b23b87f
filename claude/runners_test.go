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

// notRunners are words that the program of Claude Code lists beside runners, and behind which no rule looks (observed
// 2.1.332: a rule for a command denied none of these before the command).
var notRunners = []string{"arch", "ash", "busybox", "caffeinate", "chronic", "cmd", "coproc", "csh", "entr", "eval",
	"find", "fish", "gtimeout", "hush", "mksh", "numactl", "parallel", "powershell", "proxychains", "proxychains4",
	"pwsh", "rbash", "rsh", "runuser", "sem", "setpriv", "sshpass", "su", "tcsh", "torsocks", "toybox", "tsocks",
	"unbuffer", "wsl", "zargs"}

// TestRunners holds that every word which the program lists as a command that runs another is a runner, a shell, or was
// seen to be neither: a newer client with further ones has to be looked at. Its snapshot is that of the repository, or
// of the folder that scripts/drift names.
func TestRunners(t *testing.T) {
	folder := cmp.Or(os.Getenv("HOOKBRIDGE_CLIENT_NAMES"), filepath.Join(material.Root(t), "conformance", "clients"))
	files, err := filepath.Glob(filepath.Join(folder, "claude-*.json"))
	if err != nil || len(files) == 0 {
		t.Skip("no snapshot of Claude Code") // drift looks at one agent alone
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

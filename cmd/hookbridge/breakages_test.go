package main

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// breakages are changes that disable guards in a healthy project, with the code of doctor's report for each and the
// host to check. A fix that is a command line is run, and then doctor must be satisfied. If a person has to write
// something, the fix names the place.
var breakages = []struct {
	name, do   string
	host, code string
	fix        string // pattern of a fix that isn't a command
}{
	{"the script isn't executable", "chmod -x .claude/hooks/guard.sh", "cursor", "HB301", ""},
	{"the script is gone", "rm .claude/hooks/guard.sh", "cursor", "HB301",
		`correct the command at .claude/settings.json:7$`},
	{"the entry is gone", "rm .cursor/hooks.json", "cursor", "HB401", ""},
	{"the entry is for another event", "sed -i.bak s/preToolUse/stop/ .cursor/hooks.json", "cursor", "HB401", ""},
	{"the entry names a program that isn't there",
		"sed -i.bak 's/\"hookbridge run/\"hookbridge2 run/' .cursor/hooks.json", "cursor", "HB401", ""},
	{"the entry is there twice", `sed -i.bak 's/"preToolUse": \[/&{"command":"hookbridge run --host cursor --hooks ` +
		`claude --scope project"},/' .cursor/hooks.json`, "cursor", "HB402", ""},
	{"the hooks are converted beside hookbridge",
		"hookbridge convert --from claude --to cursor --merge .cursor/hooks.json", "cursor", "HB402", ""},
	{"the host imports the file", "sed -i.bak 's/, *\"timeoutSec\": *0//' .claude/settings.json", "copilot", "HB403",
		""},
	{"the matcher is broken", `sed -i.bak 's/"Bash"/"Bash("/' .claude/settings.json`, "cursor", "HB104",
		`correct the matcher at .claude/settings.json:\d+$`},
	{"all hooks are switched off", `sed -i.bak 's/^{/{"disableAllHooks":true,/' .claude/settings.json`, "cursor",
		"HB106", `remove that setting`},
	{"the file isn't JSON", "echo '}' >>.claude/settings.json", "cursor", "HB001", ``},
	{"a user's entry waits for trust", "hookbridge uninstall --host cursor; hookbridge install --host cursor " +
		"--hooks claude --scope user", "cursor", "HB313", ""},
}

var commandLine = regexp.MustCompile(`^(hookbridge|chmod) `)

// TestBreakages breaks a healthy project, runs doctor once, and applies its fix.
func TestBreakages(t *testing.T) {
	if _, err := exec.LookPath("sed"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no sed")
	}
	for _, b := range breakages {
		t.Run(b.name, func(t *testing.T) {
			w := newWalk(t, "examples/guard")
			w.run(t, "mkdir -p .cursor .github; echo 'facts: {cursor: {third-party-imports: off}}' "+
				">hookbridge.yaml; hookbridge install --host cursor,copilot --hooks claude")
			doctor := "hookbridge doctor --hooks claude --host " + b.host
			if out := w.run(t, doctor); strings.Contains(out, "[exit status") {
				t.Fatal("not healthy: ", out)
			}
			w.run(t, b.do)
			if out := w.run(t, doctor); !strings.Contains(out, "[exit status 1]") || !strings.Contains(out, b.code) {
				t.Fatalf("doctor doesn't see it: %s", out)
			}
			fix, found := w.fixOf(t, doctor, b.code)
			switch {
			case !found:
				t.Fatalf("no finding %s", b.code)
			case commandLine.MatchString(fix):
				pasted := w.run(t, fix)
				if out := w.run(t, doctor); strings.Contains(out, "[exit status") {
					t.Errorf("after %s\n%s%s", fix, pasted, out)
				}
			case b.fix == "" && b.code != "HB001" || !regexp.MustCompile(b.fix).MatchString(fix):
				t.Errorf("the fix is %q", fix)
			}
		})
	}
}

// fixOf returns the fix of the first problem with a code.
func (w *walk) fixOf(t *testing.T, doctor, code string) (fix string, found bool) {
	t.Helper()
	out := w.run(t, doctor+" --json")
	out, _, _ = strings.Cut(out, "\n[exit")
	var list []struct {
		Problems []struct{ Code, Fix string }
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, f := range list {
		for _, p := range f.Problems {
			if p.Code == code {
				return strings.ReplaceAll(p.Fix, "/home/you", w.root+"/you"), true
			}
		}
	}
	return "", false
}

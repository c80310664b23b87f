package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// mutantCases are the wrong implementations in testdata/mutant, and the vectors that detect them: exactly the vectors
// for which says holds must fail.
var mutantCases = []struct {
	name string
	says func(*Vector) bool
}{
	{"right", func(*Vector) bool { return false }},
	{"swaps-allow-and-deny", func(v *Vector) bool {
		return output(v, `"(allow|deny)"`) || v.Verdict == "deny" || v.Verdict == "allow"
	}},
	{"drops-reasons", func(v *Vector) bool {
		return output(v, `"(user_message|agent_message|permissionDecisionReason|reason|message|stopReason)":"`)
	}},
	{"narrows-matchers", func(v *Vector) bool { return output(v, `"matcher":"`) }},
	{"forgets-timeouts", func(v *Vector) bool { return output(v, `"timeout":[0-9]`) }},
	{"loses-unknown-members", func(v *Vector) bool { return output(v, `"new_member"`) }},
	{"exits-0-for-everything", func(v *Vector) bool {
		return slices.ContainsFunc(v.Process, func(p Process) bool {
			return p.Exit != 0 && p.runs() > 0 && !heardAnyhow[v.ID]
		})
	}},
	{"sees-one-file-of-a-patch", func(v *Vector) bool { return input(v, `Begin Patch.* File: .* File: `) }},
	{"forgets-where-a-file-moves", func(v *Vector) bool {
		return input(v, `Move to: `) && !strings.HasSuffix(v.ID, "-source")
	}},
	{"sees-no-patch-in-a-command", func(v *Vector) bool { return input(v, `apply_patch <<`) }},
	{"says-nothing-is-lost", func(v *Vector) bool { return len(v.Findings) > 0 }},
	{"always-silent", func(v *Vector) bool {
		return string(v.Output) != "{}" && v.Verdict == "" || len(v.Findings) > 0 || v.Verdict != "" &&
			v.Verdict != "none"
	}},
}

// runsAsked are the run vectors for a mutant: they take time, and most mistakes show elsewhere. Without a glob, there
// are none.
var runsAsked = map[string]string{
	"right": "run/*/deny-*", "swaps-allow-and-deny": "run/*/*json*", "drops-reasons": "run/*/deny-*",
	"exits-0-for-everything": "*", "always-silent": "run/*/deny-*",
	"sees-one-file-of-a-patch": "run/*/patch-*", "forgets-where-a-file-moves": "run/*/patch-*",
	"sees-no-patch-in-a-command": "run/*/patch-*"}

// heardAnyhow are run vectors with the same result whatever the exit code is.
var heardAnyhow = map[string]bool{
	"run/claude-to-cursor/goes-on": true, // nothing counts after the hook reports that it continues
}

// output reports whether the expected output of v matches the expression.
func output(v *Vector, expression string) bool {
	return regexp.MustCompile(expression).Match(ordjson.AppendCompact(nil, v.Output))
}

// input reports whether the host's payload in v matches the expression.
func input(v *Vector, expression string) bool {
	return regexp.MustCompile(expression).Match(ordjson.AppendCompact(nil, v.Input))
}

// TestMutants runs wrong implementations, as programs: each must fail on exactly the vectors that detect it.
func TestMutants(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell")
	}
	if testing.Short() {
		t.Skip("runs the suite once for each mutant")
	}
	file := filepath.Join(t.TempDir(), "mutant")
	if out, err := exec.Command("go", "build", "-o", file, "./testdata/mutant").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	list := loaded(t)
	t.Logf("%-24s %8s %8s", "mutant", "fails", "of")
	for _, c := range mutantCases {
		asked := slices.DeleteFunc(slices.Clone(list), func(v Vector) bool {
			return v.Op == OpRun && !Match(runsAsked[c.name], v.ID)
		})
		p := &Program{Argv: []string{file, c.name}, Env: os.Environ(), Limit: time.Minute}
		r := ownRunner(t)
		r.Impl = p
		fails, says := 0, 0
		r.Run(t.Context(), asked, func(res Result) {
			if c.says(res.Vector) {
				says++
			}
			if res.Outcome == Failed {
				fails++
			}
			if said := c.says(res.Vector); said != (res.Outcome == Failed) {
				t.Errorf("%s: %s %s: %q", c.name, res.Vector.ID, res.Outcome, res.Wrong)
			}
		})
		p.Close()
		if says == 0 && c.name != "right" {
			t.Errorf("no vector says anything about %s", c.name)
		}
		t.Logf("%-24s %8d %8d", c.name, fails, len(asked))
	}
}

// TestOtherLanguage checks that the translator in testdata supports what it claims.
func TestOtherLanguage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	list := slices.DeleteFunc(loaded(t), func(v Vector) bool {
		return !Match("reply/claude-to-cursor/pre-tool-use-*", v.ID)
	})
	p := &Program{Argv: []string{python, "testdata/translator.py"}, Env: os.Environ(), Limit: time.Minute}
	defer p.Close()
	r := ownRunner(t)
	r.Impl = p
	passed := 0
	r.Run(t.Context(), list, func(res Result) {
		if res.Outcome == Passed {
			passed++
		} else {
			t.Errorf("%s %s: %q %s", res.Vector.ID, res.Outcome, res.Wrong, res.Reason)
		}
	})
	if passed < 10 {
		t.Errorf("%d passed", passed)
	}
}

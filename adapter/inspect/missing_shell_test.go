package inspect

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestMissingShell checks that a hook whose shell is missing on Windows is reported before it denies calls, for any
// path of the shell. Other hooks and other systems aren't reported.
func TestMissingShell(t *testing.T) {
	for _, d := range adapter.Dialects() {
		for _, os := range []string{"windows", "linux"} {
			for _, args := range [][]string{nil, {}} {
				h := schema.Hook{Handler: schema.HandlerCommand, Command: "true", Args: args}
				p := schema.Places{OS: os, Project: t.TempDir(), Env: schema.Environ{"PATH=/nowhere"}}
				spec, err := specIn(d, &h, p)
				if err != nil || len(spec.Argv) < 2 && args == nil {
					continue // it starts only programs
				}
				problem, fix := CommandProblem(d, &h, p)
				want := os == "windows" && args == nil
				if got := strings.Contains(problem, "refuses each call"); got != want || want && fix == "" {
					t.Errorf("%s on %s, %q: %q %q", d.Profile().Name, os, args, problem, fix)
				}
			}
		}
	}
}

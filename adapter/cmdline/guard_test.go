package cmdline

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
)

// TestGuardCommand checks that a guard's rule is read back unchanged, with any characters and any agent that starts it.
func TestGuardCommand(t *testing.T) {
	for _, host := range append(adapter.Names(), "") {
		for _, rule := range []string{"Bash(rm *)", "Read(.env)", "Bash(it's a \"$HOME\" `x`)", "Bash(a\\(b\\))"} {
			command := GuardCommand(host, rule)
			call, ok := Parse(command, nil)
			if !ok || !slices.Equal(call.Rules, []string{rule}) || call.Value("host") != host || call.FindsHooks() ||
				call.LooksForHooks() || call.Command() != command {
				t.Errorf("%s is read as %q for %q, %v", command, call.Rules, call.Value("host"), ok)
			}
			if GuardsHost(command, nil) != (host != "") {
				t.Errorf("%s is the agent's alone: %v", command, host == "")
			}
		}
	}
	for _, none := range []string{"hookbridge run --host cursor", "hookbridge guard", "./guard.sh"} {
		if call, _ := Parse(none, nil); len(call.Rules) > 0 || GuardsHost(none, nil) {
			t.Errorf("%s is taken for a guard", none)
		}
	}
}

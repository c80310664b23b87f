package cmdline

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/shell"
)

// TestRows checks the table of flags: it finds empty rows, and rows that install and hookbridge.yaml can't use.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range flagRows {
		if seen[r.Name] {
			t.Errorf("--%s has two rows", r.Name)
		}
		seen[r.Name] = true
		switch {
		case r.Removed && (r.Entries != "" || r.Settable || r.Wraps):
			t.Errorf("--%s is removed, and still written", r.Name)
		case !r.Removed && r.Help == "":
			t.Errorf("--%s has no help", r.Name)
		case r.Settable && r.Entries == "":
			t.Errorf("hookbridge.yaml may set --%s, which install doesn't write", r.Name)
		case (r.Kind == Switch) != (r.Arg == ""):
			t.Errorf("--%s: only a switch has no value", r.Name)
		case r.Default != "" && !r.Takes(r.Default):
			t.Errorf("--%s: %q isn't a value of it", r.Name, r.Default)
		}
	}
}

// TestRoundTrip writes every flag and reads it back from an entry.
func TestRoundTrip(t *testing.T) {
	values := map[Kind]string{Text: "it's $x", Number: "2.5", Whole: "3", List: "a b"}
	for _, r := range flagRows {
		value := values[r.Kind]
		if words := r.Words(); words != nil {
			value = words[0]
		}
		c := Call{Flags: []Flag{{r.Name, value}}}
		got, ok := Parse(c.Command(), nil)
		if !ok || len(got.Flags) != 1 || got.Flags[0] != c.Flags[0] {
			t.Errorf("%s: read as %+v", c.Command(), got.Flags)
		}
	}
}

func TestUnknownFlags(t *testing.T) {
	for command, unknown := range map[string]string{
		"hookbridge run --host cursor --next --hooks claude":   "next",
		"hookbridge run --next 3 --host cursor --hooks claude": "next",
		"hookbridge run --host cursor --hooks claude --next":   "next",
		"hookbridge run --host cursor --hooks claude":          "",
	} {
		call, ok := Parse(command, nil)
		if !ok || !call.Installed("cursor", "claude") || strings.Join(call.Unknown(), ",") != unknown {
			t.Errorf("%s: an entry of install: %v, unknown %q", command, ok, call.Unknown())
		}
	}
}

// TestWeaker compares an entry's flags with those of a call that runs the same hooks.
func TestWeaker(t *testing.T) {
	for _, tt := range []struct {
		entry, own string
		weaker     bool
	}{
		{"", "", false},
		{"--host cursor --scope user --log /l --pin-hooks", "", false},
		{"--fail-closed", "", false},
		{"", "--fail-closed", true},
		{"--fail-closed=false", "--fail-closed", true},
		{"--require-trust", "", true},
		{"--require-trust", "--require-trust", false},
		{"--ask allow", "", true},
		{"--ask allow", "--ask allow", false},
		{"--ask relay", "", false},
		{"--ask deny", "--ask allow", false},
		{"--allow approve", "", true},
		{"--evaluator ./a", "--evaluator ./b", true},
		{"--evaluator ./a", "--evaluator ./a", false},
		{"--timeout 1", "", true},
		{"--home /h", "", true},
		{"--next", "", true},
	} {
		entry, _ := Parse("hookbridge run "+tt.entry, nil)
		words, _ := shell.Words("hookbridge run " + tt.own)
		own, _ := Parse(words[0], words[1:])
		if got := entry.Weaker(own.Flags); got != tt.weaker {
			t.Errorf("%q against %q: weaker %v", tt.entry, tt.own, got)
		}
	}
}

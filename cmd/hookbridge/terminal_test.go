package main

import (
	"bytes"
	"testing"

	"github.com/hookbridge/hookbridge/internal/command/cli"
)

// TestRecovered checks that a fault in a command never ends with a status that hosts take for a decision. Once an
// answer is written, the status must not void it either.
func TestRecovered(t *testing.T) {
	for _, tt := range []struct {
		name   string
		args   []string
		answer string // written before the fault
		code   int
		denies bool
	}{
		{"doctor", []string{"doctor"}, "", cli.Failed, false},
		{"none", nil, "", cli.Failed, false},
		{"run", []string{"run", "--host", "cursor"}, "", cli.Failed, false},
		{"run closed", []string{"run", "--host", "cursor", "--fail-closed"}, "", cli.OK, true},
		{"run closed, wrong words", []string{"run", "--fail-closed", "--host", "nobody"}, "", cli.OK, true},
		{"run open", []string{"run", "--host", "cursor", "--fail-closed=false"}, "", cli.Failed, false},
		{"run answered", []string{"run", "--host", "cursor", "--fail-closed"}, "{}\n", cli.OK, false},
	} {
		var out, errs bytes.Buffer
		code := recovered(tt.args, cli.IO{In: nil, Out: &out, Err: &errs}, func(_ []string, std cli.IO) int {
			if tt.answer != "" {
				std.Out.Write([]byte(tt.answer))
			}
			panic("a \x1b fault")
		})
		if code != tt.code || errs.Len() == 0 {
			t.Errorf("%s: status %d, %q", tt.name, code, errs.String())
		}
		if denied := out.String() != tt.answer; denied != tt.denies {
			t.Errorf("%s: printed %q", tt.name, out.String())
		}
	}
}

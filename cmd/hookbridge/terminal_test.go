package main

import (
	"bytes"
	"testing"
)

// TestRecovered holds that a fault anywhere in a command ends neither with a
// status that hosts take for a decision nor, once an answer is out, with one that
// voids it.
func TestRecovered(t *testing.T) {
	for _, tt := range []struct {
		name   string
		args   []string
		answer string // written before the fault
		code   int
		denies bool
	}{
		{"doctor", []string{"doctor"}, "", exitFail, false},
		{"none", nil, "", exitFail, false},
		{"run", []string{"run", "--host", "cursor"}, "", exitFail, false},
		{"run closed", []string{"run", "--host", "cursor", "--fail-closed"}, "", exitOK, true},
		{"run closed, wrong words", []string{"run", "--fail-closed", "--host", "nobody"}, "", exitOK, true},
		{"run open", []string{"run", "--host", "cursor", "--fail-closed=false"}, "", exitFail, false},
		{"run answered", []string{"run", "--host", "cursor", "--fail-closed"}, "{}\n", exitOK, false},
	} {
		var out, errs bytes.Buffer
		code := recovered(tt.args, stdio{nil, &out, &errs}, func(_ []string, std stdio) int {
			if tt.answer != "" {
				std.out.Write([]byte(tt.answer))
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

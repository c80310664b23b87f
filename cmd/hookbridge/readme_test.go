package main

import (
	"os"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/golden"
)

var update = golden.Update

// holdPart compares the text between <!-- NAME --> and <!-- /NAME --> with want.
func holdPart(t *testing.T, file, name, want string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	start, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	head, rest, ok1 := strings.Cut(string(text), start)
	have, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no marks %s", file, name)
	}
	if have == want {
		return
	}
	if !*update {
		t.Errorf("%s: %s is out of date: go test ./cmd/hookbridge -run %s -update", file, name, t.Name())
	} else if err := os.WriteFile(file, []byte(head+start+want+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReadmeLength: a reader gives the README half a minute.
func TestReadmeLength(t *testing.T) {
	text := string(read(t, "../../README.md"))
	if lines, words := strings.Count(text, "\n"), len(strings.Fields(text)); lines > 75 || words > 600 {
		t.Errorf("README.md has %d lines and %d words; keep it within 75 and 600", lines, words)
	}
}

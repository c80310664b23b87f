package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated table into the README")

// TestReadmeTable holds the README's table to the program's own tables.
func TestReadmeTable(t *testing.T) {
	const file, start, end = "../../README.md", "<!-- matrix -->\n", "<!-- /matrix -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(text), start)
	have, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatal("the README has lost the marks of its table")
	}
	var want bytes.Buffer
	if code := dispatch([]string{"matrix", "--format", "markdown"}, stdio{out: &want, err: &want}); code != 0 {
		t.Fatal(want.String())
	}
	if have == want.String() {
		return
	}
	if !*update {
		t.Fatal("the README's table is out of date: go test ./cmd/hookbridge -run TestReadmeTable -update")
	}
	if err := os.WriteFile(file, []byte(head+start+want.String()+end+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}

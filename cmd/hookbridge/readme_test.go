package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
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

// TestCarriesPage holds docs/carries.md to the tables: what carries for every
// ordered pair, and what every code means.
func TestCarriesPage(t *testing.T) {
	const file = "../../docs/carries.md"
	var want bytes.Buffer
	fmt.Fprint(&want, "# What carries, pair by pair\n\nMade from the program's own tables (`hookbridge matrix --from D --to D --format markdown`); a test holds it current.\n")
	for _, hooks := range adapter.Dialects() {
		for _, host := range adapter.Dialects() {
			if hooks.Name() == host.Name() {
				continue
			}
			fmt.Fprintf(&want, "\n## %s hooks under %s\n\n", hooks.Name(), host.Name())
			matrixMarkdown(&want, adapter.Matrix(hooks, host))
		}
	}
	fmt.Fprint(&want, "\n## Codes\n\n| code | usually | what it says |\n|---|---|---|\n")
	for _, c := range schema.Codes() {
		fmt.Fprintf(&want, "| %s | %s | %s. %s |\n", c.Code, c.Severity, c.Title, c.Text)
	}
	have, _ := os.ReadFile(file)
	if bytes.Equal(have, want.Bytes()) {
		return
	}
	if !*update {
		t.Fatal("docs/carries.md is out of date: go test ./cmd/hookbridge -run TestCarriesPage -update")
	}
	if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

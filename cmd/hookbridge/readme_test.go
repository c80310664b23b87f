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

// generated are the parts of pages that the program writes itself: the text
// between <!-- NAME --> and <!-- /NAME --> is what the command prints.
var generated = []struct {
	file, name string
	args       []string
}{
	{"../../README.md", "glance", []string{"matrix", "--format", "markdown"}},
}

// TestReadmeTable holds those parts to the program's own tables.
func TestReadmeTable(t *testing.T) {
	for _, g := range generated {
		var want bytes.Buffer
		if code := dispatch(g.args, stdio{out: &want, err: &want}); code != 0 {
			t.Fatal(want.String())
		}
		holdPart(t, g.file, g.name, want.String())
	}
}

// holdPart holds the text between <!-- NAME --> and <!-- /NAME --> to want.
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
		t.Fatalf("%s has lost the marks of %s", file, name)
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

// TestCarriesPage holds docs/carries.md to the tables: what carries for every
// ordered pair, and what every code means.
func TestCarriesPage(t *testing.T) {
	const file = "../../docs/carries.md"
	var want bytes.Buffer
	fmt.Fprint(&want, "# What carries, pair by pair\n\nMade from the program's own tables (`hookbridge matrix --from D --to D --format markdown`); a test holds it current.\n")
	for _, p := range adapter.Pairs() {
		fmt.Fprintf(&want, "\n## %s hooks under %s\n\n", p.From, p.To)
		pairMarkdown(&want, &p)
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

// TestCodesPage holds docs/codes.md to the tables that explain tells from.
func TestCodesPage(t *testing.T) {
	var w bytes.Buffer
	fmt.Fprint(&w, "# Codes\n\nEvery finding of hookbridge has one of these codes. Made from the program's own tables (`hookbridge explain CODE`); a test holds it current.\n\n"+
		"The first digit tells where a finding arises: 0 the syntax of an input, 1 the meaning of the source, 2 what the target cannot say, 3 at run time.\n"+
		"A severity is note (another form, the same meaning), loss (something was dropped), weaker (a guard does not hold any more) or error (no result).\n")
	for _, info := range schema.Codes() {
		a, _ := info.Code.Advice()
		fmt.Fprintf(&w, "\n## %s\n\n**%s** (usually %s)\n\n%s\n\nWhat to do: %s\n\n", info.Code, info.Title, info.Severity, info.Text, a.Do)
		for _, l := range meanings(info.Code.About()) {
			fmt.Fprintf(&w, "- %s: %s\n", l.name, l.text)
		}
		if info.Code.About() != 0 {
			fmt.Fprintln(&w)
		}
		fmt.Fprintf(&w, "| before | after |\n|---|---|\n| %s | %s |\n", quotedCell(a.Before), quotedCell(a.After))
	}
	golden(t, "../../docs/codes.md", w.String())
}

// quotedCell is a text in a table, where a bar would end it.
func quotedCell(s string) string {
	return "`` " + strings.ReplaceAll(s, "|", "\\|") + " ``"
}

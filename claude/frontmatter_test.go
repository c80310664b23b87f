package claude

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestFrontMatter checks that the same files bring a guard as in the client. testdata/frontmatter.json has the text of
// each, and whether the guard ran (observed 2.1.328). The client voids a file with a list of hooks outside "hooks";
// hookbridge keeps the guard of such a file.
func TestFrontMatter(t *testing.T) {
	text, err := os.ReadFile("testdata/frontmatter.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Name, Text string
		Runs       bool
		Outside    bool
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, row := range rows {
		d := New()
		hooks, found, err := d.Profile().FrontMatter.JSON([]byte(row.Text), "hooks")
		runs := false
		if found {
			file := slices.Concat([]byte(`{"hooks":`), hooks, []byte{'}'})
			cfg, _ := d.ParseConfig(file, schema.Source{File: "x.md"})
			runs = cfg != nil && slices.ContainsFunc(cfg.AsKnown().Hooks, func(h schema.Hook) bool {
				return h.Native == "PreToolUse" && h.Matcher == "Bash" && strings.Contains(h.Command, "./guard g")
			})
		}
		if runs != (row.Runs || row.Outside) {
			t.Errorf("%s: the guard runs: %v, in the client %v (%v)\n%.400s", row.Name, runs, row.Runs, err, row.Text)
		}
		if runs {
			ran++
		}
	}
	if ran < 60 || len(rows)-ran < 40 {
		t.Errorf("%d of %d rows have a guard that runs", ran, len(rows))
	}
}

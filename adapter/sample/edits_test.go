package sample

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/edits"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestEdits checks that every host's version of an edit of an existing file results in the same text. The host's model
// may name texts or lines, or write the whole file.
func TestEdits(t *testing.T) {
	const before = "one\ntwo\nthree\nfour\nfive\n"
	file := filepath.Join(t.TempDir(), "kept.txt")
	if err := os.WriteFile(file, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	byLines := 0
	for name, e := range map[string]schema.TextEdit{
		"a line":              {Old: "two", New: "TWO"},
		"in a line":           {Old: "w", New: "ww"},
		"several lines":       {Old: "two\nthree", New: "2\n3\n3.5"},
		"lines more":          {Old: "two\n", New: "two\nthen\n"},
		"lines less":          {Old: "two\nthree\nfour", New: "four"},
		"the first line":      {Old: "one", New: "zero\none"},
		"behind the last one": {Old: "five\n", New: "five\nsix\n"},
		"in several places":   {Old: "o", New: "O", All: true},
		"all of it":           {Old: before, New: "new\n"},
		"what isn't there":    {Old: "six", New: "seven"},
	} {
		want := edits.Apply(before, []schema.TextEdit{e})
		in := schema.Args{{Role: schema.RolePath, Raw: ordjson.AppendString(nil, file)},
			{Role: schema.RoleOldText, Raw: ordjson.AppendString(nil, e.Old)},
			{Role: schema.RoleNewText, Raw: ordjson.AppendString(nil, e.New)}}
		if e.All {
			in = append(in, schema.Arg{Role: schema.RoleReplaceAll, Raw: []byte("true")})
		}
		input := appendNative(in, canonicalNames(in))
		for _, host := range adapter.Dialects() {
			a := Event{Event: host.Profile().Generic(schema.PreTool), Tool: "edit", Input: input,
				Project: filepath.Dir(file), Session: "s"}
			played := ForHost(host, a)
			payload, err := Payload(host, played)
			if err != nil {
				continue
			}
			c, _ := host.DecodeCall(payload, nil)
			if host.Abilities().Edits != nil && c.Tool.Input.Text(schema.RoleOldText) == "" {
				byLines++
			}
			got := strings.ReplaceAll(made(host, c, file, before), "\n\n", "\n") // the end of deleted lines isn't shown
			if got != want && len(played.Left) == 0 {
				t.Errorf("%s, %s: got %q, want %q: %s", adapter.NameOf(host), name, got, want, payload)
			}
		}
	}
	if byLines == 0 {
		t.Error("no edit was by lines")
	}
}

func canonicalNames(in schema.Args) (rows []schema.ArgRow) {
	for _, a := range in {
		rows = append(rows, schema.ArgRow{Name: a.Role.String(), Role: a.Role})
	}
	return rows
}

// made returns the text of a file after a call.
func made(host dialect.Dialect, c *schema.Call, file, text string) string {
	parts := []*schema.Call{c}
	var readings [][]*schema.Call
	switch able := host.Abilities(); {
	case able.FileSplits != nil:
		readings = able.FileSplits.SplitFiles(c, asItIs{})
	case able.Splits != nil:
		readings = able.Splits.Split(c)
	}
	if len(readings) > 0 {
		parts = readings[0]
	}
	for _, p := range parts {
		in := p.Tool.Input
		if raw, ok := in.Get(schema.RoleContent); ok {
			text, _ = ordjson.String(raw)
			continue
		}
		changes := []schema.TextEdit{{Old: in.Text(schema.RoleOldText), New: in.Text(schema.RoleNewText)}}
		if all, _ := in.Get(schema.RoleReplaceAll); string(all) == "true" {
			changes[0].All = true
		}
		if raw, ok := in.Get(schema.RoleEdits); ok {
			changes = schema.CanonicalEdits.Decode(raw)
		}
		text = edits.Apply(text, changes)
	}
	return text
}

// asItIs reads the files of a call before it runs.
type asItIs struct{}

func (asItIs) Named(path string) []string { return []string{path} }

func (asItIs) Text(file string) (string, bool) {
	text, err := os.ReadFile(file)
	return string(text), err == nil && !strings.Contains(file, "\n")
}

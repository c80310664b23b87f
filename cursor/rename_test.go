package cursor

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/schema"
)

// TestRename gives Cursor an invented version 4 that renames a payload field and a tool. It takes one row for each, and
// the payloads of all versions keep their meaning.
func TestRename(t *testing.T) {
	rows, toolRows, known := members.Rows, tools, profile.Known
	defer func() { members.Rows, tools, profile.Tools, profile.Known = rows, toolRows, toolRows, known }()
	members.Rows = slices.Insert(slices.Clone(rows), 0, schema.MemberRow{Name: "turn_id", Field: schema.FieldTurn,
		Since: "4"})
	tools = slices.Clone(toolRows)
	shell := slices.IndexFunc(tools, func(t schema.ToolRow) bool { return t.Name == "Shell" })
	tools[shell].Name, tools[shell].Before = "Terminal", []schema.Renamed{{Name: "Shell", Until: "4"}}
	profile.Tools, profile.Known = tools, append([]string{"4.0"}, known...)

	for name, text := range documents {
		checkRenamed(t, name, []byte(text))
	}
	for _, p := range material.Payloads(t, "cursor") {
		checkRenamed(t, p.Name, p.Text)
	}
}

func checkRenamed(t *testing.T, file string, src []byte) {
	t.Helper()
	back := checkSame(t, file, src)
	if strings.Contains(string(back), "turn_id") {
		t.Errorf("%s comes back as %s", file, back)
	}
	next, err := Dialect{}.At("4.0")
	if err != nil {
		t.Fatal(err)
	}
	c, _ := Dialect{}.DecodeCall(src, nil)
	i := slices.IndexFunc(next.Views(c), func(v schema.View) bool { return v.Event == c.Native })
	v := next.Views(c)[i]
	now := next.AppendCall(nil, c, v)
	again, _ := next.DecodeCall(now, nil)
	if again == nil {
		t.Fatalf("%s as version 4: %s", file, now)
	}
	if turn := c.NameOf(schema.FieldTurn); c.Str(schema.FieldTurn) != again.Str(schema.FieldTurn) || turn != "" &&
		again.NameOf(schema.FieldTurn) != "turn_id" {
		t.Errorf("%s as version 4: %s", file, now)
	}
	if c.Tool.Name == "Shell" && !c.Gate && (v.Tool != "Terminal" || again.Tool.Name != "Terminal" ||
		again.Tool.Kind() != schema.Shell) {
		t.Errorf("%s as version 4: tool %s, %v", file, v.Tool, again.Tool)
	}
}

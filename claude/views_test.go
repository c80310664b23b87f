package claude

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

func TestViews(t *testing.T) {
	path := func(p string) schema.Args { return schema.Args{arg(schema.RolePath, `"`+p+`"`)} }
	write := []schema.Kind{schema.Write, schema.Edit, schema.Notebook}
	for _, tt := range []struct {
		name string
		tool schema.Tool
		want string // name, targets in brackets
	}{
		{"shell", schema.Tool{Kinds: []schema.Kind{schema.Shell}, Name: "Shell"}, "Bash[Bash]"},
		{"write or edit", schema.Tool{Kinds: write, Name: "W", Input: path("/a.go")},
			"Write[Write] Edit[Edit] MultiEdit[MultiEdit]"},
		{"notebook first", schema.Tool{Kinds: write, Name: "W", Input: path("/a.ipynb")},
			"NotebookEdit[NotebookEdit] Write[Write] Edit[Edit] MultiEdit[MultiEdit]"},
		{"delete", schema.Tool{Kinds: []schema.Kind{schema.Delete}, Name: "Delete"}, "Bash[Bash]"},
		{"mcp", schema.Tool{Kinds: []schema.Kind{schema.MCP}, Name: "t", Server: "my srv"},
			"mcp__my_srv__t[mcp__my_srv__t]"},
		{"mcp, several servers", schema.Tool{Kinds: []schema.Kind{schema.MCP}, Name: "t", Servers: []string{"a", "b"}},
			"mcp__a__t[mcp__a__t] mcp__b__t[mcp__b__t]"},
		{"agent", schema.Tool{Kinds: []schema.Kind{schema.Agent}, Name: "Task"}, "Agent[Agent,Task]"},
		{"old name", schema.Tool{Kinds: []schema.Kind{schema.Other}, Name: "KillShell"},
			"TaskStop[TaskStop,KillShell,KillBash]"},
		{"other", schema.Tool{Kinds: []schema.Kind{schema.Other}, Name: "Odd"}, "Odd[Odd]"},
	} {
		var got []string
		for _, v := range New().Views(foreignCall(schema.PreTool, tt.tool)) {
			got = append(got, v.Tool+"["+strings.Join(v.Target, ",")+"]")
		}
		same(t, tt.name, tt.want, strings.Join(got, " "))
	}
}

func TestViewsOfFields(t *testing.T) {
	str := func(f schema.Field, s string) schema.Value { return schema.Value{Field: f, Raw: []byte(`"` + s + `"`)} }
	for _, tt := range []struct {
		event schema.Event
		value schema.Value
		want  string
	}{
		{schema.SessionStart, schema.Value{Field: schema.FieldModel, Raw: []byte("1")}, "startup"},
		{schema.SessionEnd, str(schema.FieldReason, "user-close"), "prompt_input_exit"},
		{schema.FileChanged, str(schema.FieldPath, "/a/.env"), ".env"},
		{schema.PreCompact, str(schema.FieldTrigger, "auto"), "auto"},
		{schema.SubagentStop, str(schema.FieldAgentType, "Explore"), "Explore"},
		{schema.StopFailure, str(schema.FieldError, "rate_limit"), "rate_limit"},
	} {
		vs := New().Views(foreignCall(tt.event, schema.Tool{}, tt.value))
		if len(vs) != 1 || len(vs[0].Target) != 1 || vs[0].Target[0] != tt.want {
			t.Errorf("%s: %+v, want %s", tt.event, vs, tt.want)
		}
	}
	for _, e := range []schema.Event{schema.Stop, schema.PromptSubmit, schema.PostToolBatch} {
		if vs := New().Views(foreignCall(e, schema.Tool{})); len(vs) != 1 || vs[0].Target != nil {
			t.Errorf("%s looks at matchers: %+v", e, vs)
		}
	}
	if vs := New().Views(foreignCall(schema.WorkspaceOpen, schema.Tool{})); vs != nil {
		t.Errorf("an event that is not there: %+v", vs)
	}
}

func TestGrammar(t *testing.T) {
	for native, want := range map[string]schema.Grammar{"PreToolUse": matchers,
		"FileChanged": namesOnly, "StopFailure": namesOnly} {
		if got := New().Profile().GrammarOf(native); got != want {
			t.Errorf("%s: %v", native, got)
		}
	}
}

// TestFieldsHaveNames checks that every field in a row can be written.
func TestFieldsHaveNames(t *testing.T) {
	for _, row := range events {
		for _, f := range append([]schema.Field{row.MatchField}, row.Fields...) {
			if f != 0 && members.Of(f) == nil {
				t.Errorf("%s: field %d has no name", row.Native, f)
			}
		}
	}
}

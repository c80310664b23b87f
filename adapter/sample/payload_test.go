package sample

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestPayload checks that every agent reads its own synthetic payloads, for every event and every tool, as intended.
func TestPayload(t *testing.T) {
	for _, d := range adapter.Dialects() {
		for _, row := range d.Profile().Events {
			out, err := Payload(d, Event{Event: row.Native, Project: "/p", Session: "s"})
			if err != nil {
				t.Errorf("%s %s: %v", d.Profile().Name, row.Native, err)
				continue
			}
			c, ds := d.DecodeCall(out, nil)
			if c == nil || len(ds) > 0 || !sameEvent(d.Profile().Row(c.Native), &row) ||
				!row.Raises(c.Event) && !slices.Contains(row.Also, c.Event) ||
				c.Str(schema.FieldSession) != "s" && row.Event != schema.WorkspaceOpen && hasSession(d, &row, out) {
				t.Errorf("%s %s: %v %s", d.Profile().Name, row.Native, ds, out)
			}
		}
	}
}

// hasSession reports whether a payload has the field with the session, which some events lack.
func hasSession(d adapter.Dialect, row *schema.EventRow, payload []byte) bool {
	m := d.Profile().Fields.At(schema.FieldSession, row.Event, "")
	o, _ := ordjson.Parse(payload)
	return m == nil || o.Has(m.Name)
}

// sameEvent reports whether two rows are of one event, which may have two names that are the same in payloads.
func sameEvent(a, b *schema.EventRow) bool {
	return a.Native == b.Native || strings.EqualFold(a.Native, b.Native) && a.Event == b.Event
}

func TestPayloadTools(t *testing.T) {
	for _, d := range adapter.Dialects() {
		pre := d.Profile().Generic(schema.PreTool)
		for _, from := range adapter.Dialects() { // every dialect's names
			for _, tool := range from.Profile().Tools {
				out, err := Payload(d, Event{Event: pre, Tool: tool.Name, Project: "/p", Session: "s"})
				if err != nil {
					t.Errorf("%s %s: %v", d.Profile().Name, tool.Name, err)
					continue
				}
				c, _ := d.DecodeCall(out, nil)
				if first := from.Profile().Tool(tool.Name); len(first.Kinds) > 0 && first.Kinds[0] != tool.Kinds[0] {
					continue // one name for two kinds of work
				}
				if len(tool.Kinds) > 0 && hasKindOf(d, tool.Kinds[0]) && c.Tool.Kind().Base() != tool.Kinds[0].Base() {
					t.Errorf("%s %s: %s", d.Profile().Name, tool.Name, out)
				}
			}
		}
	}
}

func hasKindOf(d dialect.Dialect, k schema.Kind) bool {
	for _, r := range d.Profile().Tools {
		if len(r.Kinds) > 0 && r.Kinds[0] == k {
			return true
		}
	}
	return false
}

// TestPayloadInput checks that the user's input is sent unchanged.
func TestPayloadInput(t *testing.T) {
	for _, c := range []struct{ dialect, event, tool, input, want string }{
		{"claude", "PreToolUse", "Bash", `{"command":"ls"}`, `"tool_input":{"command":"ls"}`},
		{"claude", "PreToolUse", "Shell", `{"command":"ls"}`, `"tool_name":"Bash"`},
		{"cursor", "preToolUse", "Bash", `{"command":"ls"}`, `"tool_name":"Shell","tool_input":{"command":"ls"}`},
		{"cursor", "beforeShellExecution", "", `{"command":"ls -l"}`, `"command":"ls -l"`},
		{"cursor", "beforeMCPExecution", "mcp__db__query", `{"q":1}`,
			`"tool_name":"query","tool_input":"{\"q\":1}","mcp_server_name":"db"`},
		{"cursor", "afterFileEdit", "", `{"file_path":"/p/a","edits":[{"old_string":"x","new_string":"y"}]}`,
			`"file_path":"/p/a","edits":[{"old_string":"x","new_string":"y"}]`},
		{"claude", "PreToolUse", "mcp__db__query", `{"q":1}`, `"tool_name":"mcp__db__query","tool_input":{"q":1}`},
		{"claude", "PreToolUse", "write", "", `"tool_input":{"file_path":"/p/example.txt","content":"hello\n"}`},
		{"cursor", "preToolUse", "Edit", "", `"tool_name":"Write","tool_input":{"file_path":"/p/example.txt",` +
			`"content":"hello\n"}`},
		{"cursor", "preToolUse", "MCP:search", `{"q":1}`, `"tool_name":"MCP:search","tool_input":{"q":1}`},
		{"claude", "PreToolUse", "Frobnicate", `{"q":1}`, `"tool_name":"Frobnicate","tool_input":{"q":1}`},
		{"claude", "UserPromptSubmit", "", `{"prompt":"hi","new":1}`, `"prompt":"hi","new":1`},
		{"qoder", "SessionStart", "", `{"source":"resume"}`, `"source":"resume"`},
	} {
		d, _ := adapter.Find(c.dialect)
		a := Event{Event: c.event, Tool: c.tool, Project: "/p", Session: "s"}
		if c.input != "" {
			a.Input = []byte(c.input)
		}
		out, err := Payload(d, a)
		if err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s %s %s: %v %s", c.dialect, c.event, c.input, err, out)
		}
	}
	for _, a := range []Event{{Event: "Lunch"}, {Event: "Stop", Tool: "Bash"},
		{Event: "PreToolUse", Input: []byte("[1]")}, {Event: "PreToolUse", Input: []byte("{")},
		{Event: "PostToolUse", Output: []byte("x")}} {
		d, _ := adapter.Find("claude")
		if out, err := Payload(d, a); err == nil {
			t.Errorf("%+v: no error, %s", a, out)
		}
	}
	d, _ := adapter.Find("cursor")
	if _, err := Payload(d, Event{Event: "beforeShellExecution", Tool: "Read"}); err == nil {
		t.Error("a shell event about another tool")
	}
}

// TestServersTool checks that a server's tool remains one, under any name, and that its full name in one agent's form
// is read under every host.
func TestServersTool(t *testing.T) {
	for _, d := range adapter.Dialects() {
		pre := d.Profile().Generic(schema.PreTool)
		for _, e := range []Event{{Tool: "Read", Server: "srv"}, {Tool: "mcp__srv__Read"}} {
			e.Event, e.Project, e.Session, e.Input = pre, "/p", "s", []byte("{}")
			e = ForHost(d, e)
			if k, err := Kind(d, e); err != nil || k != schema.MCP {
				t.Errorf("%s: %v is %s, %v", d.Profile().Name, e, k, err)
			}
			out, err := Payload(d, e)
			has := strings.Contains(strings.ToLower(string(out)), "read") // Oh My Pi writes names in lowercase
			if err != nil || !has || strings.Contains(string(out), "example") {
				t.Errorf("%s: %s %v", d.Profile().Name, out, err)
			}
			// Copilot and Cursor don't name the server
			if c, _ := d.DecodeCall(out, nil); c == nil || c.Tool.Kind() == schema.Read {
				t.Errorf("%s: %s is read as its own tool", d.Profile().Name, out)
			}
		}
	}
}

// TestToolOfVersion gives a tool its name in the host's version.
func TestToolOfVersion(t *testing.T) {
	for host, want := range map[string]string{"claude@2.0.45": "Task", "claude": "Agent"} {
		d, _ := adapter.Find(host)
		for _, tool := range []string{"agent", "Task", "Agent"} {
			out, err := Payload(d, Event{Event: "PreToolUse", Tool: tool, Project: "/p", Session: "s"})
			if err != nil || !strings.Contains(string(out), `"tool_name":"`+want+`"`) {
				t.Errorf("%s, %s: %s %v", host, tool, out, err)
			}
		}
	}
}

package cursor

import (
	"encoding/json"
	"testing"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// ownView returns the view of the original event of c.
func ownView(t testing.TB, c *schema.Call) schema.View {
	for _, v := range (Dialect{}).Views(c) {
		if v.Event == c.Native {
			return v
		}
	}
	t.Fatalf("%s is not among its own views", c.Native)
	return schema.View{}
}

// documents are payloads that the client can send according to the facts, in addition to the captures.
var documents = map[string]string{
	"afterTabFileEdit": `{"conversation_id":"c","file_path":"/a","edits":[{"old_string":"a","new_string":"b",` +
		`"range":{"start_line_number":1},"old_line":"a","new_line":"b"}],"hook_event_name":"afterTabFileEdit",` +
		`"workspace_roots":[]}`,
	"beforeTabFileRead": `{"conversation_id":"c","file_path":"/a","content":"x","hook_event_name":"beforeTabFileRead"}`,
	"workspaceOpen": `{"hook_event_name":"workspaceOpen","cursor_version":"3.15.19","workspace_roots":["/a"],` +
		`"user_email":null}`,
	"http server": `{"conversation_id":"c","tool_name":"t","tool_input":"{}","mcp_server_name":"s",` +
		`"url":"http://x","mcp_server_url":"http://x","hook_event_name":"beforeMCPExecution"}`,
	"bad arguments": `{"conversation_id":"c","tool_name":"t","tool_input":"[1]",` +
		`"hook_event_name":"beforeMCPExecution"}`,
	"in a sub-agent": `{"conversation_id":"c","tool_name":"Shell","tool_input":{"command":"x"},"tool_use_id":"u",` +
		`"cwd":"/w","parent_tool_call_id":"p","hook_event_name":"preToolUse"}`,
	"denied": `{"conversation_id":"c","tool_name":"Shell","tool_input":{},"error_message":"e",` +
		`"failure_type":"permission_denied","duration":0,"hook_event_name":"postToolUseFailure"}`,
	"plain output": `{"conversation_id":"c","tool_name":"Shell","tool_input":{},"tool_output":"plain",` +
		`"hook_event_name":"postToolUse"}`,
	"closed": `{"conversation_id":"c","reason":"window_close","hook_event_name":"sessionEnd"}`,
	"2.4 attachments": `{"conversation_id":"c","prompt":"p","attachments":[{"type":"file","filePath":"/a"}],` +
		`"hook_event_name":"beforeSubmitPrompt","cursor_version":"2.4.0"}`,
	"2.4 sub-agent": `{"conversation_id":"c","model":"m","subagent_type":"t","prompt":"p",` +
		`"hook_event_name":"subagentStart","cursor_version":"2.4.0"}`,
	"2.4 result": `{"conversation_id":"c","subagent_type":"t","status":"error","result":"r","duration_ms":5,` +
		`"agent_transcript_path":"/t","hook_event_name":"subagentStop","cursor_version":"2.4.0"}`,
	"new member": `{"conversation_id":"c","new":{"a":1},"status":"completed","loop_count":0,` +
		`"hook_event_name":"stop"}`,
}

func TestCallSame(t *testing.T) {
	for name, text := range documents {
		checkSame(t, name, []byte(text))
	}
	for _, p := range material.Payloads(t, "cursor") {
		got := checkSame(t, p.Name, p.Text)
		same(t, p.Name+": order", names(t, got), names(t, p.Text))
	}
}

func checkSame(t *testing.T, name string, src []byte) []byte {
	t.Helper()
	c, ds := Dialect{}.DecodeCall(src, nil)
	if c == nil || len(ds) > 0 {
		t.Fatalf("%s: %v", name, ds)
	}
	got := Dialect{}.AppendCall(nil, c, ownView(t, c))
	var a, b any
	if json.Unmarshal(src, &a) != nil || json.Unmarshal(got, &b) != nil {
		t.Fatalf("%s: not JSON: %s", name, got)
	}
	same(t, name, b, a)
	return got
}

func names(t *testing.T, src []byte) (out []string) {
	o, err := ordjson.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range o {
		out = append(out, m.Name)
	}
	return out
}

func TestDecodePlace(t *testing.T) {
	env := schema.Environ{"CURSOR_PROJECT_DIR=/c:/env", "CURSOR_VERSION=3.1.2"}
	for _, row := range []struct{ members, project, cwd, version string }{
		{`"workspace_roots":["/a","/b"],"cwd":""`, "/a", "/a", "3.1.2"},
		{`"workspace_roots":["/a"],"cwd":"/a/b","cursor_version":"1.0.0"`, "/a", "/a/b", "1.0.0"},
		{`"workspace_roots":[],"tool_input":{"cwd":""}`, "c:/env", "c:/env", "3.1.2"},
		{`"workspace_roots":["/c:/Users/x"]`, "c:/Users/x", "c:/Users/x", "3.1.2"},
		{`"workspace_roots":["c:\\x"],"cwd":"/D:/y"`, `c:\x`, "D:/y", "3.1.2"},
		{`"workspace_roots":["/a"],"tool_input":{"cwd":"/in"}`, "/a", "/in", "3.1.2"},
		{`"workspace_roots":["/a"],"cwd":"","tool_input":{"cwd":"/in"}`, "/a", "/a", "3.1.2"},
	} {
		c, _ := Dialect{}.DecodeCall([]byte(`{"hook_event_name":"preToolUse","tool_name":"Shell",`+row.members+`}`),
			env)
		same(t, row.members, []string{c.Project, c.Cwd, c.Version}, []string{row.project, row.cwd, row.version})
	}
}

func TestDecodeCallFaults(t *testing.T) {
	for text, want := range map[string]find{
		`x`:                            {schema.CodeSyntax, schema.Error, ""},
		`{}`:                           {schema.CodeNoEventName, schema.Error, "/hook_event_name"},
		`{"hook_event_name":"Stop"}`:   {schema.CodeUnknownEvent, schema.Error, "/hook_event_name"},
		`{"hook_event_name":["stop"]}`: {schema.CodeNoEventName, schema.Error, "/hook_event_name"},
	} {
		c, ds := Dialect{}.DecodeCall([]byte(text), nil)
		if c != nil {
			t.Errorf("%s: a call", text)
		}
		same(t, text, finds(ds), []find{want})
	}
}

func TestDecodeTool(t *testing.T) {
	for _, row := range []struct {
		text         string
		kind         schema.Kind
		name, server string
		input        string // with Cursor's names
		event        schema.Event
	}{
		{`{"hook_event_name":"preToolUse","tool_name":"MCP:do_it","tool_input":{"q":1}}`, schema.MCP, "do_it", "",
			`{"q":1}`, schema.PreTool},
		{`{"hook_event_name":"beforeMCPExecution","tool_name":"do_it","tool_input":"{\"q\":1}","mcp_server_name":"s"}`,
			schema.MCP, "do_it", "s", `{"q":1}`, schema.PreTool},
		{`{"hook_event_name":"beforeShellExecution","command":"x","cwd":""}`, schema.Shell, "Shell", "",
			`{"command":"x","cwd":""}`, schema.PreTool},
		{`{"hook_event_name":"beforeReadFile","file_path":"/a","content":"x"}`, schema.Read, "Read", "",
			`{"file_path":"/a"}`, schema.PreTool},
		{`{"hook_event_name":"afterFileEdit","file_path":"/a","edits":[{"old_string":"a","new_string":"b"}]}`,
			schema.Edit, "Write", "", `{"file_path":"/a"}`, schema.PostTool},
		{`{"hook_event_name":"afterFileEdit","file_path":"/a","edits":[{"old_string":"","new_string":"b"}]}`,
			schema.Write, "Write", "", `{"file_path":"/a","content":"b"}`, schema.PostTool},
		{`{"hook_event_name":"preToolUse","tool_name":"ComputerUse","tool_input":{"x":1}}`, schema.Other, "ComputerUse",
			"", `{"x":1}`, schema.PreTool},
		{`{"hook_event_name":"stop","status":"aborted"}`, schema.Other, "", "", `{}`, schema.StopFailure},
	} {
		c, _ := Dialect{}.DecodeCall([]byte(row.text), nil)
		var rows []schema.ArgRow
		if r := profile.Tool(c.Tool.Name); r != nil {
			rows = r.Input
		}
		same(t, row.text, []any{c.Tool.Kind(), c.Tool.Name, c.Tool.Server,
			string(schema.AppendArgs(nil, c.Tool.Input, rows)), c.Event},
			[]any{row.kind, row.name, row.server, row.input, row.event})
	}
}

// TestOutcome checks that the payload determines the event.
func TestOutcome(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     schema.Event
		text     string
	}{
		{"refused, reported as failed", `{"hook_event_name":"postToolUseFailure","tool_name":"Shell",` +
			`"tool_input":{"command":"x"},"error_message":"no","failure_type":"permission_denied"}`,
			schema.PermissionDenied, "no"},
		{"failed", `{"hook_event_name":"postToolUseFailure","tool_name":"Shell","tool_input":{"command":"x"},` +
			`"error_message":"no","failure_type":"error"}`, schema.PostToolFailure, "no"},
		{"MCP result that is an error", `{"hook_event_name":"postToolUse","tool_name":"MCP:x","tool_input":{},` +
			`"tool_output":"{\"content\":[{\"type\":\"text\",\"text\":\"it failed\"}],\"isError\":true}"}`,
			schema.PostToolFailure, "it failed"},
		{"MCP result", `{"hook_event_name":"postToolUse","tool_name":"MCP:x","tool_input":{},` +
			`"tool_output":"{\"content\":[],\"isError\":false}"}`, schema.PostTool, ""},
		{"after an MCP call that failed", `{"hook_event_name":"afterMCPExecution","tool_name":"x","tool_input":"{}",` +
			`"result_json":"{\"content\":[{\"type\":\"text\",\"text\":\"it failed\"}],\"isError\":true}"}`,
			schema.PostToolFailure, "it failed"},
		{"stopped by the user", `{"hook_event_name":"stop","status":"aborted"}`, schema.StopFailure, ""},
		{"stopped", `{"hook_event_name":"stop","status":"completed"}`, schema.Stop, ""},
	} {
		c, ds := Dialect{}.DecodeCall([]byte(tt.in), nil)
		if c == nil || c.Event != tt.want || c.Str(schema.FieldError) != tt.text {
			t.Errorf("%s: %+v %v", tt.name, c, ds)
		}
	}
}

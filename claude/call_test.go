package claude

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/schema"
)

// again decodes a payload and writes it in its first view.
func again(t testing.TB, text []byte) []byte {
	t.Helper()
	c, ds := New().DecodeCall(text, nil)
	if c == nil {
		t.Fatalf("%v: %s", findings(ds), text)
	}
	vs := New().Views(c)
	if len(vs) == 0 {
		t.Fatalf("no view: %s", text)
	}
	return New().AppendCall(nil, c, vs[0])
}

// TestPayloads checks that nothing is lost silently within the dialect, with every payload recorded from the client.
func TestPayloads(t *testing.T) {
	for _, p := range material.Payloads(t, "claude") {
		t.Run(p.Name, func(t *testing.T) {
			same(t, "payload", value(t, p.Text), value(t, again(t, p.Text)))
		})
	}
}

// callTests are payloads that the client could send and that must come back unchanged.
var callTests = []string{
	`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","unknown":1},"model":"kept",` +
		`"future":{"a":[1]}}`,
	`{"hook_event_name":"PreToolUse","tool_name":"MultiEdit","tool_input":{"file_path":"/f",` +
		`"edits":[{"old_string":"a","new_string":"b","replace_all":false,"x":1}]}}`,
	`{"hook_event_name":"PreToolUse","tool_name":"mcp__a_b__c.d__e","tool_input":{"command":"x"},` +
		`"mcp_server":{"name":"a b","source":"user"}}`,
	`{"hook_event_name":"PreToolUse","tool_name":"mcp__alone","tool_input":5}`,
	`{"hook_event_name":"PermissionRequest","tool_name":"Read","tool_input":{"file_path":"/f"},` +
		`"permission_suggestions":[]}`,
	`{"hook_event_name":"PermissionDenied","tool_name":"Read","tool_input":{},"reason":"prompt_input_exit"}`,
	`{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/f"},` +
		`"tool_response":{"type":"text","file":{"filePath":"/f","content":"x","n":1}}}`,
	`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"x"},"tool_response":"text"}`,
	`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"x"},"error":"aborted",` +
		`"is_interrupt":true}`,
	`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"x"},"error":"Exit code 3\n` +
		`out\n"}`,
	`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"x"},"error":"Exit code 3\n"}`,
	`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"x"},"error":"Exit code ` +
		`+03\nout"}`,
	`{"hook_event_name":"PreCompact","trigger":"manual","custom_instructions":null}`,
	`{"hook_event_name":"SessionEnd","reason":"prompt_input_exit"}`,
	`{"hook_event_name":"MessageDisplay","turn_id":"t","prompt_id":"p"}`,
	`{"hook_event_name":"UserPromptSubmit","permission_mode":"someday","prompt":"ü <&>"}`,
}

func TestCallComesBack(t *testing.T) {
	for _, text := range callTests {
		same(t, text, value(t, []byte(text)), value(t, again(t, []byte(text))))
	}
}

func TestDecodeCall(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{`, "HB001 error  1:2"},
		{`{}`, "HB010 error /hook_event_name"},
		{`{"hook_event_name":"beforeShellExecution"}`, "HB011 error /hook_event_name"},
	} {
		c, ds := New().DecodeCall([]byte(tt.text), nil)
		if c != nil {
			t.Errorf("%s: a call", tt.text)
		}
		same(t, tt.text, tt.want, strings.Join(findings(ds), "; "))
	}
	c, _ := New().DecodeCall([]byte(callTests[9]), schema.Environ{"CLAUDE_PROJECT_DIR=/p"})
	code, _ := c.Tool.Output.Get(schema.RoleExitCode)
	if string(code) != "3" || c.Str(schema.FieldError) != "out\n" || c.Project != "/p" {
		t.Errorf("status %s, error %q, project %q", code, c.Str(schema.FieldError), c.Project)
	}
	if code, ok := func() ([]byte, bool) {
		c, _ := New().DecodeCall([]byte(callTests[11]), nil)
		return c.Tool.Output.Get(schema.RoleExitCode)
	}(); ok && !json.Valid(code) {
		t.Errorf("status %s is no JSON", code)
	}
}

// foreignCall returns a call as another agent would send it.
func foreignCall(e schema.Event, tool schema.Tool, values ...schema.Value) *schema.Call {
	return &schema.Call{Dialect: "other", Event: e, Native: "x", Cwd: "/w", Tool: tool, Values: values}
}

func arg(r schema.Role, raw string) schema.Arg {
	return schema.Arg{Role: r, Name: "n", Raw: []byte(raw)}
}

func TestAppendForeignCall(t *testing.T) {
	shell := schema.Tool{Kinds: []schema.Kind{schema.Shell}, Name: "Shell", UseID: "u",
		Input: schema.Args{arg(schema.RoleCommand, `"ls"`)}}
	del := schema.Tool{Kinds: []schema.Kind{schema.Delete}, Name: "Delete", UseID: "u",
		Input: schema.Args{arg(schema.RolePath, `"/w/it's"`)}}
	edit := schema.Tool{Kinds: []schema.Kind{schema.Edit}, Name: "W", UseID: "u",
		Input: schema.Args{arg(schema.RolePath, `"/f"`), arg(schema.RoleOldText, `"a"`),
			arg(schema.RoleNewText, `"b"`)}}
	const head = `"session_id":"","transcript_path":"","cwd":"/w"`
	for _, tt := range []struct {
		call *schema.Call
		want string
	}{
		{foreignCall(schema.PreTool, shell),
			`{` + head + `,"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash",` +
				`"tool_input":{"command":"ls"},"tool_use_id":"u"}`},
		{foreignCall(schema.PreTool, del),
			`{` + head + `,"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash",` +
				`"tool_input":{"command":"rm '/w/it'\\''s'","description":"Delete file"},"tool_use_id":"u"}`},
		{foreignCall(schema.PreTool, edit),
			`{` + head + `,"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Edit",` +
				`"tool_input":{"file_path":"/f","old_string":"a","new_string":"b","replace_all":false},` +
				`"tool_use_id":"u"}`},
		{foreignCall(schema.PostToolFailure, shell, schema.Value{Field: schema.FieldError, Raw: []byte(`"bad"`)}),
			`{` + head + `,"permission_mode":"default","hook_event_name":"PostToolUseFailure","tool_name":"Bash",` +
				`"tool_input":{"command":"ls"},"tool_use_id":"u","error":"bad","is_interrupt":false}`},
		{foreignCall(schema.Stop, schema.Tool{}, schema.Value{Field: schema.FieldLoopCount, Raw: []byte("2")}),
			`{` + head + `,"permission_mode":"default","hook_event_name":"Stop","stop_hook_active":true}`},
		{foreignCall(schema.SessionStart, schema.Tool{}),
			`{` + head + `,"hook_event_name":"SessionStart","source":"startup"}`},
		{foreignCall(schema.SessionEnd, schema.Tool{},
			schema.Value{Field: schema.FieldReason, Raw: []byte(`"window-close"`)}),
			`{` + head + `,"hook_event_name":"SessionEnd","reason":"prompt_input_exit"}`},
		{foreignCall(schema.PreCompact, schema.Tool{}),
			`{` + head + `,"hook_event_name":"PreCompact","trigger":"auto","custom_instructions":""}`},
	} {
		v := New().Views(tt.call)[0]
		same(t, v.Event, value(t, []byte(tt.want)), value(t, New().AppendCall(nil, tt.call, v)))
	}
}

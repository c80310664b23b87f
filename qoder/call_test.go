package qoder

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

func sameJSON(a, b []byte) bool {
	var x, y any
	read := func(text []byte, v *any) bool { // numbers as text: no type fits all
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		return d.Decode(v) == nil
	}
	return read(a, &x) && read(b, &y) && reflect.DeepEqual(x, y)
}

func TestPayloads(t *testing.T) {
	all := material.Payloads(t, "qoder")
	if len(all) < 55 {
		t.Fatalf("only %d payloads", len(all))
	}
	for _, p := range all {
		name, text := p.Name, p.Text
		c, ds := New().DecodeCall(text, nil)
		if c == nil {
			t.Errorf("%s: %v", name, ds)
			continue
		}
		vs := New().Views(c)
		if len(vs) != 1 {
			t.Errorf("%s: %d views", name, len(vs))
			continue
		}
		got := New().AppendCall(nil, c, vs[0])
		if !sameJSON(got, text) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, text)
		}
		if strings.Contains(string(got), "\n") {
			t.Errorf("%s is more than one line", name)
		}
	}
}

func decode(t testing.TB, text string, env ...string) *schema.Call {
	t.Helper()
	c, ds := New().DecodeCall([]byte(text), env)
	if c == nil {
		t.Fatalf("%s: %v", text, ds)
	}
	return c
}

func TestDecodeCall(t *testing.T) {
	c := decode(t, `{"hook_event_name":"PreToolUse","cwd":"/p/sub","permission_mode":"yolo",`+
		`"tool_name":"mcp__my_server__do","tool_input":{"a":1},"mcp_context":{"server_name":"my server",`+
		`"tool_name":"do"}}`,
		"QODER_PROJECT_DIR=/p", "QODER_HOOK_SOURCE=cli", "QODER_HOOK_VERSION=1.1.52")
	if c.Project != "/p" || c.Cwd != "/p/sub" || c.Version != "1.1.52" || c.Str(schema.FieldMode) != "bypass" {
		t.Errorf("%+v", c)
	}
	if c.Tool.Kind() != schema.MCP || c.Tool.Server != "my server" || c.Tool.Name != "do" {
		t.Errorf("%+v", c.Tool)
	}
	c = decode(t, `{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"x"},`+
		`"error":"Exit code 3\nerr"}`)
	if raw, _ := c.Tool.Output.Get(schema.RoleExitCode); string(raw) != "3" || c.Str(schema.FieldError) != "err" {
		t.Errorf("%+v", c)
	}
	c = decode(t, `{"hook_event_name":"SessionStart","type":"startup"}`, "QODER_SESSION_ID=s")
	if c.Version != "ide" || c.Str(schema.FieldSource) != "startup" {
		t.Errorf("%+v", c)
	}
	for _, bad := range []string{``, `[]`, `{}`, `{"hook_event_name":"preToolUse"}`, `{"hook_event_name":5}`} {
		if c, ds := New().DecodeCall([]byte(bad), nil); c != nil || ds.Max() != schema.Error {
			t.Errorf("%s: %v %v", bad, c, ds)
		}
	}
}

func TestDetect(t *testing.T) {
	pre := []byte(`{"hook_event_name":"PreToolUse"}`)
	for _, tt := range []struct {
		src  string
		env  schema.Environ
		want int
	}{
		{string(pre), nil, 1}, {string(pre), schema.Environ{"QODER_HOOK_SOURCE=cli"}, 4},
		{string(pre), schema.Environ{"QODER_PROJECT_DIR=/p", "CLAUDECODE=1"}, 4},
		{string(pre), schema.Environ{"QODER_TOOL_NAME=x"}, 4},
		{`{"hook_event_name":"stop"}`, schema.Environ{"QODER_HOOK_SOURCE=cli"}, 0}, {`x`, nil, 0}} {
		o, _ := ordjson.Parse([]byte(tt.src))
		if got := profile.Recognize(o, tt.env); got != tt.want {
			t.Errorf("Recognize(%s, %v) = %d, want %d", tt.src, tt.env, got, tt.want)
		}
	}
}

// foreign returns a call as another dialect would pass it on.
func foreign(e schema.Event, tool schema.Tool) *schema.Call {
	c := &schema.Call{Dialect: "other", Event: e, Cwd: "/p", Project: "/p", Tool: tool}
	c.SetStr(schema.FieldSession, "s")
	return c
}

func arg(r schema.Role, raw string) schema.Arg {
	return schema.Arg{Role: r, Name: "theirs", Raw: []byte(raw)}
}

func TestForeignCall(t *testing.T) {
	shell := schema.Tool{Kinds: []schema.Kind{schema.Shell}, Name: "Shell", UseID: "u",
		Input: schema.Args{arg(schema.RoleCommand, `"ls"`)}, Output: schema.Args{arg(schema.RoleStdout, `"a\n"`)}}
	bypass := foreign(schema.PreTool, shell)
	bypass.SetStr(schema.FieldMode, "bypass")
	refused, done := foreign(schema.PermissionDenied, shell), foreign(schema.SubagentStop, schema.Tool{})
	refused.SetStr(schema.FieldError, "no")
	done.SetStr(schema.FieldSummary, "did")
	const head = `{"session_id":"s","transcript_path":"","cwd":"/p","hook_event_name":`
	for _, tt := range []struct {
		call *schema.Call
		want string
	}{
		{bypass, head + `"PreToolUse","permission_mode":"yolo","tool_use_id":"u","tool_name":"Bash",` +
			`"tool_input":{"command":"ls"}}`},
		{foreign(schema.PostTool, shell), head + `"PostToolUse","permission_mode":"default","tool_use_id":"u",` +
			`"tool_name":"Bash","tool_input":{"command":"ls"},` +
			`"tool_response":{"kind":"completed","stdout":"a","stderr":"","exitCode":0,"signal":null,` +
			`"interrupted":false,"isImage":false,"noOutputExpected":false}}`},
		{foreign(schema.PostToolFailure, shell),
			head + `"PostToolUseFailure","permission_mode":"default","tool_use_id":"u","tool_name":"Bash",` +
				`"tool_input":{"command":"ls"},"error":""}`},
		{refused, head + `"PermissionDenied","permission_mode":"default","tool_use_id":"u","tool_name":"Bash",` +
			`"tool_input":{"command":"ls"},"reason":"no"}`},
		{done, head + `"SubagentStop","permission_mode":"default","stop_hook_active":false,` +
			`"agent_transcript_path":"","last_assistant_message":"did"}`},
		{foreign(schema.PreCompact, schema.Tool{}), head + `"PreCompact","trigger":"auto","custom_instructions":""}`},
		{foreign(schema.Stop, schema.Tool{}), head + `"Stop","permission_mode":"default","stop_hook_active":false,` +
			`"last_assistant_message":""}`},
		{foreign(schema.SessionStart, schema.Tool{}),
			head + `"SessionStart","permission_mode":"default","source":"startup"}`},
		{foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.MCP}, Name: "do it", Server: "s", UseID: "u",
			Input: schema.Args{{Name: "a", Raw: []byte("1")}}}),
			head + `"PreToolUse","permission_mode":"default","tool_use_id":"u","tool_name":"mcp__s__do_it",` +
				`"tool_input":{"a":1},"mcp_context":{"server_name":"s","tool_name":"do it"}}`},
		{foreign(schema.PreTool, schema.Tool{Kinds: []schema.Kind{schema.Delete}, UseID: "u",
			Input: schema.Args{arg(schema.RolePath, `"/a b"`)}}),
			head + `"PreToolUse","permission_mode":"default","tool_use_id":"u","tool_name":"Bash",` +
				`"tool_input":{"command":"rm '/a b'","description":"Delete file"}}`},
	} {
		v := New().Views(tt.call)[0]
		if got := string(New().AppendCall(nil, tt.call, v)); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.call.Event, got, tt.want)
		}
	}
}

package gemini

import (
	"bytes"
	"testing"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestOwnPayloads checks that the client's payloads are written again byte for byte, except for blanks, in their only
// view.
func TestOwnPayloads(t *testing.T) {
	for _, p := range material.Payloads(t, "gemini") {
		name, text := p.Name, p.Text
		c, ds := New().DecodeCall(text, nil)
		if c == nil {
			t.Errorf("%s: %v", name, ds)
			continue
		}
		vs := New().Views(c)
		if len(vs) != 1 || vs[0].Event != c.Native {
			t.Errorf("%s: views %v", name, vs)
			continue
		}
		if got := ordjson.AppendCompact(nil, New().AppendCall(nil, c, vs[0])); !bytes.Equal(got,
			ordjson.AppendCompact(nil, text)) {
			t.Errorf("%s: %s", name, got)
		}
		if o, _ := ordjson.Parse(text); profile.Recognize(o, nil) != 7 {
			t.Errorf("%s: not recognized", name)
		}
	}
}

// TestMeaning checks how payloads are interpreted.
func TestMeaning(t *testing.T) {
	const start = `{"session_id":"s","cwd":"/w","timestamp":"t","hook_event_name":`
	for _, row := range []struct {
		payload string
		event   schema.Event
		kind    schema.Kind
		cwd     string
		roles   map[schema.Role]string
		err     string
	}{
		{`"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"a"}`, schema.PreTool,
			schema.Shell, "/w/a", nil, ""},
		{`"BeforeTool","tool_name":"search_file_content","tool_input":{"pattern":"x"}`, schema.PreTool, schema.Grep,
			"/w", nil, ""},
		{`"BeforeTool","tool_name":"web_fetch","tool_input":{"prompt":"see https://a.b/c, and <http://d>."}`,
			schema.PreTool, schema.Fetch, "/w", map[schema.Role]string{schema.RoleURL: `"https://a.b/c http://d"`}, ""},
		{`"BeforeTool","tool_name":"web_fetch","tool_input":{"url":"https://e.f","prompt":"https://a.b"}`,
			schema.PreTool, schema.Fetch, "/w",
			map[schema.Role]string{schema.RoleURL: `"https://a.b https://e.f"`}, ""},
		{`"AfterTool","tool_name":"run_shell_command","tool_input":{},` +
			`"tool_response":{"llmContent":"<untrusted_context>\nOutput: a\nExit Code: no\nProcess Group PGID: 7\n` +
			`</untrusted_context>"}`,
			schema.PostTool, schema.Shell, "/w", map[schema.Role]string{schema.RoleStdout: `"a"`}, ""},
		{`"AfterTool","tool_name":"run_shell_command","tool_input":{},"tool_response":{"llmContent":"Output: a\nb\n` +
			`Exit Code: 3\nProcess Group PGID: 7"}`,
			schema.PostToolFailure, schema.Shell, "/w", map[schema.Role]string{schema.RoleStdout: `"a\nb"`,
				schema.RoleExitCode: "3"}, "a\nb"},
		{`"AfterTool","tool_name":"run_shell_command","tool_input":{},"tool_response":{"llmContent":"Output: ` +
			`(empty)\nExit Code: 0"}`,
			schema.PostTool, schema.Shell, "/w", map[schema.Role]string{schema.RoleStdout: `""`}, ""},
		{`"AfterTool","tool_name":"read_file","tool_input":{},"tool_response":{"llmContent":"x",` +
			`"error":{"message":"no file","type":"t"}}`,
			schema.PostToolFailure, schema.Read, "/w", nil, "no file"},
		{`"AfterTool","tool_name":"write_file","tool_input":{},"tool_response":{"llmContent":"ok",` +
			`"returnDisplay":{"filePath":"/a","originalContent":"","newContent":"n","isNewFile":true}}`,
			schema.PostTool, schema.Write, "/w", map[schema.Role]string{schema.RolePath: `"/a"`,
				schema.RoleOriginal: "null", schema.RoleContent: `"n"`}, ""},
		{`"AfterTool","tool_name":"mcp_a_b_c","tool_input":{},` +
			`"tool_response":{"llmContent":[{"text":"<untrusted_context>\nx\n</untrusted_context>"}]},` +
			`"mcp_context":{"server_name":"a","tool_name":"b_c"}`,
			schema.PostTool, schema.MCP, "/w",
			map[schema.Role]string{schema.RoleBlocks: `[{"type":"text","text":"x"}]`}, ""},
		{`"PreCompress","trigger":"auto"`, schema.PreCompact, schema.Other, "/w", nil, ""},
	} {
		c, ds := New().DecodeCall([]byte(start+row.payload+"}"), nil)
		if c == nil {
			t.Errorf("%s: %v", row.payload, ds)
			continue
		}
		same(t, row.payload, []any{c.Event, c.Tool.Kind(), c.Cwd, c.Str(schema.FieldError)},
			[]any{row.event, row.kind, row.cwd, row.err})
		for r, want := range row.roles {
			raw, ok := c.Tool.Output.Get(r)
			if !ok {
				raw, _ = c.Tool.Input.Get(r)
			}
			same(t, row.payload+" "+r.String(), string(raw), want)
		}
	}
}

// TestServers checks that the name of a tool is split after a configured server, and stays whole if it begins with no
// server.
func TestServers(t *testing.T) {
	servers := New().Servers(schema.Places{Home: "/h"}, func(string) ([]byte, error) {
		return []byte(`{"mcpServers":{"my_srv":{}}} // c`), nil
	})
	for tool, want := range map[string][2]string{"mcp_my_srv_do": {"my_srv", "do"}, "mcp_other_do": {"", "other_do"}} {
		c, _ := New().DecodeCall([]byte(`{"hook_event_name":"BeforeTool","tool_name":"`+tool+`","tool_input":{}}`), nil)
		New().NameServer(c, servers)
		same(t, tool, [2]string{c.Tool.Server, c.Tool.Name}, want)
	}
	same(t, "long name", profile.MCP.Join("a-server-with-a-long-name", "and-a-tool-with-an-even-longer-one"),
		"mcp_a-server-with-a-long-name_..."+"l-with-an-even-longer-one"[0:0]+
			profile.MCP.Join("a-server-with-a-long-name", "and-a-tool-with-an-even-longer-one")[33:])
}

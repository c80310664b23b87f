package cursor

import (
	"cmp"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

func arg(r schema.Role, text string) schema.Arg { return schema.Arg{Role: r, Raw: []byte(text)} }

func foreign(e schema.Event, k schema.Kind, name string, in ...schema.Arg) *schema.Call {
	c := &schema.Call{Dialect: "other", Event: e, Native: "Any", Project: "/p", Cwd: "/p/d",
		Tool: schema.Tool{Name: name, UseID: "u", Input: in}}
	if k != schema.Other {
		c.Tool.Kinds = []schema.Kind{k}
	}
	c.SetStr(schema.FieldSession, "s")
	return c
}

func TestViews(t *testing.T) {
	start := foreign(schema.SubagentStart, schema.Other, "")
	start.SetStr(schema.FieldAgentType, "explore")
	stop := foreign(schema.Stop, schema.Other, "")
	stop.SetStr(schema.FieldLastMessage, "bye")
	inline := callOf("beforeTabFileRead", "", schema.Read, "Read")
	inline.Inline = true
	mcp := foreign(schema.PreTool, schema.MCP, "do_it")
	mcp.Tool.Server = "srv"
	for _, row := range []struct {
		name string
		c    *schema.Call
		want string // event:tool:target of each view
	}{
		{"shell", foreign(schema.PreTool, schema.Shell, "Bash", arg(schema.RoleCommand, `"ls -l"`)),
			"preToolUse:Shell:Shell beforeShellExecution:Bash:ls_-l"},
		{"shell after", foreign(schema.PostTool, schema.Shell, "Bash", arg(schema.RoleCommand, `"ls"`)),
			"postToolUse:Shell:Shell afterShellExecution:Bash:ls"},
		{"shell failed", foreign(schema.PostToolFailure, schema.Shell, "Bash"),
			"postToolUseFailure:Shell:Shell afterShellExecution:Bash:"},
		{"mcp", mcp, "preToolUse:do_it:MCP:do_it beforeMCPExecution:do_it:MCP:do_it"},
		{"read", foreign(schema.PreTool, schema.Read, "Read"), "preToolUse:Read:Read beforeReadFile:Read:Read"},
		{"edit", foreign(schema.PostTool, schema.MultiEdit, "MultiEdit"),
			"postToolUse:Write:Write afterFileEdit:MultiEdit:Write"},
		{"fetch", foreign(schema.PreTool, schema.Fetch, "WebFetch"), "preToolUse:Fetch:Fetch,WebFetch"},
		{"unknown tool", foreign(schema.PreTool, schema.Other, "Skill"), "preToolUse:Skill:Skill"},
		{"agent", foreign(schema.PreTool, schema.Agent, "Agent", arg(schema.RoleAgentType, `"explore"`)),
			"preToolUse:Task:Task subagentStart::explore"},
		{"agent start", start, ""},
		{"stop", stop, "stop::Stop afterAgentResponse::AgentResponse"},
		{"stop failed", foreign(schema.StopFailure, schema.Other, ""), "stop::Stop"},
		{"prompt", foreign(schema.PromptSubmit, schema.Other, ""), "beforeSubmitPrompt::UserPromptSubmit"},
		{"session", foreign(schema.SessionStart, schema.Other, ""), "sessionStart::"},
		{"compaction", foreign(schema.PreCompact, schema.Other, ""), "preCompact::"},
		{"notification", foreign(schema.Notification, schema.Other, ""), ""},
		{"inline read", inline, "beforeTabFileRead:Read:TabRead"},
		{"own agent call", callOf("preToolUse", "", schema.Agent, "Task"), "preToolUse:Task:Task"},
		{"own fetch", callOf("preToolUse", "", schema.Fetch, "WebFetch"), "preToolUse:WebFetch:WebFetch"},
	} {
		var got []string
		for _, v := range (Dialect{}).Views(row.c) {
			got = append(got, strings.ReplaceAll(v.Event+":"+v.Tool+":"+strings.Join(v.Target, ","), " ", "_"))
		}
		same(t, row.name, strings.Join(got, " "), row.want)
	}
}

// TestAppendForeign writes calls of another agent in every kind of view.
func TestAppendForeign(t *testing.T) {
	shell := foreign(schema.PostTool, schema.Shell, "Bash", arg(schema.RoleCommand, `"ls"`),
		arg(schema.RoleDescription, `"d"`))
	shell.Tool.Output = schema.Args{arg(schema.RoleStdout, `"out"`), arg(schema.RoleStderr, `"err"`)}
	mcp := foreign(schema.PostTool, schema.MCP, "do_it", schema.Arg{Name: "q", Raw: []byte("1")})
	mcp.Tool.Server, mcp.Tool.Output = "srv", schema.Args{arg(schema.RoleBlocks, `[]`)}
	edit := foreign(schema.PostTool, schema.Edit, "Edit", arg(schema.RolePath, `"/a"`), arg(schema.RoleOldText, `"x"`),
		arg(schema.RoleNewText, `"y"`))
	agent := foreign(schema.PreTool, schema.Agent, "Agent", arg(schema.RoleAgentType, `"explore"`),
		arg(schema.RolePrompt, `"look"`))
	stop := foreign(schema.Stop, schema.Other, "")
	stop.SetStr(schema.FieldLastMessage, "bye")
	stop.Set(schema.FieldStopActive, []byte("true"))
	failedStop := foreign(schema.StopFailure, schema.Other, "")
	failedStop.SetStr(schema.FieldError, "rate_limit")
	failedStop.SetStr(schema.FieldErrorDetails, "slow down")
	denied := foreign(schema.PermissionDenied, schema.Shell, "Bash", arg(schema.RoleCommand, `"ls"`))
	denied.SetStr(schema.FieldReason, "not here")
	fetched := foreign(schema.PostTool, schema.Fetch, "WebFetch", arg(schema.RoleURL, `"http://x"`))
	fetched.Tool.Output = schema.Args{{Name: "code", Raw: []byte("200")}, {Name: "result", Raw: []byte(`"page"`)}}
	done := foreign(schema.SubagentStop, schema.Other, "")
	done.SetStr(schema.FieldAgentType, "builtin/explore")
	done.SetStr(schema.FieldLastMessage, "found it")
	timed := foreign(schema.PreTool, schema.Shell, "Bash", arg(schema.RoleCommand, `"ls"`),
		arg(schema.RoleTimeout, "5000"))
	for _, row := range []struct {
		version, event string
		c              *schema.Call
		want           string // between the model and the final fields
	}{
		{"", "postToolUse", shell, `"tool_name":"Shell","tool_input":{"command":"ls","cwd":"/p/d"},` +
			`"tool_output":"{\"output\":\"out\\nerr\",\"exitCode\":0}","tool_use_id":"u","cwd":"/p/d"`},
		{"", "afterShellExecution", shell, `"command":"ls","output":"out\nerr","sandbox":false`},
		{"", "postToolUse", mcp, `"tool_name":"MCP:do_it","tool_input":{"q":1},"tool_output":"{\"content\":[],` +
			`\"isError\":false}","tool_use_id":"u"`},
		{"", "afterMCPExecution", mcp, `"tool_name":"do_it","tool_input":"{\"q\":1}","result_json":"{\"content\":[],` +
			`\"isError\":false}","mcp_server_name":"srv"`},
		{"", "afterFileEdit", edit, `"file_path":"/a","edits":[{"old_string":"x","new_string":"y"}]`},
		{"", "subagentStart", agent, `"subagent_id":"u","subagent_type":"explore","task":"look",` +
			`"parent_conversation_id":"s","tool_call_id":"u","subagent_model":"","is_parallel_worker":false`},
		{"2.4", "subagentStart", agent, `"subagent_type":"explore","prompt":"look"`},
		{"", "afterAgentResponse", stop, `"text":"bye"`},
		{"", "stop", stop, `"status":"completed","loop_count":1`},
		{"", "stop", failedStop, `"status":"error","loop_count":0,"error_message":"rate_limit: slow down"`},
		{"", "postToolUseFailure", denied, `"tool_name":"Shell","tool_input":{"command":"ls","cwd":"/p/d"},` +
			`"error_message":"not here","failure_type":"permission_denied","tool_use_id":"u","is_interrupt":false,` +
			`"cwd":"/p/d"`},
		{"", "postToolUse", fetched, `"tool_name":"Fetch","tool_input":{"url":"http://x"},` +
			`"tool_output":"{\"code\":200,\"result\":\"page\"}","tool_use_id":"u"`},
		{"", "subagentStop", done, `"subagent_type":"explore","status":"completed","summary":"found it",` +
			`"loop_count":0`},
		{"2.4", "subagentStop", done, `"subagent_type":"explore","status":"completed","result":"found it"`},
		{"", "beforeShellExecution", timed, `"command":"ls","cwd":"/p/d","sandbox":false`},
		{"2.4", "beforeShellExecution", timed, `"command":"ls","cwd":"/p/d","timeout":5`},
		{"2.4", "afterShellExecution", shell, `"command":"ls","output":"out\nerr"`},
	} {
		for _, v := range (Dialect{}).Views(row.c) {
			if v.Event != row.event {
				continue
			}
			got := string(at(row.version).AppendCall(nil, row.c, v))
			got = strings.TrimPrefix(got, `{"conversation_id":"s","generation_id":"s","model":"unknown",`)
			got, rest, _ := strings.Cut(got, `,"session_id"`)
			same(t, row.event, got, row.want)
			end := `,"user_email":null,"transcript_path":null`
			if row.event == "subagentStop" {
				end += `,"agent_transcript_path":null`
			}
			same(t, row.event, rest, `:"s","hook_event_name":"`+row.event+`","cursor_version":"`+
				cmp.Or(row.version, profile.Newest)+`","workspace_roots":["/p"]`+end+"}")
		}
	}
}

// TestOwnGate shows a Cursor call at the other event of the same call.
func TestOwnGate(t *testing.T) {
	c, _ := Dialect{}.DecodeCall([]byte(`{"conversation_id":"s","tool_name":"Shell","tool_input":{"command":"ls",`+
		`"cwd":"","timeout":1},"tool_use_id":"u","cwd":"","session_id":"s","hook_event_name":"preToolUse",`+
		`"workspace_roots":["/p"]}`), nil)
	got := string(Dialect{}.AppendCall(nil, c, Dialect{}.Views(c)[1]))
	same(t, "gate", got, `{"conversation_id":"s","generation_id":"s","model":"unknown","command":"ls","cwd":"",`+
		`"sandbox":false,"session_id":"s","hook_event_name":"beforeShellExecution","cursor_version":"3.15.19",`+
		`"workspace_roots":["/p"],"user_email":null,"transcript_path":null}`)
}

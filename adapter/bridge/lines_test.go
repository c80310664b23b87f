package bridge

import (
	"context"
	"regexp"
	"strings"
	"testing"
)

const head = `{"session_id":"s","cwd":"/w",`

// TestReadLines checks that a hook gets the line range of a read in its own agent's form. The host reads the range that
// the hook sets, or nothing.
func TestReadLines(t *testing.T) {
	lines := map[string]string{"claude": `"offset":5,"limit":16`, "qoder": `"offset":5,"limit":16`,
		"copilot": `"view_range":[5,20]`,
		"gemini":  `"start_line":5,"end_line":20`, "copilot@vscode": `"startLine":5,"endLine":20`}
	set := map[string]string{"claude": `"offset":1,"limit":3`, "qoder": `"offset":1,"limit":3`,
		"copilot": `"view_range":[1,3]`,
		"gemini":  `"start_line":1,"end_line":3`, "copilot@vscode": `"startLine":1,"endLine":3`}
	answers := map[string]string{"claude": `{"hookSpecificOutput":{"hookEventName":"PreToolUse",` +
		`"updatedInput":{"file_path":"/a",LINES}}}`,
		"copilot": `{"modifiedArgs":{"path":"/a",LINES}}`,
		"gemini":  `{"hookSpecificOutput":{"tool_input":{"file_path":"/a",LINES}}}`}
	calls := map[string]string{"claude": head +
		`"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Read",` +
		`"tool_input":{"file_path":"/a",LINES}}`,
		"gemini": head +
			`"hook_event_name":"BeforeTool","timestamp":"t","tool_name":"read_file","tool_input":{"file_path":"/a",` +
			`LINES}}`,
		"copilot": `{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":"view","toolArgs":{"path":"/a",LINES}}`,
		"copilot@vscode": head +
			`"timestamp":"t","hook_event_name":"PreToolUse","tool_name":"read_file","tool_input":{"filePath":"/a",` +
			`LINES},"tool_use_id":"u"}`}
	calls["qoder"] = calls["claude"]
	answers["qoder"] = answers["claude"]
	for host := range lines {
		for hooks := range lines {
			if strings.HasPrefix(hooks, host) || strings.HasPrefix(host, hooks) {
				continue
			}
			answer := strings.ReplaceAll(answers[hooks], "LINES", set[hooks])
			b := newBridge(t, host, hooks, "if grep -q '"+regexp.QuoteMeta(lines[hooks])+"'; then echo '"+answer+
				"'; else exit 2; fi")
			out, rep, err := b.Run(context.Background(), []byte(strings.ReplaceAll(calls[host], "LINES", lines[host])),
				"")
			want := set[host]
			if answer == "" {
				want = `{}`
			}
			if !strings.Contains(string(out), want) || err != nil {
				t.Errorf("%s hook under %s: %s %v %v", hooks, host, out, err, rep.Diagnostics)
			}
		}
	}
}

// TestUnknownMember checks that a rewrite that only the hooks' agent understands denies the call: hosts ignore unknown
// fields.
func TestUnknownMember(t *testing.T) {
	for host, in := range map[string]string{
		"claude": head +
			`"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Read",` +
			`"tool_input":{"file_path":"/a"}}`,
		"qoder": head +
			`"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Read",` +
			`"tool_input":{"file_path":"/a"}}`,
		"gemini": head +
			`"hook_event_name":"BeforeTool","timestamp":"t","tool_name":"read_file","tool_input":{"file_path":"/a"}}`,
		"copilot": `{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":"view","toolArgs":{"path":"/a"}}`,
	} {
		b := newBridge(t, host, "copilot", `echo '{"modifiedArgs":{"path":"/a","forceReadLargeFiles":false}}'`)
		out, rep, err := b.Run(context.Background(), []byte(in), "")
		if denied := strings.Contains(string(out), `"deny"`); denied != (host != "copilot") || err != nil {
			t.Errorf("%s: %s %v %v", host, out, err, rep.Diagnostics)
		}
	}
}

// TestNotebook checks that a guard on notebooks gets notebook writes of an agent without a notebook tool.
func TestNotebook(t *testing.T) {
	for host, in := range map[string]string{
		"copilot": `{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":"create","toolArgs":{"path":"/w/a.ipynb",` +
			`"file_text":"secret"}}`,
		"cursor": `{"conversation_id":"c","generation_id":"g","tool_name":"Write",` +
			`"tool_input":{"file_path":"/w/a.ipynb","content":"secret"},"tool_use_id":"u",` +
			`"hook_event_name":"preToolUse","cursor_version":"3.15.19","workspace_roots":["/w"]}`,
	} {
		b := newBridge(t, host, "claude",
			`grep -q '"notebook_path":"/w/a.ipynb","new_source":"secret"' || exit 0; echo no >&2; exit 2`)
		b.Places.Project = ""
		out, rep, err := b.Run(context.Background(), []byte(in), "")
		if !strings.Contains(string(out), `"deny"`) || err != nil {
			t.Errorf("%s: %s %v %v", host, out, err, rep.Diagnostics)
		}
	}
}

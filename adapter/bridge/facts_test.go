package bridge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

const agentLines = `{"type":"user","timestamp":"2026-11-22T02:00:00.000Z","isSidechain":true,"message":{"role":"user","content":"look around"}}
{"type":"assistant","timestamp":"2026-11-22T02:00:00.500Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Write","input":{"file_path":"/p/new.go","content":"x"}}]}}
{"type":"user","timestamp":"2026-11-22T02:00:00.600Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}}
{"type":"assistant","timestamp":"2026-11-22T02:00:00.700Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"Edit","input":{"file_path":"/p/kept.go","old_string":"a","new_string":"b"}}]}}
{"type":"user","timestamp":"2026-11-22T02:00:00.800Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"no","is_error":true}]}}
{"type":"assistant","timestamp":"2026-11-22T02:00:01.200Z","message":{"role":"assistant","content":[{"type":"text","text":"all done"}]}}
`

// TestFacts checks that hooks get facts from the session's memory and the transcripts.
func TestFacts(t *testing.T) {
	dir := t.TempDir()
	agent := filepath.Join(dir, "agent.jsonl")
	if err := os.WriteFile(agent, []byte(agentLines), 0o644); err != nil {
		t.Fatal(err)
	}
	session := filepath.Join(dir, "session.jsonl")
	call := `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"c",` +
		`"name":"Agent","input":` +
		`{"prompt":"look around","description":"a look","subagent_type":"Explore"}}]}}` + "\n"
	if err := os.WriteFile(session, []byte(strings.ReplaceAll(call, "look", "other look")+call+call[:20]+"\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	quotedSession := string(ordjson.AppendString(nil, session))
	quoted := string(ordjson.AppendString(nil, agent))
	const config = `{"version":1,"hooks":{"sessionStart":[{"command":"cat > start.json"}],"preToolUse":[{"command":"cat > pre.json"}],
		"subagentStop":[{"command":"cat > sub.json"}],"stop":[{"command":"cat > stop.json"}],"afterAgentResponse":[{"command":"cat > said.json"}]}}`
	host, _ := adapter.Find("claude")
	hooks, _ := adapter.Find("cursor")
	b := Bridge{Host: host, Hooks: hooks, StateDir: filepath.Join(dir, "state"), Inline: []byte(config), Now: time.Now}
	b.Places.Project, b.Places.Home = dir, dir
	for _, step := range []struct{ payload, file, want, not string }{
		{`"hook_event_name":"SessionStart","source":"startup","model":"m-1"`, "start.json", `"model":"m-1"`, ""},
		{`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"u"`,
			"pre.json", `"model":"m-1"`, ""},
		{`"hook_event_name":"SubagentStop","agent_id":"a","agent_type":"Explore","transcript_path":` + quotedSession +
			`,"agent_transcript_path":` + quoted, "sub.json",
			`"status":"completed","duration_ms":1200,"summary":"all done","message_count":6,"tool_call_count":2,` +
				`"modified_files":["/p/new.go"],"loop_count":0,"task":"look around","description":"a look"`, ""},
		{`"hook_event_name":"SubagentStop","agent_id":"a","agent_type":"Explore","agent_transcript_path":"/none"`,
			"sub.json", `"status":"completed"`, "modified_files"},
		{`"hook_event_name":"Stop","stop_hook_active":false,"transcript_path":` + quoted, "said.json",
			`"text":"all done"`, ""},
	} {
		_ = os.Remove(filepath.Join(dir, step.file))
		if _, _, err := b.Run(t.Context(), []byte(`{"session_id":"s","cwd":`+string(ordjson.AppendString(nil, dir))+`,`+
			step.payload+`}`), ""); err != nil {
			t.Fatal(err)
		}
		got, _ := os.ReadFile(filepath.Join(dir, step.file))
		if !strings.Contains(string(got), step.want) || step.not != "" && strings.Contains(string(got), step.not) {
			t.Errorf("%s: %s\nlacks %s, or has %q", step.payload, got, step.want, step.not)
		}
	}
}

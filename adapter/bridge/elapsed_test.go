package bridge

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
)

// TestElapsed checks that hooks get durations, and which compaction is the first, if hookbridge was called at the
// beginning. Else the payload doesn't have them.
func TestElapsed(t *testing.T) {
	const config = `{"version":1,"hooks":{"sessionStart":[{"command":"true"}],"preToolUse":[{"command":"true"}],
		"postToolUse":[{"command":"true"}],"postToolUseFailure":[{"command":"true"}],"subagentStop":[{"command":"true"}],
		"preCompact":[{"command":"true"}],"sessionEnd":[{"command":"true"}]}}`
	const tool = `"tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"u"`
	start := `"hook_event_name":"SessionStart","source":"startup"`
	compact := `"hook_event_name":"PreCompact","trigger":"auto"`
	pre := `"hook_event_name":"PreToolUse",` + tool
	post := `"hook_event_name":"PostToolUse","tool_response":{"stdout":""},` + tool
	subStart := `"hook_event_name":"SubagentStart","agent_id":"a","agent_type":"Explore"`
	subStop := `"hook_event_name":"SubagentStop","agent_id":"a","agent_type":"Explore"`
	end := `"hook_event_name":"SessionEnd","reason":"other"`
	failed := func(why string) string {
		return `"hook_event_name":"PostToolUseFailure","error":"` + why + `",` + tool
	}
	for _, row := range []struct {
		host     string
		payloads []string // one per second
		want     string   // in the payload of the last one's hook
		not      string
	}{
		{"claude", []string{start, end}, `"duration_ms":1000`, ""},
		{"claude", []string{`"hook_event_name":"SessionStart","source":"resume"`, end}, "", "duration"},
		{"claude", []string{end}, "", "duration"},
		{"claude", []string{subStart, subStop}, `"duration_ms":1000`, ""},
		{"claude", []string{subStart, strings.ReplaceAll(subStop, `"a"`, `"b"`)}, "", "duration"},
		{"claude", []string{start, compact}, `"is_first_compaction":true`, ""},
		{"claude", []string{start, compact, compact}, `"is_first_compaction":false`, ""},
		{"claude", []string{compact}, "", "is_first"},
		{"claude", []string{compact, compact}, `"is_first_compaction":false`, ""},
		{"claude", []string{pre, post}, "", "duration"}, // Claude Code sends it
		{"claude", []string{pre, strings.Replace(post, `"t`, `"duration_ms":7,"t`, 1)}, `"duration":7`, ""},
		{"claude", []string{failed(`Exit code 143\nCommand timed out after 2s`)}, `"failure_type":"timeout"`, ""},
		{"claude", []string{failed(`Exit code 1\nCommand timed out after 2s`)}, `"failure_type":"error"`, ""},
		{"qoder", []string{pre, post}, `"duration":1000`, ""},
		{"qoder", []string{post}, "", "duration"},
		{"qoder", []string{pre, failed("no")}, `"duration":1000`, ""},
	} {
		host, _ := adapter.Find(row.host)
		hooks, _ := adapter.Find("cursor")
		now := time.Unix(1e9, 0)
		b := Bridge{Host: host, Hooks: hooks, StateDir: filepath.Join(t.TempDir(), "s"), Inline: []byte(config),
			Now: func() time.Time { return now }}
		b.Places.Project = t.TempDir()
		var got string
		for _, p := range row.payloads {
			now = now.Add(time.Second)
			_, rep, err := b.Run(t.Context(), []byte(`{"session_id":"s","cwd":"/",`+p+`}`), "")
			if err != nil {
				t.Fatal(err)
			}
			for _, run := range rep.Runs {
				got = string(run.Stdin)
			}
		}
		if !strings.Contains(got, row.want) || row.not != "" && strings.Contains(got, row.not) {
			t.Errorf("%s %v: %s\nlacks %s, or has %q", row.host, row.payloads, got, row.want, row.not)
		}
	}
}

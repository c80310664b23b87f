package bridge

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestAskAtGate sends an ask to the event at which the host asks its user. A version that certainly asks gets it
// unchanged; one that may decide without asking gets a denial.
func TestAskAtGate(t *testing.T) {
	const ask = `cat >/dev/null; echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse",` +
		`"permissionDecision":"ask"}}'`
	versions := map[string]schema.Verdict{"3.15.19": schema.Ask, "3.0.1": schema.Deny, "1.0.0": schema.Deny}
	for version, want := range versions {
		b := newBridge(t, "cursor", "claude", ask)
		b.Single.Event, b.Single.Native = schema.PreTool, "PreToolUse"
		payload := `{"conversation_id":"c","command":"ls","cwd":"","hook_event_name":"beforeShellExecution",` +
			`"cursor_version":"` + version + `","workspace_roots":["/w"]}`
		_, rep, err := b.Run(context.Background(), []byte(payload), "")
		if err != nil || rep.Reply.Verdict != want {
			t.Errorf("cursor %s: %v, want %v: %v", version, rep.Reply.Verdict, want, err)
		}
	}
}

// TestServerAddress checks that a hook gets an MCP server's address or command from the host's files if the payload
// lacks it. It ignores the files of a project that needs trust.
func TestServerAddress(t *testing.T) {
	const servers = `{"mcpServers":{"far":{"url":"http://x/mcp"},"near":{"command":"node","args":["s.js","-v"]}}}`
	for _, tt := range []struct {
		server, want string
		trust        bool
	}{
		{"far", `"url":"http://x/mcp","mcp_server_url":"http://x/mcp"`, false},
		{"near", `"command":"node s.js -v"`, false}, {"none", "", false}, {"far", "", true},
	} {
		b := newBridge(t, "claude", "cursor", "cat >stdin; echo '{}'")
		if err := os.WriteFile(filepath.Join(b.Places.Project, ".mcp.json"), []byte(servers), 0o600); err != nil {
			t.Fatal(err)
		}
		b.Single.Event, b.Single.Native, b.Single.Gate = schema.PreTool, "beforeMCPExecution", true
		b.RequireTrust = tt.trust
		payload := `{"session_id":"s","cwd":"` + b.Places.Project + `","hook_event_name":"PreToolUse",` +
			`"tool_name":"mcp__` + tt.server + `__do","tool_input":{}}`
		_, rep, err := b.Run(context.Background(), []byte(payload), "")
		if err != nil || len(rep.Runs) != 1 {
			t.Fatal(tt.server, err, rep.Diagnostics)
		}
		got := string(rep.Runs[0].Stdin)
		said := strings.Contains(got, "url") || strings.Contains(got, "command")
		if tt.want == "" && said || !strings.Contains(got, tt.want) {
			t.Errorf("%s, trust %v: %s", tt.server, tt.trust, got)
		}
	}
}

// TestOneCommandAtTwoEvents runs a command once for each of its events of a call, as its agent does, and a hook of one
// event once.
func TestOneCommandAtTwoEvents(t *testing.T) {
	const common = `"conversation_id":"c","generation_id":"g","cursor_version":"3.15.19","workspace_roots":["/w"],`
	payloads := map[string]string{
		"preToolUse":           `"tool_name":"Shell","tool_input":{"command":"ls"},"tool_use_id":"t"`,
		"beforeShellExecution": `"command":"ls","cwd":"","sandbox":false`,
		"afterShellExecution":  `"command":"ls","output":"","duration":1,"sandbox":false`,
		"postToolUse": `"tool_name":"Shell","tool_input":{"command":"ls"},"tool_use_id":"t",` +
			`"tool_output":"{\"output\":\"\",\"exitCode\":0}","duration":1`,
	}
	for _, hooks := range []string{"cursor@2.4", "cursor@sdk", "claude"} {
		b := newBridge(t, "cursor", hooks, "cat >/dev/null; echo '{}'")
		for _, pair := range [][2]string{{"preToolUse", "beforeShellExecution"},
			{"afterShellExecution", "postToolUse"}} {
			ran := 0
			for _, native := range pair {
				row := adapter.EventNamed(b.Hooks, native)
				b.Single.Event, b.Single.Native, b.Single.Gate = row.Event, row.Native, row.Gate != nil
				payload := "{" + common + payloads[native] + `,"hook_event_name":"` + native + `"}`
				_, rep, err := b.Run(context.Background(), []byte(payload), "")
				if err != nil {
					t.Fatal(err)
				}
				ran += len(rep.Runs)
			}
			if want := map[bool]int{true: 1, false: 2}[hooks == "claude"]; ran != want {
				t.Errorf("%s, %v: ran %d times, want %d", hooks, pair, ran, want)
			}
		}
	}
}

package bridge_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/schema"
)

// A guard written for Claude Code answers Cursor: the hook blocks with exit status 2, and Cursor gets the denial in its
// own format.
func ExampleBridge() {
	host, _ := adapter.Find("cursor")
	hooks, _ := adapter.Find("claude")
	b := &bridge.Bridge{
		Host:  host,
		Hooks: hooks,
		Single: &schema.Hook{
			Handler: schema.HandlerCommand,
			Command: `grep -q "rm -rf" && { echo "name the files" >&2; exit 2; } || true`,
			Matcher: "Bash",
		},
		Places: schema.Places{OS: "linux", Env: os.Environ()},
		Now:    time.Now,
	}
	payload := []byte(`{"hook_event_name": "preToolUse", "conversation_id": "c", "cursor_version": "3.15.19",
		"tool_name": "Shell", "tool_input": {"command": "rm -rf build"}, "workspace_roots": ["/tmp"]}`)
	answer, report, err := b.Run(context.Background(), payload, "")
	fmt.Println(string(answer), err)
	fmt.Println(report.Reply.Verdict, "by", len(report.Runs), "hook")
	// Output:
	// {"permission":"deny","user_message":"name the files","agent_message":"name the files"} <nil>
	// deny by 1 hook
}

// The hooks are those of a project, as Claude Code would load them. The trace shows why one of them doesn't run.
func ExampleBridge_Run_project() {
	project, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(project)
	os.Mkdir(filepath.Join(project, ".claude"), 0o700)
	os.WriteFile(filepath.Join(project, ".claude", "settings.json"), []byte(`{"hooks": {
		"UserPromptSubmit": [{"hooks": [{"type": "command", "command": "echo branch: main"}]}],
		"Stop": [{"hooks": [{"type": "command", "command": "./tests.sh"}]}]}}`), 0o600)

	host, _ := adapter.Find("cursor")
	hooks, _ := adapter.Find("claude")
	b := &bridge.Bridge{Host: host, Hooks: hooks, Now: time.Now, Trace: true,
		Places: schema.Places{OS: "linux", Project: project, Env: os.Environ()}}
	payload, _ := sample.Payload(host, sample.Event{Event: "beforeSubmitPrompt", Project: project, Session: "s"})
	answer, report, _ := b.Run(context.Background(), payload, "")
	fmt.Println(string(answer))
	for _, s := range report.Trace.Skipped {
		fmt.Println(s.Hook.Command, "was not run:", s.Detail)
	}
	// Output:
	// {"additional_context":"branch: main"}
	// ./tests.sh was not run: it is for Stop
}

// A payload is rewritten without running a hook.
func ExampleTranslateCall() {
	from, _ := adapter.Find("cursor")
	to, _ := adapter.Find("claude")
	payload := []byte(`{"hook_event_name": "beforeSubmitPrompt", "conversation_id": "c", "prompt": "hi", ` +
		`"cursor_version": "3.15.19", "workspace_roots": ["/p"]}`)
	out, ds := bridge.TranslateCall(from, to, payload, "", "", nil)
	fmt.Println(string(out[0])) // more if the call is several calls for the other agent
	for _, d := range ds {
		fmt.Println(d.Severity, d.Code, d.Path)
	}
	// Output:
	// {"session_id":"c","transcript_path":"","cwd":"/p","permission_mode":"default","hook_event_name":"UserPromptSubmit","prompt":"hi"}
	// note HB212 /cursor_version
	// note HB212 /workspace_roots
}

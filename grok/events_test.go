package grok

import (
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestEventNames holds the names of events that files may use (observed 1.0.41).
func TestEventNames(t *testing.T) {
	for name, want := range map[string]string{
		"PreToolUse": "PreToolUse", "pre_tool_use": "PreToolUse", "preToolUse": "PreToolUse", "PRETOOLUSE": "",
		"beforeShellExecution": "PreToolUse", "beforeReadFile": "PreToolUse", "before_shell_execution": "",
		"afterFileEdit": "PostToolUse", "afterAgentThought": "PostToolUse", "afterTabFileEdit": "",
		"beforeSubmitPrompt": "UserPromptSubmit", "user_prompt_submit": "UserPromptSubmit", "userPromptSubmit": "",
		"SubagentEnd": "SubagentStop", "subagent_end": "SubagentStop", "stopCancelled": "StopCancelled",
	} {
		got := ""
		if row := eventNamed(name); row != nil {
			got = row.Native
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestVoidFiles holds which mistakes leave no hook of a file (observed 1.0.41).
func TestVoidFiles(t *testing.T) {
	const ok = `{"hooks":[{"type":"command","command":"a b"}]}`
	for group, want := range map[string]int{
		`{}`: 0, `{"hooks":null}`: 0, `{"hooks":{}}`: 0, `{"command":"a b"}`: 0,
		`{"hooks":[{"type":"command","command":5}]}`: 0, `{"hooks":[{"type":"command","command":null}]}`: 1,
		`{"hooks":[{"type":"command","command":"c d","timeout":5.0}]}`: 0,
		`{"hooks":[{"type":"command","command":"c d","timeout":1e1}]}`: 0,
		`{"hooks":[{"type":"command","command":"c d","timeout":5}]}`:   2,
		`{"hooks":[{"type":"Command","command":"c d"}]}`:               1,
	} {
		cfg, _ := New().ParseConfig([]byte(`{"hooks":{"PreToolUse":[`+ok+`,`+group+`]}}`), schema.Source{})
		if got := len(cfg.AsKnown().Hooks); got != want {
			t.Errorf("%s: %d hooks, want %d", group, got, want)
		}
	}
}

// TestSecondNames holds that a payload of an older version, which has only the second names, is read like one that has
// both.
func TestSecondNames(t *testing.T) {
	const older = `{"hookEventName":"pre_tool_use","sessionId":"s","cwd":"/p","workspaceRoot":"/p/",` +
		`"toolName":"run_terminal_command","toolUseId":"u","toolInput":{"command":"rm -rf x"}}`
	c, ds := New().DecodeCall([]byte(older), nil)
	if c == nil || c.Event != schema.PreTool || c.Tool.Kind() != schema.Shell || c.Tool.UseID != "u" ||
		c.Tool.Input.Text(schema.RoleCommand) != "rm -rf x" || c.Str(schema.FieldSession) != "s" || len(ds) > 0 {
		t.Errorf("%+v, %v", c, ds)
	}
}

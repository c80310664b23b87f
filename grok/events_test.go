package grok

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestEventNames checks the event names that files may use (observed 1.0.41).
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

// TestVoidFiles checks which mistakes void all hooks of a file (observed 1.0.41).
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

// TestSecondNames checks that a payload of an older version, which has only the second names, is read like one with
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

// TestImportSwitch checks that the user's setting and the variable turn off the import of Claude Code's files (observed
// 1.0.41).
func TestImportSwitch(t *testing.T) {
	const hooks = `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x"}]}]}}`
	for _, tt := range []struct {
		config, env string
		imports     bool
	}{{"", "", true}, {"[compat.claude]\nhooks = true\n", "", true}, {"[compat.claude]\nhooks = false\n", "", false},
		{"compat.claude.hooks = false", "", false}, {"[compat.cursor]\nhooks = false\n", "", true},
		{"[compat.claude]\nhooks = \"false\"\n", "", true}, {"not TOML", "", true},
		{"", "GROK_CLAUDE_HOOKS_ENABLED=false", false}, {"", "GROK_CLAUDE_HOOKS_ENABLED=true", true}} {
		p := schema.Places{Project: "/p", Home: "/h", Env: schema.Environ{tt.env}}
		files := map[string]string{filepath.Join("/h", ".claude", "settings.json"): hooks,
			filepath.Join("/h", ".grok", "config.toml"): tt.config}
		got := New().Imported(p, func(file string) ([]byte, error) {
			if text := files[file]; text != "" {
				return []byte(text), nil
			}
			return nil, os.ErrNotExist
		})
		if len(got) > 0 != tt.imports {
			t.Errorf("%q %s: imported %v", tt.config, tt.env, got)
		}
	}
}

package inspect

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestCallVariables lists shell texts and the variables in them that look like parts of the call but that no agent
// sets.
func TestCallVariables(t *testing.T) {
	for text, want := range map[string][]string{
		`echo "$CLAUDE_TOOL_INPUT" | grep rm`:                {"CLAUDE_TOOL_INPUT"},
		`prettier $CLAUDE_FILE_PATHS ${CLAUDE_FILE_PATHS}`:   {"CLAUDE_FILE_PATHS"},
		`x "${CURSOR_TOOL_NAME:-}" "$GEMINI_TOOL_ARGS"`:      {"CURSOR_TOOL_NAME", "GEMINI_TOOL_ARGS"},
		`case $CLAUDE_TOOL_FILE_PATH in *.env) exit 2; esac`: {"CLAUDE_TOOL_FILE_PATH"},
		`echo ${CLAUDE_FILE_PATHS:-$(jq -r .x)}`:             nil,
		`CLAUDE_TOOL_INPUT=$(cat); echo $CLAUDE_TOOL_INPUT`:  nil,
		"# $CLAUDE_TOOL_INPUT has the call\ncat":             nil,
		`$CLAUDE_PROJECT_DIR/x $MY_TOOL_NAME $HOME`:          nil,
		`echo $QODER_TOOL_NAME $CODEX_TOOL_CALL_ID`:          nil, // these two agents set them
		`echo CLAUDE_TOOL_INPUT`:                             nil,
	} {
		if got := callVariables(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestNeverSet checks that commands and shell scripts are examined in every agent's hooks, and that variables of the
// user aren't reported.
func TestNeverSet(t *testing.T) {
	project := t.TempDir()
	file := filepath.Join(project, "guard.sh")
	if err := os.WriteFile(file, []byte("#!/bin/sh\necho $CLAUDE_TOOL_INPUT\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := schema.Places{OS: "linux", Home: "/nowhere", Project: project, Env: schema.Environ{"PATH=/usr/bin:/bin"}}
	short := func(file string) string { return file }
	for _, d := range adapter.Dialects() {
		h := schema.Hook{Event: schema.PreTool, Native: d.Profile().Generic(schema.PreTool),
			Handler: schema.HandlerCommand, Command: "echo $CLAUDE_TOOL_INPUT"}
		if h.Native == "" || d.Profile().Modules != nil {
			continue
		}
		for _, command := range []string{h.Command, "sh " + file, file} {
			h.Command = command
			if got := neverSet(d, &h, p, short); len(got) != 1 || got[0].name != "CLAUDE_TOOL_INPUT" {
				t.Errorf("%s, %s: %v", d.Profile().Name, command, got)
			}
		}
		set := p
		set.Env = append(slices.Clone(p.Env), "CLAUDE_TOOL_INPUT=x")
		if got := neverSet(d, &h, set, short); len(got) != 0 {
			t.Errorf("%s: %v", d.Profile().Name, got)
		}
	}
}

package bridge

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestLeftToAnother calls the user's entry for a guard of the project, which also has an entry. The project's entry
// runs the guard if the host calls it for the call and waits for its answer; else the user's does.
func TestLeftToAnother(t *testing.T) {
	const flags = "run --host claude --hooks cursor --scope project"
	entry := func(command, more string) string {
		return fmt.Sprintf(`[{"hooks":[{"type":"command","command":%q%s}]}]`, command, more)
	}
	other := filepath.Join(t.TempDir(), "hookbridge")
	if err := os.WriteFile(other, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		about, entries string
		left           bool
	}{
		{"none", `[]`, false},
		{"one as install writes it", entry("hookbridge "+flags, `,"timeout":70`), true},
		{"one that names the event", entry("hookbridge "+flags+" --event PreToolUse", ""), true},
		{"one that names another event", entry("hookbridge "+flags+" --event PostToolUse", ""), false},
		{"a program by its path", entry(other+" "+flags, ""), true},
		{"a path that another machine has", entry("/nowhere/hookbridge "+flags, ""), false},
		{"a launcher that isn't there", entry(`"${CLAUDE_PROJECT_DIR}"/.hookbridge/run `+flags, ""), false},
		{"in the background", entry("hookbridge "+flags, `,"async":true`), false},
		{"in the background, with a word at the end", entry("hookbridge "+flags, `,"asyncRewake":true`), false},
		{"ended before it starts", entry("hookbridge "+flags, `,"timeout":0.01`), false},
		{"hooks that are ended at once", entry("hookbridge "+flags+" --timeout 0.01", ""), false},
		{"for some calls", entry("hookbridge "+flags, `,"if":"Bash(git *)"`), false},
		{"for another tool", `[{"matcher":"Read",` + entry("hookbridge "+flags, "")[2:], false},
		{"for another host", entry("hookbridge run --host codex --hooks cursor --scope project", ""), false},
		{"for another project", entry("hookbridge "+flags+" --project /", ""), false},
		{"with a flag that run doesn't have", entry("hookbridge "+flags+" --nonesuch", ""), false},
		{"with flags that don't go together", entry("hookbridge "+flags+" --config x", ""), false},
		{"of weaker answers", entry("hookbridge "+flags+" --ask allow", ""), false},
	} {
		b := newBridge(t, "claude", "cursor", "")
		b.Scope, b.Places.Home = schema.ScopeUser, t.TempDir()
		laidOut(t, b.Places.Project, map[string]string{
			".cursor/hooks.json":    entriesAt("exit 2", "preToolUse"),
			".claude/settings.json": `{"hooks":{"PreToolUse":` + tt.entries + `}}`})
		payload := fmt.Sprintf(`{"session_id":"s","hook_event_name":"PreToolUse","cwd":%q,"tool_name":"Bash",`+
			`"tool_input":{"command":"ls"},"tool_use_id":"t"}`, b.Places.Project)
		_, rep, err := b.Run(t.Context(), []byte(payload), "")
		if left := err == nil && len(rep.Runs) == 0; left != tt.left {
			t.Errorf("%s: left to it %v, %v", tt.about, left, err)
		}
	}
}

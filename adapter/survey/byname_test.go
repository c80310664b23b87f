package survey

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/omp"
	"github.com/hookbridge/hookbridge/schema"
)

// TestNamedFiles checks which hooks are counted in the files of agents that are known by name only, and which of them
// count as guards.
func TestNamedFiles(t *testing.T) {
	const one = `[{"hooks":[{"type":"command","command":"a"}]}]`
	for _, row := range []struct {
		file, text    string
		hooks, guards int
	}{
		{".windsurf/hooks.json", `{"hooks":{"pre_run_command":[{"command":"a"},{"powershell":"b"}],` +
			`"post_write_code":[{"command":"c"}]}} // comment`, 3, 2},
		{".devin/hooks.v1.json", `{"PreToolUse":` + one + `}`, 1, 1},
		{".kiro/hooks/x.json", `{"version":"v1","hooks":[{"trigger":"PreToolUse","action":{"type":"command"}},` +
			`{"trigger":"PostFileSave","action":{"type":"agent"}},` +
			`{"trigger":"PreToolUse","enabled":false,"action":{"type":"command"}}]}`, 2, 1},
		{".agents/plugins/p/hooks/hooks.json", `{"hooks":{"PreToolUse":` + one + `}}`, 1, 1},
		{".muse/hooks.json", `{"hooks":{"SessionStart":` + one + `}}`, 1, 0},
		{".amp/settings.json", `{"amp.permissions":[{"action":"delegate","to":"x"},{"action":"allow"}]}`, 1, 1},
		{".amp/plugins/x.ts", `export default 1`, 1, 0},
		{".continue/settings.json", `{"hooks":{"PreToolUse":` + one + `}}`, 1, 1},
		{"crush.json", `{"mcp":{"x":{"command":"a"}},"hooks":{"PreToolUse":[{"command":"b"}]}}`, 1, 1},
		{".kiro/agents/x.json", `{"mcpServers":{"x":{"command":"a"}}}`, 0, 0},
		{".openhands/hooks.json", `{"hooks":{"UserPromptSubmit":` + one + `}}`, 1, 1},
		{".openhands/hooks.json", `{"pre_tool_use":` + one + `,"stop":` + one + `}`, 2, 1},
		{".dsh/hooks.json", `{"hooks":{"PreToolUse":` + one + `}}`, 1, 1},
		{".omp/hooks/pre/x.js", `export default 1`, 1, 1},
		{"~/.omp/agent/extensions/x.ts", `export default 1`, 1, 1},
		{"~/.omp/agent/extensions/y.ts", `export default (pi) => { pi.on(1 }`, 1, 1},
		{".omp/extensions/x/index.ts", `export default 1`, 1, 1},
		{".omp/extensions/x/more.ts", `export default 1`, 0, 0},
		{".omp/extensions/hookbridge.js.hookbridge-backup", `export default 1`, 0, 0},
		{".omp/extensions/hookbridge.js", string(omp.New().WriteEntries([]byte(`{"hooks":{}}`))), 0, 0},
		{"~/.abacusai/x.json", `{"hooks":{"PreToolUse":` + one + `}}`, 1, 1},
		{"~/.codeium/windsurf/hooks.json", `{"hooks":{"pre_run_command":[{"command":"a"}]}}`, 1, 1},
	} {
		project, home := t.TempDir(), t.TempDir()
		file := filepath.Join(project, filepath.FromSlash(row.file))
		if below, ok := strings.CutPrefix(row.file, "~/"); ok {
			file = filepath.Join(home, filepath.FromSlash(below))
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(row.text), 0o644); err != nil {
			t.Fatal(err)
		}
		hooks, guards := 0, 0
		for _, f := range NamedFiles(schema.Places{Project: project, Home: home}) {
			hooks, guards = hooks+f.Hooks, guards+f.Guards
			only, never := strings.Contains(f.Message(project), "there only"), f.Agent.Never != "" || f.Broken
			if only == never || f.Broken != strings.Contains(row.text, "pi.on(1 }") {
				t.Errorf("%s: %s", row.file, f.Message(project))
			}
		}
		if hooks != row.hooks || guards != row.guards {
			t.Errorf("%s %s: %d hooks, %d guards", row.file, row.text, hooks, guards)
		}
	}
}

// TestByName checks that each agent of the table has a source with its date, and no dialect.
func TestByName(t *testing.T) {
	for _, a := range adapter.KnownByName() {
		if _, err := adapter.Find(a.Name); err == nil {
			t.Errorf("%s has a dialect: take it off the list", a.Name)
		}
		if a.Source == "" || a.Date == "" || len(a.Files)+len(a.Home)+len(a.Folders) == 0 {
			t.Errorf("%s has no source, no date or no files", a.Name)
		}
	}
}

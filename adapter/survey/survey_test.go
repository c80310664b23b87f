package survey

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

const hooks = `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}`

// TestEvidence checks how a project shows that it has an agent. The strongest evidence counts, and an agent with only a
// file that others may read too, or only on the machine, isn't one of the project's.
func TestEvidence(t *testing.T) {
	for _, tt := range []struct {
		about, agent, files, yaml string // files by their paths, separated by blanks
		by                        Evidence
		project, host, note       bool
	}{
		{about: "nothing", agent: "cursor"},
		{"a hook file", "claude", "p/.claude/settings.json", "", HookFile, true, true, false},
		{"a folder", "cursor", "p/.cursor/rules/a.mdc", "", Folder, true, true, false},
		{"a folder of it without its hooks' folder", "grok", "p/.grok/config.toml", "", Folder, true, true, false},
		{"a folder of it without its hooks' folder", "opencode", "p/.opencode/x", "", Folder, true, true, false},
		{"a former name of its folder", "opencode@kilo", "p/.kilocode/x", "", Folder, true, true, false},
		{"a fork's folder", "opencode", "p/.kilo/x", "", None, false, false, false},
		{"the folder that holds an agent's", "copilot", "p/.github/workflows/a.yml", "", None, false, false, false},
		{"a file that it reads", "copilot", "p/.github/copilot-instructions.md", "", Marker, false, false, true},
		{"a file that it reads", "gemini", "p/GEMINI.md", "", Marker, false, false, true},
		{"a file that many read", "codex", "p/AGENTS.md", "", None, false, false, false},
		{"another agent's file", "qwen", "p/GEMINI.md", "", None, false, false, false},
		{"a folder and a file", "gemini", "p/GEMINI.md p/.gemini/x", "", Folder, true, true, false},
		{"on the machine", "codex", "h/.codex/config.toml", "", OnMachine, false, false, false},
		{"the user's entry", "cursor", "h/.cursor/hooks.json", "", UserEntry, false, true, false},
		{"listed", "droid", "", "agents: [droid]", Stated, true, true, false},
		{"listed by a version", "cursor", "", "agents: [cursor@2.4]", Stated, true, true, false},
		{"not listed", "cursor", "p/.cursor/hooks.json", "agents: [droid]", HookFile, false, false, true},
		{"not listed, and a file", "gemini", "p/GEMINI.md", "agents: [droid]", Marker, false, false, false},
	} {
		dir := t.TempDir()
		for _, name := range strings.Fields(tt.files) {
			text := hooks
			if name == "h/.cursor/hooks.json" {
				text = `{"version":1,"hooks":{"preToolUse":[{"command":"hookbridge run --hooks claude"}]}}`
			}
			write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
		}
		file, err := projectfile.Parse("f", []byte(tt.yaml))
		if err != nil {
			t.Fatal(err)
		}
		p := schema.Places{OS: "linux", Project: filepath.Join(dir, "p"), Home: filepath.Join(dir, "h")}
		s, err := Take(p, file)
		d, _ := adapter.Find(tt.agent)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Of(d).By; got != tt.by {
			t.Errorf("%s: %s is known by %d, want %d", tt.about, tt.agent, got, tt.by)
		}
		if adapter.Has(s.Project(), d) != tt.project || adapter.Has(s.Hosts(), d) != tt.host {
			t.Errorf("%s: project %v, hosts %v", tt.about, adapter.NamesOf(s.Project()), adapter.NamesOf(s.Hosts()))
		}
		if named := slices.ContainsFunc(s.Notes(), func(n string) bool {
			return strings.Contains(n, d.Profile().Title)
		}); named != tt.note {
			t.Errorf("%s: notes %q", tt.about, s.Notes())
		}
	}
}

// TestMissingPlugins checks that a plugin is reported if the project's files enable it and it isn't installed.
func TestMissingPlugins(t *testing.T) {
	for _, name := range []string{".claude/settings.json", ".qoder/settings.json", ".factory/settings.json"} {
		dir := t.TempDir()
		p := schema.Places{OS: "linux", Project: filepath.Join(dir, "p"), Home: filepath.Join(dir, "h")}
		write(t, filepath.Join(p.Project, filepath.FromSlash(name)),
			`{"enabledPlugins":{"here@m":true,"gone@m":true,"off@m":false}}`)
		root := filepath.Join(dir, "plugin")
		write(t, filepath.Join(root, "hooks", "hooks.json"), hooks)
		for _, manifest := range []string{".claude-plugin", ".qoder-plugin", ".factory-plugin"} {
			write(t, filepath.Join(root, manifest, "plugin.json"), `{"name":"here"}`)
		}
		one := `{"plugins":{"here@m":[{"scope":"user","installPath":"` + root + `"}]}}`
		write(t, filepath.Join(p.Home, ".claude", "plugins", "installed_plugins.json"), one)
		write(t, filepath.Join(p.Home, ".qoder", "plugins", "installed_plugins.json"), one)
		write(t, filepath.Join(p.Home, ".factory", "plugins", "installed_plugins", "here.json"),
			`{"pluginId":"here@m","entry":{"installPath":"`+root+`"}}`)
		notes := MissingPlugins(p)
		if len(notes) != 1 || !strings.Contains(notes[0], "gone@m") {
			t.Errorf("%s: %q", name, notes)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/schema"
	"gopkg.in/yaml.v3"
)

func yamlFile(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", name))
	if err == nil {
		err = yaml.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestPreCommitHooks checks that the hooks name existing commands, and which files they check.
func TestPreCommitHooks(t *testing.T) {
	var hooks []struct{ ID, Name, Language, Entry, Files string }
	yamlFile(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) == 0 {
		t.Fatal("no hooks")
	}
	for _, h := range hooks {
		words := strings.Fields(h.Entry)
		if h.ID == "" || h.Name == "" || h.Language != "golang" || len(words) < 2 || words[0] != "hookbridge" ||
			cli.Named(commands(), words[1]) == nil {
			t.Errorf("%+v", h)
		}
		files := regexp.MustCompile(h.Files)
		looked := []string{"sub/.cursor/hooks.json", ".qoder/settings.local.json", "hookbridge.yaml"}
		for _, d := range adapter.WithHooks() { // each agent's file in a project
			file := install.FileOf(d, schema.Places{Project: "/p"}, schema.ScopeProject)
			if rel := strings.TrimPrefix(filepath.ToSlash(file), "/p/"); rel != "" {
				looked = append(looked, rel)
			}
		}
		if words[1] == "plugin" {
			looked = []string{"hooks/hooks.json", "sub/hooks/codex.json", ".claude-plugin/plugin.json",
				"gemini-extension.json", "hooks/hookbridge"}
		}
		for _, f := range looked {
			if !files.MatchString(f) {
				t.Errorf("%s does not look at %s", h.ID, f)
			}
		}
		if files.MatchString("src/main.go") || files.MatchString("package.json") ||
			files.MatchString(".github/workflows/test.yml") {
			t.Errorf("%s looks at every file", h.ID)
		}
	}
}

// TestAction checks that the action's parts exist and that its default is a command.
func TestAction(t *testing.T) {
	var action struct {
		Inputs map[string]struct{ Description, Default string }
		Runs   struct {
			Using string
			Steps []struct{ Shell, Run string }
		}
	}
	yamlFile(t, "action.yml", &action)
	if cli.Named(commands(), strings.Fields(action.Inputs["args"].Default)[0]) == nil ||
		action.Runs.Using != "composite" ||
		len(action.Runs.Steps) != 2 {
		t.Errorf("%+v", action)
	}
	for _, s := range action.Runs.Steps {
		if s.Shell == "" || strings.Contains(s.Run, "${{") { // inputs must not be shell text
			t.Errorf("%+v", s)
		}
	}
	if _, err := os.Stat("../../packaging/action/install.sh"); err != nil || !strings.Contains(action.Runs.Steps[0].Run,
		"packaging/action/install.sh") {
		t.Error("the installer is elsewhere: ", err)
	}
}

// TestRelease checks that a release has six systems, checksums and lists of its contents, and that its version is the
// one that the program prints.
func TestRelease(t *testing.T) {
	var c struct {
		Version int
		Builds  []struct {
			Main         string
			Goos, Goarch []string
			Ldflags, Env []string
		}
		Checksum map[string]any
		Sboms    []map[string]any
	}
	yamlFile(t, ".goreleaser.yaml", &c)
	b := c.Builds[0]
	if c.Version != 2 || len(b.Goos)*len(b.Goarch) != 6 || !strings.Contains(b.Ldflags[0], "/cli.version=") ||
		c.Checksum["algorithm"] != "sha256" || len(c.Sboms) == 0 {
		t.Errorf("%+v", c)
	}
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil || !regexp.MustCompile(`(?m)^## (Unreleased|\d+\.\d+\.\d+ )`).Match(text) {
		t.Errorf("the change log names no version: %v", err)
	}
}

package hookfile_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/schema"
)

// A hook file is read at its place in a project: hooks in the front matter of a Markdown file, too.
func ExampleParseFile() {
	claude, _ := adapter.Find("claude")
	text := []byte("---\nname: reviewer\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n" +
		"        - type: command\n          command: ./guard.sh\n---\nReview the change.\n")
	at := schema.Source{File: ".claude/agents/reviewer.md", Scope: schema.ScopeProject}

	cfg, ds := hookfile.ParseFile(claude, text, at)
	for _, h := range cfg.Hooks {
		fmt.Println(h.Native, h.Matcher, h.Command, h.Path)
	}
	fmt.Println(len(ds), "findings")
	// Output:
	// PreToolUse Bash ./guard.sh /hooks/PreToolUse/0/hooks/0
	// 0 findings
}

// Load finds the files that an agent itself would load.
func ExampleLoad() {
	project, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(project)
	os.Mkdir(filepath.Join(project, ".cursor"), 0o700)
	os.WriteFile(filepath.Join(project, ".cursor", "hooks.json"), []byte(`{"version": 1, "hooks": {
		"stop": [{"command": "./tests.sh"}]}}`), 0o600)

	cursor, _ := adapter.Find("cursor")
	found, ds := hookfile.Load(cursor, schema.Places{OS: "linux", Project: project}, nil)
	for _, h := range found.Hooks {
		fmt.Println(h.Native, h.Command, filepath.Base(h.Source.File))
	}
	fmt.Println(len(ds), "findings")
	// Output:
	// stop ./tests.sh hooks.json
	// 0 findings
}

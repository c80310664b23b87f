package hookfile_test

import (
	"fmt"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/schema"
)

// A hook file is read at its place in a project, including hooks in the front matter of a Markdown file.
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

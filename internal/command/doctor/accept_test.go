package doctor

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// TestWithAccepted checks that new findings come after those in the file, and that the rest of the file stays.
func TestWithAccepted(t *testing.T) {
	add := []projectfile.Accepted{{Finding: `never x "y"`, Reason: "it: is"}}
	const added = "- finding: \"never x \\\"y\\\"\"\n"
	for _, c := range []struct{ name, before, want string }{
		{"none", "", "accept:\n  " + added + "    reason: \"it: is\"\n"},
		{"no end of line", "agents: [claude]", "agents: [claude]\naccept:\n  " + added + "    reason: \"it: is\"\n"},
		{"between", "accept:\n- finding: never a b\n  reason: r\n\n# tests\ntests: x\n",
			"accept:\n- finding: never a b\n  reason: r\n" + added + "  reason: \"it: is\"\n\n# tests\ntests: x\n"},
		{"reason first", "accept:\n    - reason: >\n        long\n        text\n      finding: never a b\nagents: []\n",
			"accept:\n    - reason: >\n        long\n        text\n      finding: never a b\n    " + added +
				"      reason: \"it: is\"\nagents: []\n"},
		{"long finding", "accept:\n  - finding: >-\n      never a\n      b\n    reason: r\n",
			"accept:\n  - finding: >-\n      never a\n      b\n    reason: r\n  " + added + "    reason: \"it: is\"\n"},
	} {
		was, err := projectfile.Parse(projectfile.Name, []byte(c.before))
		if err != nil {
			t.Fatal(c.name, err)
		}
		got := withAccepted([]byte(c.before), was.Accept, add)
		if string(got) != c.want {
			t.Errorf("%s:\n%s", c.name, got)
		}
		now, err := projectfile.Parse(projectfile.Name, got)
		if err != nil || len(now.Accept) != len(was.Accept)+1 {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestShortCommand checks that a table names a hook by its program, and leaves a command unchanged if it can't be
// split.
func TestShortCommand(t *testing.T) {
	for command, want := range map[string]string{
		`"$CLAUDE_PROJECT_DIR"/.claude/hooks/a.sh --all`: "a.sh --all", `"${X_DIR}/hooks/a.sh"`: "a.sh",
		"./a.sh": "a.sh", "/usr/bin/env python3 x/y.py": "env python3 x/y.py", "echo hi": "echo hi",
		`"$X/my hooks/a.sh"`: `"$X/my hooks/a.sh"`, "python3 .claude/hooks/g.py": "python3 .claude/hooks/g.py",
	} {
		f := inspect.Finding{Hook: &schema.Hook{Handler: schema.HandlerCommand, Command: command}}
		if got := common.ShortCommand(&f); got != want {
			t.Errorf("%s: %s", command, got)
		}
	}
}

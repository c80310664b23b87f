package common

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/schema"
)

// FuzzReadHooks reads arbitrary text as a plugin's manifest and as a file with front matter.
func FuzzReadHooks(f *testing.F) {
	f.Add([]byte(`{"hooks":["hooks/a.json","../../../etc/passwd"]}`))
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x"}]}]}}`))
	f.Add([]byte("---\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: x\n---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, d := range adapter.Dialects() {
			for _, file := range []string{"/no/such/plugin/.claude-plugin/plugin.json", "/no/such/skill.md"} {
				cfg, ds := cli.Desk().Parse(d, d.Given(file), text)
				if cfg == nil && ds.Max() != schema.Error {
					t.Fatalf("%s: nothing, and no error", d.Profile().Name)
				}
			}
		}
	})
}

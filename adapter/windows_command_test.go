package adapter_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestWindowsCommand: an entry's command for Windows starts the hook there, and nowhere else.
func TestWindowsCommand(t *testing.T) {
	for _, c := range [][2]string{
		{"codex", `{"hooks":{"PreToolUse":[{"hooks":[` +
			`{"type":"command","command":"for-sh","commandWindows":"own"}]}]}}`},
		{"copilot", `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"for-sh","powershell":"own"}]}}`},
		{"copilot@vscode", `{"version":1,"hooks":{"PreToolUse":[{"command":"for-sh","windows":"own"}]}}`},
	} {
		d, err := adapter.Find(c[0])
		if err != nil {
			t.Fatal(err)
		}
		at := schema.Source{File: "/p/.github/hooks/x.json", Scope: schema.ScopeProject}
		cfg, ds := d.ParseConfig([]byte(c[1]), at)
		if cfg == nil || len(cfg.Hooks) != 1 {
			t.Fatalf("%s: %v", c[0], ds)
		}
		for os, want := range map[string]string{"windows": "own", "linux": "for-sh"} {
			spec, err := d.Spec(&cfg.Hooks[0], &schema.Call{Project: "/p"}, schema.Places{OS: os})
			if err != nil || !strings.HasPrefix(spec.Argv[len(spec.Argv)-1], want) {
				t.Errorf("%s on %s: %q %v", c[0], os, spec.Argv, err)
			}
		}
	}
}

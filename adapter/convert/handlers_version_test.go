package convert_test

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/schema"
)

// TestHandlersOfVersions checks that no handler is written for a version or program that doesn't run its type. Claude
// Code would reject its whole file for one before a tool.
func TestHandlersOfVersions(t *testing.T) {
	const handlers = `{"hooks":{"PreToolUse":[{"hooks":[` +
		`{"type":"http","url":"https://x/"},{"type":"mcp_tool","server":"s","tool":"t"},` +
		`{"type":"prompt","prompt":"?"},{"type":"command","command":"true","if":"Bash(git *)"}]}]}}`
	from, _ := adapter.Find("claude")
	cfg, _ := from.ParseConfig([]byte(handlers), schema.Source{File: "settings.json"})
	for name, want := range map[string]int{"claude": 4, "claude@2.1.118": 4, "claude@2.1.117": 3, "claude@2.1.62": 2,
		"qoder": 3, "qoder@ide": 2, "qoder@qoderwork": 1} {
		to, err := adapter.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		c := convert.Convert(from, to, cfg, convert.ConvertOptions{})
		back, ds := to.ParseConfig(c.Document(to), schema.Source{File: "settings.json"})
		if len(c.Entries) != want || len(back.Hooks) != want || len(c.Diagnostics) < 4-want || ds.Max() > schema.Note {
			t.Errorf("%s: %d entries, %d read again, want %d: %v %v", name, len(c.Entries), len(back.Hooks), want,
				c.Diagnostics, ds)
		}
	}
	old, _ := adapter.Find("claude@2.1.84") // its hooks always run
	cfg, _ = old.ParseConfig([]byte(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true",`+
		`"if":"Bash(git *)"}]}]}}`), schema.Source{File: "settings.json"})
	if len(cfg.Hooks) != 1 || cfg.Hooks[0].Condition != "" {
		t.Errorf("claude@2.1.84: %+v", cfg.Hooks)
	}
}

// TestLoopLimitOfVersions checks that a limit is reported if a version of the hook's own agent doesn't support it.
func TestLoopLimitOfVersions(t *testing.T) {
	from, _ := adapter.Find("cursor")
	for limit, want := range map[string]int{"5": 0, "6": 1, "null": 1} {
		cfg, _ := from.ParseConfig([]byte(`{"version":1,"hooks":{"stop":[{"command":"./s","loop_limit":`+limit+`}]}}`),
			schema.Source{File: "hooks.json"})
		for _, version := range []string{"cursor@2.4", "cursor@2.5", "cursor@sdk"} {
			to, _ := adapter.Find(version)
			lost := 0
			for _, d := range convert.Convert(from, to, cfg, convert.ConvertOptions{}).Diagnostics {
				if d.Code == schema.CodeKeepGoLost {
					lost++
				}
			}
			if old := version == "cursor@2.4"; old && lost != want || !old && lost != 0 {
				t.Errorf("%s to %s: %d findings", limit, version, lost)
			}
		}
	}
}

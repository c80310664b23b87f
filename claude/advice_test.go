package claude

import (
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestTerse checks that a hook call omits the advice on a file, but no other finding.
func TestTerse(t *testing.T) {
	text :=
		[]byte(
			`{"hooks":{"PreToolUse":[{"matcher":"bash","hooks":[{"type":"command","command":"a","timeout":5000},{"type":"comand","command":"b"}]}],
		"Stop":[{"matcher":"x","hooks":[{"type":"command","command":"${CLAUDE_PLUGIN_ROOT}/c","once":true,"if":"*"}]}]}}`)
	advice := []schema.Code{schema.CodeMilliseconds, schema.CodeDeadMatcher, schema.CodeDeadCondition,
		schema.CodeIgnoredOnce, schema.CodePluginRoot, schema.CodeIgnoredMatcher}
	for _, terse := range []bool{false, true} {
		_, ds := New().ParseConfig(text, schema.Source{File: "settings.json", Scope: schema.ScopeUser, Terse: terse})
		found := map[schema.Code]bool{}
		for _, d := range ds {
			found[d.Code] = true
		}
		for _, code := range advice {
			if found[code] == terse {
				t.Errorf("terse %v: %s found: %v", terse, code, found[code])
			}
		}
		_, whole := New().ParseConfig([]byte(`{"hooks":{"Stop":[{"hooks":[{"type":"comand"}]}]}}`),
			schema.Source{File: "settings.json", Terse: terse})
		if len(whole) != 1 || whole[0].Code != schema.CodeVoidHook || whole[0].Severity != schema.Weaker {
			t.Errorf("terse %v: a handler of no known type: %v", terse, whole)
		}
	}
}

package inspect_test

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestIgnoredPrompts checks that convert writes no prompt hook whose answer the target ignores, and that check reports
// hand-written ones.
func TestIgnoredPrompts(t *testing.T) {
	from, _ := adapter.Find("claude")
	for _, tt := range []struct {
		event, native, target string
		kept                  bool
	}{
		{"PreToolUse", "preToolUse", "cursor", true}, {"UserPromptSubmit", "beforeSubmitPrompt", "cursor", true},
		{"Stop", "stop", "cursor", false},
		{"SubagentStop", "subagentStop", "cursor", false}, {"PostToolUse", "postToolUse", "cursor", false},
		{"PostToolUseFailure", "postToolUseFailure", "cursor", false},
		{"PreToolUse", "preToolUse", "cursor@sdk", false}} {
		to, _ := adapter.Find(tt.target)
		cfg, _ := from.ParseConfig([]byte(`{"hooks":{"`+tt.event+`":[{"hooks":[{"type":"prompt",`+
			`"prompt":"fine?"}]}]}}`), from.Given("/p/settings.json"))
		c := convert.Convert(from, to, cfg, convert.ConvertOptions{})
		lost := false
		for _, d := range c.Diagnostics {
			lost = lost || d.Code == schema.CodeNoEvaluator && d.Path == cfg.Hooks[0].Path
		}
		if (c.Out > 0) != tt.kept || lost == tt.kept {
			t.Errorf("%s to %s: %d entries, %v", tt.event, tt.target, c.Out, c.Diagnostics)
		}
		text := []byte(`{"version":1,"hooks":{"` + tt.native + `":[{"type":"prompt","prompt":"fine?"}]}}`)
		own, ds := to.ParseConfig(text, to.Given("/p/hooks.json"))
		void := false
		for _, d := range inspect.Check(to, own, text, ds, schema.Places{}) {
			void = void || d.Code == schema.CodeVoidHook && strings.HasPrefix(d.Path, own.Hooks[0].Path)
		}
		if void == tt.kept {
			t.Errorf("%s in %s: check says %v", tt.native, tt.target, void)
		}
	}
}

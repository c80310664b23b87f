package inspect

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestProgramTools checks that a matcher is compared only with the tools of the version or program that runs the hook:
// Qoder's CLI has no read_file, and both programs match Read.
func TestProgramTools(t *testing.T) {
	for _, tt := range []struct {
		agent, matcher string
		worst          schema.Severity // 0: no finding
	}{
		{"qoder", "Read", 0}, {"qoder", "read", schema.Weaker}, {"qoder", "read_file", schema.Weaker},
		{"qoder", "run_in_terminal|Bash", schema.Note}, {"qoder", "delete_file|Write", schema.Note},
		{"codex", "apply_patch|Edit|create", schema.Note}, {"qoder", "run_in_terminal|read_file", schema.Weaker},
		{"qoder@ide", "read_file", 0}, {"qoder@ide", "Read", 0},
	} {
		d, err := adapter.Find(tt.agent)
		if err != nil {
			t.Fatal(err)
		}
		cfg := &schema.Config{Hooks: []schema.Hook{{Event: schema.PreTool, Native: "PreToolUse", Command: "true",
			Handler: schema.HandlerCommand, Matcher: tt.matcher, HasMatcher: true}}}
		found := slices.DeleteFunc(Check(d, cfg, nil, nil, schema.Places{}), func(d schema.Diagnostic) bool {
			return d.Code != schema.CodeDeadMatcher
		})
		for _, f := range found { // the advice doesn't suggest a name that is already there
			if words := strings.Split(tt.matcher, "|"); slices.Contains(words, strings.TrimPrefix(f.Fix, "write ")) {
				t.Errorf("%s %q: %v", tt.agent, tt.matcher, f)
			}
		}
		if found.Max() != tt.worst {
			t.Errorf("%s %q: %v, expected severity %v", tt.agent, tt.matcher, found, tt.worst)
		}
	}
}

package plan

import (
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestWait checks that an entry of hookbridge waits as long as its hooks may take. Gates run after the others, and some
// agents' hooks one after the other.
func TestWait(t *testing.T) {
	hook := func(native string, sequential bool) *schema.Hook {
		return &schema.Hook{Native: native, Sequential: sequential}
	}
	for _, tt := range []struct {
		agent string
		hooks []*schema.Hook
		want  int
	}{
		{"cursor", []*schema.Hook{hook("preToolUse", false), hook("preToolUse", false)}, 100},
		{"cursor", []*schema.Hook{hook("preToolUse", false), hook("beforeShellExecution", false),
			hook("beforeMCPExecution", false)}, 200},
		{"cursor", []*schema.Hook{hook("postToolUse", false), hook("afterShellExecution", false)}, 100},
		{"qoder", []*schema.Hook{hook("PreToolUse", false), hook("PreToolUse", true), hook("PreToolUse", false)}, 300},
	} {
		d, _ := adapter.Find(tt.agent)
		var w Wait
		for _, h := range tt.hooks {
			w.Add(d.Profile(), h, 100*time.Second)
		}
		if w.Total() != time.Duration(tt.want)*time.Second || w.Entry() != w.Total()+Margin {
			t.Errorf("%s: %v, entry %v", tt.agent, w.Total(), w.Entry())
		}
	}
	if w := (&Wait{}); w.Entry() != time.Minute {
		t.Error("no hook: ", w.Entry())
	}
}

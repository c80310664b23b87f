package plan

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestWays checks the names of the ways to start an agent, and that no advice is about an event before the first one.
func TestWays(t *testing.T) {
	commands, parts, first := 0, 0, 0
	for _, d := range adapter.Dialects() {
		for _, row := range d.Profile().Events {
			own := row
			own.Blocks |= schema.EffectDeny
			for _, f := range Ways(d.Profile(), &row, &own) {
				quoted, named := strings.HasPrefix(f.Message, "`"), strings.HasPrefix(f.Message, "a ")
				switch {
				case quoted == named, strings.HasPrefix(f.Message, "`a "),
					named && strings.Contains(f.Message, "started"):
					t.Errorf("%s: %s (%s)", d.Profile().Name, f.Message, f.Fix)
				case named:
					parts++
				default:
					commands++
				}
				if row.Event == schema.PreTool {
					if first++; strings.Contains(f.Fix, "before the tool") {
						t.Errorf("%s: %s (%s)", d.Profile().Name, f.Message, f.Fix)
					}
				}
			}
		}
	}
	if commands == 0 || parts == 0 || first == 0 {
		t.Errorf("%d commands, %d parts, %d before tools", commands, parts, first)
	}
}

package bridge

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/schema"
)

// TestAllowStated checks that every dialect states what an allow means at events that may ask about a call, unless
// reports of it differ. No pair of rows turns "no objection" into approval.
func TestAllowStated(t *testing.T) {
	asked := map[schema.Event]bool{schema.PreTool: true, schema.PermissionRequest: true, schema.SubagentStart: true}
	for _, d := range adapter.Dialects() {
		for _, row := range d.Profile().Events {
			unknown := row.Honors&schema.EffectAllow != 0 && asked[row.Event] && row.Allow == schema.AllowUnknown
			if unknown && !d.Profile().Reported {
				t.Errorf("%s %s takes allow and does not say what it means", d.Profile().Name, row.Native)
			}
		}
	}
	row := func(a schema.Allowance) *schema.EventRow {
		return &schema.EventRow{Honors: schema.EffectAllow, Allow: a}
	}
	for _, tt := range []struct {
		host, hooks schema.Allowance
		passes      bool
	}{
		{schema.AllowApproves, schema.AllowPasses, true},
		{schema.AllowApproves, schema.AllowUnknown, true},
		{schema.AllowUnknown, schema.AllowPasses, true},
		{schema.AllowUnknown, schema.AllowUnknown, true},
		{schema.AllowApproves, schema.AllowApproves, false},
		{schema.AllowUnknown, schema.AllowApproves, false},
		{schema.AllowPasses, schema.AllowPasses, false},
		{schema.AllowPasses, schema.AllowApproves, false},
	} {
		if got := plan.AllowPasses(row(tt.host), row(tt.hooks)); got != tt.passes {
			t.Errorf("host %d, hooks %d: no opinion is %v", tt.host, tt.hooks, got)
		}
	}
}

package inspect

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/schema"
)

// TestTimeoutUnits writes a time limit in the unit that the agent doesn't use. Every agent's file gets a finding, and
// it is more than a note if it is about a guard that ends too early.
func TestTimeoutUnits(t *testing.T) {
	for _, d := range adapter.Dialects() {
		name, native := d.Profile().Name, d.Profile().Generic(schema.PreTool)
		h := schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand, Command: "true",
			Timeout: 43 * time.Second}
		at := d.Profile().EventsAt + "/" + native
		value, _ := d.WriteHook(schema.Entry{Native: native, Pointer: at}, &h)
		c := convert.Conversion{Entries: []convert.Placed{{Pointer: at, Value: value}}}
		made := c.Document(d)
		least, changed := schema.Note, bytes.Replace(made, []byte("43"), []byte("30000"), 1)
		if bytes.Contains(made, []byte("43000")) {
			least, changed = schema.Weaker, bytes.Replace(made, []byte("43000"), []byte("30"), 1)
		}
		if bytes.Equal(made, changed) {
			continue // its hooks have no time limit of their own
		}

		cfg, ds := d.ParseConfig(changed, d.Given("x"))
		if cfg == nil || len(cfg.Hooks) != 1 {
			continue // the agent itself rejects the number
		}
		found := Check(d, cfg, changed, ds, schema.Places{})
		if !slices.ContainsFunc(found, func(f schema.Diagnostic) bool {
			return f.Code != schema.CodeNotStarted && f.Severity >= least
		}) {
			t.Errorf("%s: %s\n%v", name, changed, found)
		}
	}
}

// TestTimeoutsThatEndAtOnce checks every agent: a time limit is reported if it ends a hook before it can answer, and a
// usual time limit isn't.
func TestTimeoutsThatEndAtOnce(t *testing.T) {
	for _, d := range adapter.WithHooks() {
		p := d.Profile()
		for timeout, ends := range map[time.Duration]bool{time.Nanosecond: true, 40 * time.Millisecond: true,
			p.LongestTimeout + time.Hour: p.LongestTimeout > 0, 20 * time.Second: false} {
			h := schema.Hook{Event: schema.PreTool, Native: p.Generic(schema.PreTool), Handler: schema.HandlerCommand,
				Command: "true", Timeout: timeout}
			if p.Timeout(&h) >= time.Second && timeout < time.Second {
				continue // the agent gives each hook the same time
			}
			found := slices.ContainsFunc(NeverRuns(d, &h, nil), func(f schema.Diagnostic) bool {
				return f.Code == schema.CodeVoidHook && f.Severity >= schema.Weaker
			})
			if found != ends {
				t.Errorf("%s, %v: reported %t", p.Name, timeout, found)
			}
		}
	}
}

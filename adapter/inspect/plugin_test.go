package inspect_test

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/schema"
)

// TestPluginValues checks plugin hooks in a host that reads the file as its own. A hook runs for each value that both
// its agent and the host send, and never for a value that the host doesn't send.
func TestPluginValues(t *testing.T) {
	claude, _ := adapter.Find("claude")
	p := schema.Places{OS: "linux", Project: t.TempDir(), Home: t.TempDir(), Env: schema.Environ{"PATH=/bin:/usr/bin"}}
	tried := 0
	for _, host := range adapter.Where(func(d adapter.Dialect) bool { return d.Profile().Plugins.Hooks != nil }) {
		for _, row := range host.Profile().Events {
			own := claude.Profile().Row(row.Native)
			if row.Match != schema.MatchField || row.Gate != nil || own == nil || adapter.SameAgent(host, claude) {
				continue
			}
			sent := plan.SentValues(claude, own)
			values := slices.DeleteFunc(plan.SentValues(host, &row), func(v string) bool {
				return !slices.Contains(sent, v)
			})
			for _, value := range append(values, "no such value") {
				h := schema.Hook{Event: own.Event, Native: own.Native, Matcher: value, HasMatcher: true,
					Handler: schema.HandlerCommand, Command: "true", Path: "/hooks/x/0/hooks/0",
					Source: schema.Source{File: "/p/hooks.json", Scope: schema.ScopePlugin, Plugin: "/p"}}
				found := inspect.ExaminePlugin(host, claude, []schema.Hook{h}, []schema.Hook{h}, nil, "", "", p)
				known := value != "no such value" || len(values) == 0
				if len(found) != 1 || known && found[0].Status() == inspect.Never ||
					!known && found[0].Status() != inspect.Never && closed(host, &h) {
					t.Errorf("%s: %s %s: %+v", host.Profile().Name, row.Native, value, found)
				}
				tried++
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d values tried", tried)
	}
}

// closed reports whether a host is known to send none of the values that a hook is for.
func closed(host adapter.Dialect, h *schema.Hook) bool {
	_, live := plan.Unsent(host, host, h)
	return !live
}

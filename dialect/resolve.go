package dialect

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// Unite returns the hooks of several files but those that are switched off, which it
// reports: off names the field that does it and says so, "" for a file that counts. A
// nil off: all count. No hook runs of an event that one file makes fail.
func Unite(cfgs []*schema.Config, off func(c *schema.Config) (pointer, msg string)) (hooks []schema.Hook,
	ds schema.Diagnostics) {
	for _, c := range cfgs {
		if off != nil && len(c.Hooks) > 0 {
			if at, msg := off(c); msg != "" {
				ds.Add(schema.CodeDisabled, at, msg).File = c.Source.File
				continue
			}
		}
		hooks = append(hooks, c.Hooks...)
	}
	return slices.DeleteFunc(hooks, func(h schema.Hook) bool { // reported in its file
		return slices.ContainsFunc(cfgs, func(c *schema.Config) bool { return slices.Contains(c.Void, h.Native) })
	}), ds
}

// RunInOrder marks the hooks of events that have several, by whichever of its names: they run one after the other.
// Without events it is about all.
func RunInOrder(hooks []schema.Hook, on ...schema.Event) {
	count := map[schema.Event]int{}
	for i := range hooks {
		count[hooks[i].Event]++
	}
	for i := range hooks {
		inOrder := len(on) == 0 || slices.Contains(on, hooks[i].Event)
		hooks[i].Sequential = inOrder && count[hooks[i].Event] > 1
	}
}

// Decided is what the strongest source says of a switch, by the order of scopes. Of
// several sources of one scope the last that says something counts.
func Decided(cfgs []*schema.Config, order []schema.Scope, says func(c *schema.Config) *bool) (on bool,
	by schema.Source) {
	for _, scope := range order {
		for _, c := range slices.Backward(cfgs) {
			if v := says(c); c.Source.Scope == scope && v != nil {
				return *v, c.Source
			}
		}
	}
	return false, by
}

// DisablesAll is what a file says of the switch that turns all hooks off, nil if nothing.
func DisablesAll(c *schema.Config) *bool { return c.DisableAll }

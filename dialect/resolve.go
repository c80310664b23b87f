package dialect

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// Unite returns the hooks of several files. It leaves out and reports files that are turned off. off returns the field
// that does this and a message, "" for a file that counts. A nil off means that all count. If one file makes an event
// fail, no hook of that event runs.
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
	return slices.DeleteFunc(hooks, func(h schema.Hook) bool { // the file's own findings report it
		return slices.ContainsFunc(cfgs, func(c *schema.Config) bool { return slices.Contains(c.Void, h.Native) })
	}), ds
}

// RunInOrder marks the hooks of events that have several, under any name of the event: they run one after the other.
// Without events, it applies to all.
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

// Decided returns the value of a switch in the strongest source, by the order of scopes. Of several sources of one
// scope, the last one that sets it counts.
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

// DisablesAll returns a file's value of the switch that turns all hooks off, nil if it has none.
func DisablesAll(c *schema.Config) *bool { return c.DisableAll }

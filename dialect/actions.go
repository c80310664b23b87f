package dialect

import (
	"slices"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// A Sequence lists the native events that one action of an agent raises, in their order. Events that the agent's
// version or program doesn't have are left out.
type Sequence struct {
	Action schema.Event  // what the agent does; PreTool for the call of a tool
	Kinds  []schema.Kind // the kinds of tool; nil: all that no earlier row names
	Events []string      // ToolRuns marks where the tool itself runs
	Source string
}

// A Mode is a permission mode of an agent. Asks lists the kinds of tools whose calls it asks the user about, unless a
// rule or a hook allows them. An agent runs calls that it considers harmless, such as echo, without asking.
type Mode struct {
	Name string
	Asks *[]schema.Kind // nil: none; a pointer, which the compiler can fill
	// Approves: the agent runs a call without asking even if a hook asks.
	Approves bool
	Source   string
}

// Asks reports whether the agent asks the user about a call of that kind in a mode.
func (p *Profile) Asks(mode string, kind schema.Kind) bool {
	m := lists.Find(p.PermissionModes(), func(m *Mode) bool { return m.Name == mode })
	return m != nil && m.Asks != nil && slices.Contains(*m.Asks, kind)
}

// PermissionModes lists the rows of Modes.
func (p *Profile) PermissionModes() []Mode {
	if p.Modes == nil {
		return nil
	}
	return *p.Modes
}

// ToolRuns is the place of the tool among the events of its call.
const ToolRuns = ""

// Raised lists the events that an action raises; for a call, the events of a tool of that kind. They come from the
// first row of Actions that fits, or else are the agent's one event for the action.
func (p *Profile) Raised(action schema.Event, kind schema.Kind) (events []string) {
	for _, s := range p.Sequences() {
		if s.Action == action && (s.Kinds == nil || slices.Contains(s.Kinds, kind)) {
			return slices.DeleteFunc(slices.Clone(s.Events), func(native string) bool {
				return native != ToolRuns && p.Row(native) == nil
			})
		}
	}
	if native := p.Generic(action); native != "" {
		events = append(events, native)
	}
	return events
}

// Sequences lists the rows of Actions.
func (p *Profile) Sequences() []Sequence {
	if p.Actions == nil {
		return nil
	}
	return *p.Actions
}

// Refusal returns the native event that the agent raises for a call that it denied, "" if there is none.
func (p *Profile) Refusal() string {
	i := slices.IndexFunc(p.Events, func(row schema.EventRow) bool {
		return slices.Contains(row.Also, schema.PermissionDenied)
	})
	if i < 0 {
		return ""
	}
	return p.Events[i].Native
}

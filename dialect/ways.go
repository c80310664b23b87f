package dialect

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// A Way is a way to start an agent in which it does less than the rows of its events say: most often without its
// terminal.
type Way struct {
	Command string // how it is started: "droid exec"
	Less    []Less
}

// A LessIn is what an agent does less on an event if it is started in a way.
type LessIn struct {
	Command string
	Less
}

// LessOn lists what the agent does less on an event in some of its ways.
func (p *Profile) LessOn(native string) (list []LessIn) {
	if p.Ways == nil {
		return nil
	}
	for _, way := range *p.Ways {
		for _, l := range way.Less {
			if l.Native == native {
				list = append(list, LessIn{way.Command, l})
			}
		}
	}
	return list
}

// WayNamed is the way of that command, nil if the agent has none.
func (p *Profile) WayNamed(command string) *Way {
	if p.Ways == nil {
		return nil
	}
	if i := slices.IndexFunc(*p.Ways, func(w Way) bool { return w.Command == command }); i >= 0 {
		return &(*p.Ways)[i]
	}
	return nil
}

// On returns what the agent does less on an event in that way and permission mode; the zero Less is nothing.
func (w *Way) On(native, mode string) (less Less) {
	if w == nil {
		return less
	}
	for _, l := range w.Less {
		if l.Native == native && (l.Modes == nil || slices.Contains(l.Modes, mode)) {
			return l
		}
	}
	return less
}

// Approves reports whether the agent may run a call without asking its user although a hook asks for it: because of
// the permission mode that the payload names, in any of its ways.
func (p *Profile) Approves(c *schema.Call) bool {
	named := c.Str(schema.FieldMode)
	if named == "" {
		return false
	}
	v := p.Vocabularies.For(c.Event, schema.FieldMode)
	is := func(mode string) bool { return mode == named || v != nil && mode == v.Spell(named) }
	if slices.ContainsFunc(p.PermissionModes(), func(m Mode) bool { return m.Approves && is(m.Name) }) {
		return true
	}
	return slices.ContainsFunc(p.LessOn(c.Native), func(l LessIn) bool {
		return l.Effects&schema.EffectAsk != 0 && !l.Refuses && slices.ContainsFunc(l.Modes, is)
	})
}

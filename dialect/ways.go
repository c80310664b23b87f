package dialect

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// A Way is a way to start an agent in which it does less than the rows of its events describe, usually without its
// terminal.
type Way struct {
	Command string // the command line: "droid exec"
	Program string // the only one of the agent's programs with this way; "": there is only one program
	Less    []Less
}

// A LessIn is what an agent doesn't do on an event if it is started in a way.
type LessIn struct {
	Command string
	Less
}

// StartedBy lists the rows of Ways for the program of the profile or its version.
func (p *Profile) StartedBy() (ways []Way) {
	if p.Ways == nil {
		return nil
	}
	for _, w := range *p.Ways {
		if p.startedBy(&w) {
			ways = append(ways, w)
		}
	}
	return ways
}

// startedBy reports whether a way is one of the profile's program.
func (p *Profile) startedBy(w *Way) bool {
	program := p.Program
	if program == nil && w.Program != "" {
		program = p.ProgramOf(p.Version)
	}
	return w.Program == "" || program == nil || w.Program == program.Name
}

// LessOn lists what the agent doesn't do on an event in some of its ways.
func (p *Profile) LessOn(native string) (list []LessIn) {
	if p.Ways == nil {
		return nil
	}
	for i := range *p.Ways {
		way := &(*p.Ways)[i]
		if !p.startedBy(way) {
			continue
		}
		for _, l := range way.Less {
			if l.Native == native {
				list = append(list, LessIn{way.Command, l})
			}
		}
	}
	return list
}

// WayNamed returns the way with that command, nil if the agent has none.
func (p *Profile) WayNamed(command string) *Way {
	ways := p.StartedBy()
	if i := slices.IndexFunc(ways, func(w Way) bool { return w.Command == command }); i >= 0 {
		return &ways[i]
	}
	return nil
}

// On returns what the agent doesn't do on an event in that way and permission mode; the zero Less means that it does
// everything.
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

// Approves reports whether the agent may run a call without asking the user although a hook asks, because of the
// permission mode in the payload. All ways to start the agent count.
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

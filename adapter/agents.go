package adapter

import (
	"slices"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// Where lists the dialects that fit, including those of programs that have a full name and their own hook files.
func Where(fits func(Dialect) bool) (list []Dialect) {
	for _, d := range Dialects() {
		list = append(list, d)
		for _, g := range d.Profile().Programs {
			if own, err := d.At(g.Name); err == nil && g.FullName != "" && own.Profile().Modules == nil {
				list = append(list, own)
			}
		}
	}
	return slices.DeleteFunc(list, func(d Dialect) bool { return !fits(d) })
}

// WithHooks lists the dialects that hooks are written for.
func WithHooks() []Dialect { return Where(func(d Dialect) bool { return d.Profile().HostOnly == "" }) }

// Located lists the dialects with a source for which speaks returns true.
func Located(p schema.Places, speaks func(schema.Source) bool) []Dialect {
	return Where(func(d Dialect) bool { return slices.ContainsFunc(d.Locate(p), speaks) })
}

// SameAgent reports whether two dialects are of one agent, in any versions. nil belongs to no agent.
func SameAgent(a, b Dialect) bool {
	return a != nil && b != nil && a.Profile().Name == b.Profile().Name
}

// OtherVersion reports whether two dialects are different versions or programs of one agent.
func OtherVersion(a, b Dialect) bool { return SameAgent(a, b) && NameOf(a) != NameOf(b) }

// AsWritten returns the dialect of hooks that run under a host. If the host is another version of their agent and the
// user named none, the hooks are written for the newest.
func AsWritten(hooks, host Dialect) Dialect {
	p := hooks.Profile()
	if !OtherVersion(hooks, host) || p.Fixed() || p.Known == nil {
		return hooks
	}
	if at, err := hooks.At(p.Known[0]); err == nil {
		return at
	}
	return hooks
}

// Has reports whether a list has a dialect of d's agent.
func Has(list []Dialect, d Dialect) bool {
	return slices.ContainsFunc(list, func(x Dialect) bool { return SameAgent(x, d) })
}

// With adds the dialects of agents that the list lacks.
func With(list []Dialect, more ...Dialect) []Dialect {
	for _, d := range more {
		if !Has(list, d) {
			list = append(list, d)
		}
	}
	return list
}

// Without removes the dialects of d's agent.
func Without(list []Dialect, d Dialect) []Dialect {
	return slices.DeleteFunc(list, func(x Dialect) bool { return SameAgent(x, d) })
}

// NamesOf returns the names of the agents, without versions.
func NamesOf(list []Dialect) []string {
	return lists.Map(list, func(d Dialect) string { return d.Profile().Name })
}

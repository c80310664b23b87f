package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// At returns the profile as of a version, or for the program with that name or whole name. Its rows are the newest
// ones: the dialect must change everything else that differs before the profile is used.
func (p *Profile) At(version string) (*Profile, error) {
	out := *p
	out.Version, out.AsOf, out.Program = version, "", nil
	for i := range p.Programs {
		g := &p.Programs[i]
		if g.Name != version && (g.FullName == "" || g.FullName != version) {
			continue
		}
		out.Program = g
		if g.FullName != "" {
			out.Name, out.Version, out.agent = g.FullName, "", p.Agent()
		}
		return &out, nil
	}
	if version != "" && !schema.IsVersion(version) {
		return nil, fmt.Errorf("%s has no version or program %q; write a version number%s", p.Name, version,
			p.programList())
	}
	if !p.knows(version) {
		return nil, fmt.Errorf("no version %s of %s is known; the newest is %s", version, p.Title,
			strings.Join(p.Known, " or "))
	}
	out.AsOf = version
	return &out, nil
}

// knows reports whether such a version may exist: no version has a greater first number than the newest. Years are a
// separate numbering scheme.
func (p *Profile) knows(version string) bool {
	const years = 1000
	first := schema.LeadingNumber(version)
	return version == "" || p.Known == nil || slices.ContainsFunc(p.Known, func(known string) bool {
		newest := schema.LeadingNumber(known)
		return first <= newest && (first < years) == (newest < years)
	})
}

// Fixed reports whether the user named a version or program, so that the payload's doesn't count.
func (p *Profile) Fixed() bool { return p.Version != "" || p.Program != nil }

// Field returns the row for a field in payloads of an event, nil if they don't have it.
func (p *Profile) Field(f schema.Field, e schema.Event) *schema.MemberRow {
	return p.Fields.At(f, e, p.AsOf)
}

// ToolName returns the version's name for a tool that another version of the agent calls name: the tool itself, or one
// that does the same work.
func (p *Profile) ToolName(name string) string {
	t := p.Tool(name)
	if t == nil {
		return name
	}
	alike := func(fits func(*schema.ToolRow) bool) *schema.ToolRow {
		return lists.Find(p.Tools, func(o *schema.ToolRow) bool {
			if len(o.Kinds) == 0 || len(t.Kinds) == 0 {
				return false
			}
			return o.Kinds[0] == t.Kinds[0] && p.HasTool(o) && fits(o)
		})
	}
	if own := alike(func(o *schema.ToolRow) bool { return o.Programs != nil }); own != nil && t.Programs == nil {
		t = own
	} else if other := alike(func(*schema.ToolRow) bool { return true }); other != nil && !p.HasTool(t) {
		t = other
	}
	return t.NameAt(p.AsOf)
}

// HasTool reports whether the version or program has a tool.
func (p *Profile) HasTool(t *schema.ToolRow) bool {
	return t.At(p.AsOf) && (t.Programs == nil || p.Program != nil && slices.Contains(t.Programs, p.Program.Name))
}

// Narrow removes the effects that the version or program lacks from the rows of events.
func (p *Profile) Narrow(lacks func(row *schema.EventRow) schema.Feature) {
	p.Events = slices.Clone(p.Events)
	for i := range p.Events {
		row := &p.Events[i]
		lost := lacks(row)
		row.Honors, row.Blocks, row.Text = row.Honors&^lost, row.Blocks&^lost, row.Text&^lost
	}
}

func (p *Profile) programList() string {
	if len(p.Programs) == 0 {
		return ""
	}
	return " or one of " + strings.Join(lists.Map(p.Programs, func(g Program) string { return g.Name }), ", ")
}

// Has reports whether the version or program of the profile raises the event of a row.
func (p *Profile) Has(row *schema.EventRow) bool {
	if p.Program != nil && p.Program.On(row.Native).Never {
		return false
	}
	return row.At(p.AsOf)
}

// Since reports whether the profile's version is this one or later.
func (p *Profile) Since(version string) bool { return schema.Since(p.AsOf, version) }

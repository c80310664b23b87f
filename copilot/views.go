package copilot

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// Views lists the ways in which Copilot would show c to its hooks, the likeliest first: under each name of the event. A
// failed command is shown as a successful one.
func (d Dialect) Views(c *schema.Call) (vs []schema.View) {
	if c.Inline {
		return nil
	}
	d = d.of(c)
	var asCame []schema.View
	for i := range d.Data.Events {
		row := &d.Data.Events[i]
		switch {
		case !d.raises(row, c):
		case d.owns(c) && row.Native == c.Native:
			asCame = d.viewsAt(row, c)
		default:
			vs = append(vs, d.viewsAt(row, c)...)
		}
	}
	return append(asCame, vs...)
}

// raises reports whether the call is shown at an event. The event of Copilot's own call is known.
func (d Dialect) raises(row *schema.EventRow, c *schema.Call) bool {
	kind := c.Tool.Kind()
	switch {
	case d.owns(c) && c.Native != "":
		return samePair(row.Native, c.Native) || row.Native == c.Native
	case row.Event == schema.PermissionRequest:
		return c.Event == schema.PreTool && !slices.Contains(row.Never, kind)
	case c.Event == schema.PostToolFailure && kind == schema.Shell && row.Event == schema.PostToolFailure:
		return d.onCode()
	case slices.Contains(row.Also, c.Event):
		return slices.Contains(row.AlsoFor, kind)
	}
	return row.Event == c.Event
}

func (d Dialect) viewsAt(row *schema.EventRow, c *schema.Call) (vs []schema.View) {
	v := schema.View{Event: row.Native}
	if row.Match == schema.MatchField && !d.onCode() {
		v.Target = append([]string{words.Target(c, row)}, words.Meant(c, row)...)
	}
	if !row.Event.IsTool() {
		return []schema.View{v}
	}

	for _, k := range d.viewKinds(c) {
		v.Kind = k
		for _, w := range d.toolViews(c, v) {
			if w.Target = nil; row.Match == schema.MatchTool && d.readsMatcher(row) {
				if w.Target = d.targets(row.Native, w.Tool); k == schema.MCP && !d.owns(c) &&
					w.Tool == mcpNames.Join(w.Server, c.Tool.Name) {
					w.Target = mcpNames.Names(c.Tool.Written, w.Server, c.Tool.Name)
				}
				// another agent's tool with the same name
				if own := d.Tool(w.Tool); k == schema.Other && own != nil && len(own.Kinds) > 0 {
					w.Target = []string{w.Tool + " of another agent"}
				}
			}
			if isPascal(row.Native) && !hasCamelPayload(row.Native) {
				w.Tool = d.pascalName(w.Tool)
			}
			vs = append(vs, w)
		}
	}

	return append(vs, d.patchViews(row, c)...)
}

// matcherSince are the first versions that read the matchers of an event (changelog); older ones run the hook for every
// tool, as VS Code does.
var matcherSince = []struct {
	event schema.Event
	since string
}{{schema.PreTool, "1.0.36"}, {schema.PostTool, "1.0.63"}}

func (d Dialect) readsMatcher(row *schema.EventRow) bool {
	for _, m := range matcherSince {
		if m.event == row.Event && !d.Data.Since(m.since) {
			return false
		}
	}
	return !d.onCode()
}

// patchViews shows another agent's file change as the patch that GPT models would write for it (observed 1.0.102), for
// hooks that accept nothing else.
func (d Dialect) patchViews(row *schema.EventRow, c *schema.Call) []schema.View {
	v := schema.View{Event: row.Native, Kind: c.Tool.Kind(), Tool: patchTool, Target: []string{patchTool}, Fixed: true}
	if d.owns(c) || d.onCode() {
		return nil
	}
	if row.Match != schema.MatchTool || row.Event == schema.PermissionRequest || !v.Kind.ChangesFile() {
		return nil
	}
	if len(c.Tool.Input) > 0 && c.Tool.Input.Text(schema.RolePath) == "" || c.Tool.Whole != nil { // not a patch
		return nil
	}
	if v.Kind != schema.Delete {
		v.Needs = schema.NeedChanges
	}
	return []schema.View{v}
}

// targets are a tool's possible names in a matcher. All of Claude Code's names for the agent tool are accepted at its
// events (observed 1.0.102).
func (d Dialect) targets(native, tool string) []string {
	claude := d.pascalName(tool)
	if !isPascal(native) || claude == tool {
		return []string{tool}
	}
	names := []string{claude, tool}
	if row := d.Tool(tool); row != nil && len(row.Aliases) > 1 {
		names = append(names, row.Aliases[1:]...)
	}
	return names
}

// viewKinds returns the kinds under which a call is shown, in order. Several edits are shown as one, and a notebook as
// a file if there is no tool for it and nothing else fits.
func (d Dialect) viewKinds(c *schema.Call) (out []schema.Kind) {
	if d.owns(c) && len(c.Tool.Kinds) > 0 {
		return c.Tool.Kinds[:1]
	}
	if c.Tool.Kind() == schema.Notebook && d.toolOf(schema.Notebook).Kinds[0] != schema.Notebook {
		return []schema.Kind{schema.Write, schema.Edit}
	}
	for _, k := range c.Tool.Kinds {
		if k == schema.MultiEdit {
			k = schema.Edit
		}
		if !slices.Contains(out, k) && (k != schema.Notebook || len(c.Tool.Kinds) == 1) {
			out = append(out, k)
		}
	}
	return out
}

func (d Dialect) toolViews(c *schema.Call, v schema.View) (vs []schema.View) {
	request := pairOf(v.Event) != nil && pairOf(v.Event).Event == schema.PermissionRequest
	row := d.toolOf(v.Kind)
	v.Tool = c.Tool.Name
	switch {
	case v.Kind == schema.MCP:
		for _, s := range c.Tool.Owners() {
			switch v.Server, v.Tool = s, mcpNames.Join(s, c.Tool.Name); {
			case c.Tool.Server == "" && d.owns(c): // the original name, which can be split in several places
				v.Tool = c.Tool.Name
			case request:
				v.Tool = s + "/" + c.Tool.Name
			}
			vs = append(vs, v)
		}
		return vs
	case d.owns(c):
		if request && v.Kind == schema.Write {
			v.Tool = "edit"
		}
		return []schema.View{v}
	case row == nil:
		return []schema.View{v}
	}
	if v.Tool = row.Name; request && v.Kind.ChangesFile() && v.Kind != schema.Delete {
		v.Tool = "edit"
	}

	v.Needs, v.Fixed = family.Needs(c, v.Kind), c.Tool.Kind() == schema.Notebook || v.Kind == schema.Delete ||
		request && v.Kind.ChangesFile()
	vs = []schema.View{v}
	for _, other := range d.Data.Tools { // the same tool under another name
		if w := v; other.Name != row.Name && !request && slices.Equal(other.Kinds, row.Kinds) {
			w.Tool = other.Name
			vs = append(vs, w)
		}
	}

	return vs
}

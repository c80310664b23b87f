package copilot

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// Views lists the ways in which Copilot would show c to its hooks, the likeliest
// first: under each name of the event. A command that failed is shown as one that has
// worked.
func (d Dialect) Views(c *schema.Call) (vs []schema.View) {
	if c.Inline {
		return nil
	}
	d = d.of(c)
	for i := range d.Data.Events {
		row := &d.Data.Events[i]
		if d.raises(row, c) {
			vs = append(vs, d.viewsAt(row, c)...)
		}
	}
	if c.Dialect == name { // as it came
		slices.SortStableFunc(vs, func(a, b schema.View) int {
			return rank(b.Event == c.Native) - rank(a.Event == c.Native)
		})
	}
	return vs
}

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// raises reports whether the call comes at an event. Of a call of Copilot's own the
// event is known.
func (d Dialect) raises(row *schema.EventRow, c *schema.Call) bool {
	kind := c.Tool.Kind()
	switch {
	case c.Dialect == name && c.Native != "":
		return samePair(row.Native, c.Native) || row.Native == c.Native
	case row.Event == schema.PermissionRequest:
		return c.Event == schema.PreTool && !onlyReads(kind)
	case c.Event == schema.PostToolFailure && kind == schema.Shell && row.Event == schema.PostToolFailure:
		return d.onCode()
	case slices.Contains(row.Also, c.Event):
		return slices.Contains(row.AlsoFor, kind)
	}
	return row.Event == c.Event
}

// onlyReads reports whether Copilot never asks about a kind of call (observed 1.0.102).
func onlyReads(k schema.Kind) bool {
	return k == schema.Read || k == schema.Grep || k == schema.Glob || k == schema.List
}

func (d Dialect) viewsAt(row *schema.EventRow, c *schema.Call) (vs []schema.View) {
	v := schema.View{Event: row.Native}
	if row.Match == schema.MatchField && !d.onCode() {
		v.Target = []string{words.Target(c, row)}
	}
	if !row.Event.IsTool() {
		return []schema.View{v}
	}
	for _, k := range d.viewKinds(c) {
		v.Kind = k
		for _, w := range d.toolViews(c, v) {
			if w.Target = nil; row.Match == schema.MatchTool && !d.onCode() {
				w.Target = d.targets(row.Native, w.Tool)
				if own := d.Tool(w.Tool); k == schema.Other && own != nil && len(own.Kinds) > 0 { // another agent's, only called alike
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

// patchViews shows another agent's change of a file as the patch that GPT models make of
// it (observed 1.0.102), for hooks that take nothing else.
func (d Dialect) patchViews(row *schema.EventRow, c *schema.Call) []schema.View {
	v := schema.View{Event: row.Native, Kind: c.Tool.Kind(), Tool: patchTool, Target: []string{patchTool}, Fixed: true}
	if c.Dialect == name || d.onCode() || row.Match != schema.MatchTool || row.Event == schema.PermissionRequest || !v.Kind.ChangesFile() {
		return nil
	}
	if len(c.Tool.Input) > 0 && c.Tool.Input.Text(schema.RolePath) == "" || c.Tool.Whole != nil { // no patch can say it
		return nil
	}
	if v.Kind != schema.Delete {
		v.Needs = schema.NeedChanges
	}
	return []schema.View{v}
}

func (d Dialect) targets(native, tool string) []string {
	if claude := d.pascalName(tool); isPascal(native) && claude != tool {
		return []string{claude, tool}
	}
	return []string{tool}
}

// viewKinds is the order in which a call's kinds are offered: several edits are shown
// as one, a notebook as a file where nothing else fits.
func (d Dialect) viewKinds(c *schema.Call) (out []schema.Kind) {
	if c.Dialect == name {
		return c.Tool.Kinds[:1]
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
		servers := c.Tool.Servers
		if c.Tool.Server != "" || len(servers) == 0 {
			servers = []string{c.Tool.Server}
		}
		for _, s := range servers {
			v.Server, v.Tool = s, mcpName(s, c.Tool.Name, request)
			vs = append(vs, v)
		}
		return vs
	case c.Dialect == name:
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
	v.Needs, v.Fixed = needs(c, v.Kind), v.Kind == schema.Notebook || v.Kind == schema.Delete || request && v.Kind.ChangesFile()
	vs = []schema.View{v}
	for _, other := range d.Data.Tools { // the same tool under another name
		if w := v; other.Name != row.Name && !request && slices.Equal(other.Kinds, row.Kinds) {
			w.Tool = other.Name
			vs = append(vs, w)
		}
	}
	return vs
}

func mcpName(server, tool string, request bool) string {
	switch {
	case request:
		return server + "/" + tool
	}
	return mcpNames.Join(server, tool)
}

// needs says what the payload holds beyond what another agent may send.
func needs(c *schema.Call, k schema.Kind) schema.Needs {
	_, content := c.Tool.Input.Get(schema.RoleContent)
	_, old := c.Tool.Input.Get(schema.RoleOldText)
	_, read := c.Tool.Output.Get(schema.RoleContent)
	switch {
	case k == schema.Edit && !old:
		return schema.NeedEdits
	case k == schema.Read && c.Event == schema.PostTool && !read, (k == schema.Write || k == schema.Notebook) && !content:
		return schema.NeedContent
	}
	return 0
}

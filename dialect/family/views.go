package family

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Views lists the ways in which the agent would show c to its hooks, the likeliest first; none if it has no such event.
// A tool of uncertain kind has one view for each of its possible names.
func (a *Agent) Views(c *schema.Call) []schema.View {
	row := a.rowFor(c.Event, c.Tool.Kind())
	if own := a.Row(c.Native); own != nil && a.owns(c) {
		row = own
	}
	if row == nil || c.Inline {
		return nil
	}

	v := schema.View{Event: row.Native}
	switch {
	case row.Match == schema.MatchNothing && !row.Event.IsTool():
		return []schema.View{v}
	case row.Match == schema.MatchField:
		v.Target = append([]string{a.target(c, row)}, a.Data.Vocabularies.Meant(c, row)...)
		return []schema.View{v}
	case row.Match == schema.MatchConst:
		v.Target = []string{row.MatchConst}
		return []schema.View{v}
	}
	if a.Steps.Views != nil {
		if vs := a.Steps.Views(c, row.Native); vs != nil {
			return vs
		}
	}

	var vs []schema.View
	for _, k := range a.kinds(c) {
		vs = append(vs, a.toolViews(c, v, k)...)
	}
	if row.Match == schema.MatchNothing { // about a tool, but without a matcher
		for i := range vs {
			vs[i].Target = nil
		}
	}

	return vs
}

// rowFor returns the event for hooks on e with a tool of kind k, nil if there is none.
func (a *Agent) rowFor(e schema.Event, k schema.Kind) *schema.EventRow {
	if row := schema.RowFor(a.Data.Events, e); row != nil && !slices.Contains(row.Never, k) {
		return row
	}
	if row := lists.Find(a.Data.Events, func(row *schema.EventRow) bool {
		return row.Event != e && row.RaisesOf(e, k)
	}); row != nil {
		return row
	}
	return schema.RowFor(a.Data.Events, e)
}

// kinds returns the kinds under which a call is shown, in order. A tool that may write or edit a file may do either, in
// one edit or, if there is a tool for that, in several. A notebook is shown as one first if there is a tool for it,
// else as a file.
func (a *Agent) kinds(c *schema.Call) (kinds []schema.Kind) {
	all := c.Tool.Kinds
	if a.owns(c) && !a.ShowsAlso {
		return all[:min(1, len(all))]
	}
	if a.owns(c) {
		return all
	}

	several := a.ToolOf(schema.MultiEdit) != nil
	row := a.ToolOf(schema.Notebook)
	for _, k := range all {
		if k == schema.MultiEdit && !several {
			k = schema.Edit
		}
		switch {
		case slices.Contains(kinds, k):
		case k != schema.Notebook || row == nil:
			kinds = append(kinds, k)
		case row.Kinds[0] != k && len(all) == 1:
			kinds = append(kinds, schema.Write, schema.Edit)
		case row.Kinds[0] == k && (isNotebook(&c.Tool) || len(all) == 1):
			kinds = append([]schema.Kind{k}, kinds...)
		}
		if k == schema.Edit && several && len(all) > 1 && !slices.Contains(kinds, schema.MultiEdit) {
			kinds = append(kinds, schema.MultiEdit)
		}
	}

	return kinds
}

func isNotebook(t *schema.Tool) bool {
	return strings.HasSuffix(t.Input.Text(schema.RolePath), ".ipynb")
}

func (a *Agent) toolViews(c *schema.Call, v schema.View, k schema.Kind) []schema.View {
	v.Kind = k
	own := a.owns(c)
	if k == schema.MCP {
		return a.serverViews(c, v, own)
	}

	row := a.Tool(c.Tool.Name)
	if own && a.Data.Fixed() && c.Version != a.Data.Version && row != nil { // of another version
		row = a.Tool(a.Data.ToolName(row.Name))
	}
	if k != schema.Other && !(own && row != nil && slices.Contains(row.Kinds, k)) {
		if row = a.ToolOf(k); row == nil && k == schema.Delete { // shown as the command that deletes
			row = a.ToolOf(schema.Shell)
		}
	}
	for _, alias := range c.Tool.Aliases { // the host's name for it in matchers may be a tool here
		if row = cmp.Or(row, a.Tool(alias)); slices.Contains(a.Data.PlainTools, alias) {
			v.Target = append(v.Target, alias)
		}
	}
	if v.Target == nil {
		v.Target = []string{c.Tool.Name}
	}

	v.Tool = v.Target[0]
	if row != nil {
		v.Tool, v.Target = row.NameAt(a.Data.AsOf), append([]string{row.Name}, row.Aliases...)
	}
	if own && row != nil && v.Tool != row.Name { // matchers of that version use only its name
		v.Target = []string{v.Tool}
	}
	if !own {
		v.Needs, v.Fixed = Needs(c, k), k != schema.Notebook && c.Tool.Kind() == schema.Notebook
	}
	if a.Steps.View != nil {
		a.Steps.View(c, &v)
	}

	return []schema.View{v}
}

func (a *Agent) serverViews(c *schema.Call, v schema.View, own bool) []schema.View {
	servers := c.Tool.Owners()
	vs := make([]schema.View, len(servers))
	for i, s := range servers {
		v.Server, v.Tool = s, a.Data.MCP.Join(s, c.Tool.Name)
		if name := c.Str(schema.FieldToolName); own && name != "" {
			v.Tool = name
		}
		if v.Target = []string{v.Tool}; !own {
			v.Target = a.Data.MCP.Names(c.Tool.Written, s, c.Tool.Name)
		}
		for j, name := range v.Target {
			v.Target[j] = a.Data.Grammar.Servers + name
		}
		vs[i] = v
	}
	return vs
}

// Needs returns what the payload of an edit or a read requires from an agent beyond whole-file writes.
func Needs(c *schema.Call, k schema.Kind) schema.Needs {
	missing := func(as schema.Args, r schema.Role) bool {
		_, ok := as.Get(r)
		return !ok
	}
	switch {
	case k == schema.Edit && missing(c.Tool.Input, schema.RoleOldText), k == schema.MultiEdit:
		return schema.NeedEdits
	case k == schema.Read && c.Event == schema.PostTool && missing(c.Tool.Output, schema.RoleContent),
		k == schema.Write && missing(c.Tool.Input, schema.RoleContent):
		return schema.NeedContent
	}
	return 0
}

// target returns the value that a field event's matcher is compared with.
func (a *Agent) target(c *schema.Call, row *schema.EventRow) string {
	s := a.Data.Vocabularies.Target(c, row)
	switch {
	case s == "":
		s, _ = ordjson.String([]byte(a.defaultOf(row.MatchField, row.Event)))
	case row.Event == schema.FileChanged:
		s = s[strings.LastIndexAny(s, `/\`)+1:]
	}
	return s
}

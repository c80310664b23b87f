package gemini

import (
	"slices"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Views lists the ways in which Gemini CLI would show c to its hooks, the likeliest
// first; none if it has no such event.
func (Dialect) Views(c *schema.Call) []schema.View {
	row := rowFor(c.Event)
	if own := rowOf(c.Native); c.Dialect == name && own != nil {
		row = own
	}
	if row == nil || c.Inline {
		return nil
	}
	v := schema.View{Event: row.Native}
	switch row.Match {
	case schema.MatchNothing:
		return []schema.View{v}
	case schema.MatchField:
		v.Target = []string{target(c, row)}
		return []schema.View{v}
	}
	var vs []schema.View
	for _, k := range viewKinds(c) {
		vs = append(vs, toolViews(c, v, k)...)
	}
	return vs
}

// viewKinds is the order in which a call's kinds are offered: several edits are
// shown as one, and a notebook as a file where nothing else fits.
func viewKinds(c *schema.Call) (out []schema.Kind) {
	if c.Dialect == name {
		return c.Tool.Kinds
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

func toolViews(c *schema.Call, v schema.View, k schema.Kind) (vs []schema.View) {
	own := c.Dialect == name
	v.Kind, v.Tool = k, c.Tool.Name
	switch row := toolOfKind(k); {
	case own && c.Str(schema.FieldToolName) != "":
		v.Tool, v.Server = c.Str(schema.FieldToolName), c.Tool.Server
		v.Target = []string{v.Tool} // the name that the model has used, and no other
	case k == schema.MCP:
		servers := c.Tool.Servers
		if c.Tool.Server != "" || len(servers) == 0 {
			servers = []string{c.Tool.Server}
		}
		for _, s := range servers {
			v.Server, v.Tool = s, mcpName(s, c.Tool.Name)
			v.Target = []string{v.Tool}
			vs = append(vs, v)
		}
		return vs
	case row != nil:
		v.Tool, v.Target = row.Name, append([]string{row.Name}, row.Aliases...)
		v.Needs = needs(c, k)
		v.Fixed = k == schema.Fetch || k == schema.Notebook
	default:
		v.Target = []string{v.Tool}
	}
	return []schema.View{v}
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

// target is what a matcher of an event without a tool is compared with.
func target(c *schema.Call, row *schema.EventRow) string {
	if own, err := ordjson.Parse(c.Raw); err == nil && c.Dialect == name {
		raw, _ := own.Get(schema.NameOf(members, row.MatchField).Name)
		s, _ := ordjson.String(raw)
		return s
	}
	if c.Get(row.MatchField) == nil {
		s, _ := ordjson.String([]byte(fallback(c, row.MatchField)))
		return s
	}
	return words.Target(c, row)
}

// Shown returns the tool's input as a hook in view v sees it.
func (Dialect) Shown(c *schema.Call, v schema.View) schema.Args {
	o, err := ordjson.Members(appendInput(nil, c, v), 0)
	if err != nil {
		return nil
	}
	return schema.DecodeArgs(o, inputRows(v.Tool))
}

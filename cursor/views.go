package cursor

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// Views lists the ways in which Cursor would show c to its hooks. The generic event comes first, then the gate event
// for the same call, then the events that follow from it.
func (d Dialect) Views(c *schema.Call) []schema.View {
	var vs []schema.View
	for i := range events {
		switch row := &events[i]; {
		case !raises(row, c) || row.Inline() != c.Inline:
		case row.Gate != nil:
			vs = append(vs, gateViews(c, row)...)
		case row.Event.IsTool():
			vs = append(vs, d.toolViews(c, row)...)
		default:
			vs = append(vs, schema.View{Event: row.Native, Target: target(c, row)})
		}
	}
	return append(vs, riding(c)...)
}

// raises reports whether Cursor sends the row's event for c. A failed command is still followed by its gate event, and
// a failed MCP call counts as a result. If another agent reports the start of a sub-agent, the event isn't sent: it
// belongs to the call of the tool, where it can be denied.
func raises(row *schema.EventRow, c *schema.Call) bool {
	mcp := c.Tool.Kind() == schema.MCP
	switch {
	case c.Dialect == name && row.Native == c.Native:
		return true
	case c.Event == schema.SubagentStart && c.Dialect != name, c.Event == schema.PostToolFailure &&
		row.Event != schema.PostTool && mcp:
		return false
	case c.Event == schema.PostToolFailure && row.Event == schema.PostTool:
		return mcp || row.Gate != nil
	}
	return row.Raises(c.Event)
}

// riding are events that another agent raises under other names. The start of a sub-agent is denied at the call of its
// tool. The agent's answer is available when it stops.
func riding(c *schema.Call) []schema.View {
	switch {
	case c.Dialect == name:
	case c.Event == schema.PreTool && c.Tool.Kind() == schema.Agent:
		kind := agentTypes.Spell(c.Tool.Input.Text(schema.RoleAgentType))
		return []schema.View{{Event: "subagentStart", Kind: schema.Agent, Target: []string{kind}}}
	case c.Event == schema.Stop && c.Get(schema.FieldLastMessage) != nil:
		return []schema.View{{Event: "afterAgentResponse", Target: []string{"AgentResponse"}}}
	}
	return nil
}

// toolViews shows the call as its tool. If another agent's tool may do several things, there is a view for each.
func (d Dialect) toolViews(c *schema.Call, row *schema.EventRow) (vs []schema.View) {
	kinds := c.Tool.Kinds
	if c.Dialect == name || c.Tool.Kind() != schema.Other || len(kinds) == 0 {
		kinds = []schema.Kind{c.Tool.Kind()}
	}
	for _, k := range kinds {
		if v := d.toolView(c, row, k); !slices.ContainsFunc(vs, func(o schema.View) bool { return o.Tool == v.Tool }) {
			vs = append(vs, v)
		}
	}
	return vs
}

func (d Dialect) toolView(c *schema.Call, row *schema.EventRow, k schema.Kind) schema.View {
	v := schema.View{Event: row.Native, Kind: k, Tool: c.Tool.Name, Server: c.Tool.Server}
	switch v.Kind {
	case schema.MCP:
		v.Target = []string{mcpPrefix + c.Tool.Name}
		return v
	case schema.Edit, schema.MultiEdit, schema.Notebook: // all edits appear as whole-file writes
		v.Tool = "Write"
		v.Needs = schema.NeedContent
	case schema.Other:
	default:
		if _, ok := c.Tool.Input.Get(schema.RoleContent); k == schema.Write && !ok && c.Dialect != name {
			v.Needs = schema.NeedContent
		}
		if t := profile.ToolOfKind(v.Kind); t != nil && c.Dialect != name {
			v.Tool = t.Name
		}
	}

	v.Target = []string{v.Tool}
	if now := d.Profile().ToolName(v.Tool); c.Dialect == name && d.Profile().Fixed() && c.Version != d.Version &&
		now != v.Tool {
		v.Tool, v.Target = now, []string{now, v.Tool} // by either name: the version that changed it isn't certain
	}
	for i := range tools { // another agent's tool may be meant by every name of its kind
		if t := &tools[i]; c.Dialect != name && len(t.Kinds) > 0 && t.Kinds[0] == v.Kind && t.Name != v.Tool {
			v.Target = append(v.Target, t.Name)
		}
	}

	return v
}

// readLimit is the length of the part of a file that beforeReadFile shows, in UTF-16 units (observed SDK 1.0.32).
const readLimit = 8 << 20

func gateViews(c *schema.Call, row *schema.EventRow) []schema.View {
	i := slices.IndexFunc(c.Tool.Kinds, func(k schema.Kind) bool {
		return slices.Contains(row.Kinds(), k) || k == schema.MultiEdit && slices.Contains(row.Kinds(), schema.Edit)
	})
	if i < 0 {
		return nil
	}
	v := schema.View{Event: row.Native, Kind: c.Tool.Kinds[i], Tool: c.Tool.Name, Server: c.Tool.Server,
		Target: []string{row.MatchConst}}
	if c.Dialect == name || c.Tool.Kind() != schema.Other {
		v.Kind = c.Tool.Kind()
	}
	switch row.Match {
	case schema.MatchTool:
		v.Target = []string{mcpPrefix + c.Tool.Name}
	case schema.MatchField:
		v.Target = []string{c.Tool.Input.Text(schema.RoleCommand)}
	}
	switch {
	case c.Dialect == name:
	case row.Native == "beforeReadFile":
		v.Needs = schema.NeedContent
	case row.Native == "afterFileEdit":
		v.Needs = schema.NeedChanges
	}
	return []schema.View{v}
}

func target(c *schema.Call, row *schema.EventRow) []string {
	switch row.Match {
	case schema.MatchConst:
		return []string{row.MatchConst}
	case schema.MatchField:
		return append([]string{words.Target(c, row)}, words.Meant(c, row)...)
	}
	return nil
}

// Shown returns the tool's input as a hook in view v sees it.
func (d Dialect) Shown(c *schema.Call, v schema.View) schema.Args {
	e := encoder{c: c, v: v, row: rowOf(v.Event), own: c.Dialect == name}
	as, _ := decodeObject(e.input(nil), rowOfView(v).InputRows())
	return as
}

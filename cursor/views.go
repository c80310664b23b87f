package cursor

import (
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Views lists the ways in which Cursor would show c to its hooks: the generic
// event first, then the gate event that it raises for the same act, then events
// that ride on the act.
func (Dialect) Views(c *schema.Call) []schema.View {
	var vs []schema.View
	for i := range events {
		row := &events[i]
		if !raises(row, c) || row.Inline != c.Inline {
			continue
		}
		switch {
		case row.Gate:
			vs = append(vs, gateViews(c, row)...)
		case row.Event.IsTool():
			vs = append(vs, toolView(c, row))
		default:
			vs = append(vs, schema.View{Event: row.Native, Target: target(c, row)})
		}
	}
	return append(vs, riding(c)...)
}

// raises reports whether Cursor raises the row's event for c. A failed command
// is still followed by its gate event, a failed MCP call is no failure but a
// result that says so. The start of a sub-agent that another agent tells of is
// not raised: it rides on the call of the tool, where it can be refused.
func raises(row *schema.EventRow, c *schema.Call) bool {
	mcp := c.Tool.Kind() == schema.MCP
	switch {
	case c.Dialect == "cursor" && row.Native == c.Native:
		return true
	case c.Event == schema.SubagentStart && c.Dialect != "cursor":
		return false
	case c.Event == schema.PostToolFailure && row.Event == schema.PostTool:
		return mcp || row.Gate
	case c.Event == schema.PostToolFailure:
		return !mcp && row.Raises(c.Event)
	}
	return row.Raises(c.Event)
}

// riding are events that another agent raises under another name: the start of
// a sub-agent is refused at the call of the tool that starts it, the agent's
// answer is known when it stops.
func riding(c *schema.Call) []schema.View {
	switch {
	case c.Dialect == "cursor":
	case c.Event == schema.PreTool && c.Tool.Kind() == schema.Agent:
		raw, _ := c.Tool.Input.Get(schema.RoleAgentType)
		s, _ := ordjson.String(raw)
		return []schema.View{{Event: "subagentStart", Kind: schema.Agent, Target: []string{s}}}
	case c.Event == schema.Stop && c.Get(schema.FieldLastMessage) != nil:
		return []schema.View{{Event: "afterAgentResponse", Target: []string{"AgentResponse"}}}
	}
	return nil
}

func toolView(c *schema.Call, row *schema.EventRow) schema.View {
	v := schema.View{Event: row.Native, Kind: c.Tool.Kind(), Tool: c.Tool.Name, Server: c.Tool.Server}
	switch v.Kind {
	case schema.MCP:
		v.Target = []string{mcpPrefix + c.Tool.Name}
		return v
	case schema.Edit, schema.MultiEdit, schema.Notebook: // all edits appear as whole-file writes
		v.Tool = "Write"
		v.Needs = schema.NeedContent
	case schema.Other:
	default:
		if t := toolOfKind(v.Kind); t != nil && c.Dialect != "cursor" {
			v.Tool = t.Name
		}
	}
	v.Target = []string{v.Tool}
	for i := range tools { // a fetch by another agent may be meant by either name
		if c.Dialect != "cursor" && len(tools[i].Kinds) > 0 && tools[i].Kinds[0] == v.Kind && tools[i].Name != v.Tool {
			v.Target = append(v.Target, tools[i].Name)
		}
	}
	return v
}

func gateViews(c *schema.Call, row *schema.EventRow) []schema.View {
	if !fits(c.Tool.Kinds, row.Kinds) {
		return nil
	}
	v := schema.View{Event: row.Native, Kind: c.Tool.Kind(), Tool: c.Tool.Name, Server: c.Tool.Server}
	switch row.Match {
	case schema.MatchTool:
		v.Target = []string{mcpPrefix + c.Tool.Name}
	case schema.MatchField:
		raw, _ := c.Tool.Input.Get(schema.RoleCommand)
		s, _ := ordjson.String(raw)
		v.Target = []string{s}
	default:
		v.Target = []string{row.MatchConst}
	}
	switch {
	case c.Dialect == "cursor":
	case row.Native == "beforeReadFile":
		v.Needs = schema.NeedContent
	case row.Native == "afterFileEdit" && v.Kind == schema.Write:
		v.Needs = schema.NeedEdits
	}
	return []schema.View{v}
}

func fits(have, want []schema.Kind) bool {
	for _, h := range have {
		if h == schema.MultiEdit {
			h = schema.Edit
		}
		for _, w := range want {
			if h == w {
				return true
			}
		}
	}
	return false
}

func target(c *schema.Call, row *schema.EventRow) []string {
	switch row.Match {
	case schema.MatchConst:
		return []string{row.MatchConst}
	case schema.MatchField:
		return []string{c.Str(row.MatchField)}
	}
	return nil
}

// Grammar returns how Cursor reads a matcher: as a JavaScript regular expression.
func (Dialect) Grammar(native string) matcher.Grammar { return matcher.Regexp }

// Subject reports that Cursor's hooks have no conditions.
func (Dialect) Subject(*schema.Call, schema.View, string) (matcher.Subject, bool) {
	return matcher.Subject{}, false
}

// Shown returns the tool's input as a hook in view v sees it.
func (d Dialect) Shown(c *schema.Call, v schema.View) schema.Args {
	e := encoder{c: c, v: v, row: rowOf(v.Event)}
	row := rowOfView(v)
	var rows []schema.ArgRow
	if row != nil {
		rows = row.Input
	}
	as, _ := decodeObject(e.input(nil), rows)
	return as
}

// ServerIn reports none: Cursor's matchers do not name servers.
func (Dialect) ServerIn(string) string { return "" }

// ServersIn reports none.
func (Dialect) ServersIn(string) []string { return nil }

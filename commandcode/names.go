package commandcode

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Matchers use another tool name than the payload, which has their name in a separate field (package 1.64.0). In the
// tables, and in calls, the client's own tools have the names for matchers.

const (
	nameField    = "tool_name"
	displayField = "tool_display_name"
)

// wireNames are the names of tools in payloads that aren't just the matchers' names in lower case.
var wireNames = [][2]string{{"SHELL", "shell_command"}, {"MONITOR", "monitor_command"}, {"READ", "read_file"},
	{"EDIT", "edit_file"}, {"WRITE", "write_file"}, {"SEARCH", "grep"}, {"LIST", "read_directory"},
	{"READ_MULTI", "read_multiple_files"}, {"TODOS", "todo_write"}, {"QUESTION", "ask_user_question"},
	{"LOOP", "schedule_wakeup"}, {"DIAGNOSTICS", "get_diagnostics"},
	{"GET_SELF_KNOWLEDGE", "get_command_code_knowledge"}}

// displayed returns the matchers' name for a tool in payloads. It is the client's own, or else the name in capitals,
// with "_" for everything except letters and digits.
func displayed(tool string) string {
	for _, pair := range wireNames {
		if pair[1] == tool {
			return pair[0]
		}
	}
	name := strings.Trim(strings.Map(func(r rune) rune {
		if ascii.Word(r) {
			return r
		}
		return '_'
	}, strings.ToUpper(tool)), "_")
	switch {
	case name == "":
		return "TOOL"
	case !ascii.Letter(name[0]):
		return "T_" + name
	}
	return name
}

// onWire returns the name in payloads of a tool in the tables; the second result is false for any other.
func (d Dialect) onWire(tool string) (string, bool) {
	for _, pair := range wireNames {
		if pair[0] == tool {
			return pair[1], true
		}
	}
	own := d.Tool(tool) != nil || slices.Contains(plainTools, tool)
	return strings.ToLower(tool), own
}

// DecodeCall reads a payload; the client's own tools get the names that matchers use.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	o, err := ordjson.Parse(src)
	if err != nil {
		return d.Agent.DecodeCall(src, env)
	}
	shown := o.Str(displayField)
	for i, m := range o {
		tool, _ := ordjson.String(m.Value)
		wire, own := d.onWire(displayed(tool))
		switch {
		case m.Name != nameField:
		case shown != "" && shown != displayed(tool): // not seen: matchers count
			o[i].Value = ordjson.AppendString(nil, shown)
		case own && wire == tool:
			o[i].Value = ordjson.AppendString(nil, displayed(tool))
		}
	}
	c, ds := d.Agent.DecodeCall(o.Append(nil), env)
	if c != nil {
		c.Raw = src
	}
	return c, ds
}

// AppendCall writes c with both names of the tool.
func (d Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	o, err := ordjson.Parse(d.Agent.AppendCall(nil, c, v))
	if err != nil {
		return dst
	}
	for i, m := range o {
		tool, _ := ordjson.String(m.Value)
		if wire, own := d.onWire(tool); m.Name == nameField && own {
			o[i].Value = ordjson.AppendString(nil, wire)
		}
	}
	return o.Append(dst)
}

// Views lists how the client shows c to its hooks: for tools outside the tables, matchers see other names.
func (d Dialect) Views(c *schema.Call) []schema.View {
	views := d.Agent.Views(c)
	for i, v := range views {
		if _, own := d.onWire(v.Tool); v.Tool != "" && !own {
			views[i].Target = lists.Map(v.Target, displayed)
		}
	}
	return views
}

// foldable reports whether an expression finds the same in the names of tools as in the matchers' names: it consists of
// letters, digits, "_" and operators.
func foldable(expression string) bool {
	return !strings.ContainsFunc(expression, func(r rune) bool {
		return !ascii.Word(r) && !strings.ContainsRune(".*|^$()?:", r)
	})
}

// Select returns the selection of a matcher. For other agents, an expression that accepts each letter in both cases
// finds the same in the tools' own names.
func (d Dialect) Select(h *schema.Hook) schema.Selection {
	sel := d.Agent.Select(h)
	m, err := d.Data.Matcher(h)
	row := d.Row(h.Native)
	if sel.All || row == nil || row.Match != schema.MatchTool || err != nil {
		return sel
	}

	const other = "[^A-Za-z0-9]"
	if !foldable(h.Matcher) || strings.Contains(strings.ToUpper(h.Matcher), "T_") {
		return schema.Selection{All: true}
	}
	var b strings.Builder
	for _, c := range h.Matcher {
		switch {
		case ascii.Letter(c):
			b.WriteString("[" + string(c&^0x20) + string(c|0x20) + "]")
		case c == '_':
			b.WriteString(other)
		case c == '^':
			b.WriteString("^" + other + "*")
		case c == '$':
			b.WriteString(other + "*$")
		default:
			b.WriteRune(c)
		}
	}
	sel = schema.Selection{Search: b.String(), Exact: true}
	if m.MayTake(d.Data.MCP.Prefix) {
		sel.Picks = []schema.Pick{{Kind: schema.MCP}}
	}
	return sel
}

// Plan lists the possible places of a hook for its event, with the names that matchers use.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	if !foldable(sel.Search) {
		sel = schema.Selection{Event: sel.Event, All: true}
	}
	sel.Picks = lists.Map(sel.Picks, func(p schema.Pick) schema.Pick {
		if p.Kind == schema.MCP {
			p.Server, p.Name = strings.ReplaceAll(p.Server, "-", "_"), strings.ReplaceAll(p.Name, "-", "_")
		} else if _, own := d.onWire(p.Name); p.Name != "" && !own {
			p.Name = displayed(p.Name)
		}
		return p
	})
	return d.Agent.Plan(h, sel)
}

package qoder

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Views lists the ways in which Qoder would show c to its hooks, the likeliest
// first; none if it has no such event. A tool whose kind is not certain has one
// view for every tool name it may go by.
func (d Dialect) Views(c *schema.Call) []schema.View {
	d = d.of(c)
	row := d.rowFor(c.Event)
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
		vs = append(vs, d.toolViews(c, v, k)...)
	}
	return vs
}

// viewKinds is the order in which a call's kinds are offered. Several edits in
// one call are shown as one, there being no tool for several; a notebook is
// offered as one first.
func viewKinds(c *schema.Call) []schema.Kind {
	if c.Dialect == "qoder" {
		return c.Tool.Kinds[:1]
	}
	var out []schema.Kind
	notebook := strings.HasSuffix(pathOf(c), ".ipynb")
	for _, k := range c.Tool.Kinds {
		if k == schema.MultiEdit {
			k = schema.Edit
		}
		switch {
		case slices.Contains(out, k):
		case k != schema.Notebook || len(c.Tool.Kinds) == 1:
			out = append(out, k)
		case notebook:
			out = append([]schema.Kind{k}, out...)
		}
	}
	return out
}

func (d Dialect) toolViews(c *schema.Call, v schema.View, k schema.Kind) []schema.View {
	v.Kind = k
	own := c.Dialect == "qoder"
	if k == schema.MCP {
		return mcpViews(c, v)
	}
	v.Tool = c.Tool.Name
	if k == schema.Delete && (!own || toolNamed(v.Tool) == nil) {
		k = schema.Shell // there is no tool for it: shown as the command that deletes
	}
	if row := d.toolOfKind(k); row != nil && !own {
		v.Tool = row.Name
	}
	v.Target = spellings(v.Tool)
	if !own {
		v.Needs = needs(c, k)
	}
	return []schema.View{v}
}

func mcpViews(c *schema.Call, v schema.View) []schema.View {
	servers := c.Tool.Servers
	if c.Tool.Server != "" || len(servers) == 0 {
		servers = []string{c.Tool.Server}
	}
	vs := make([]schema.View, len(servers))
	for i, s := range servers {
		v.Server, v.Tool = s, mcpName(s, c.Tool.Name)
		if c.Dialect == "qoder" {
			v.Tool = c.Str(schema.FieldToolName)
		}
		v.Target = []string{v.Tool}
		vs[i] = v
	}
	return vs
}

// needs says what the payload of an edit or a read holds beyond what an agent
// sends that only knows whole-file writes.
func needs(c *schema.Call, k schema.Kind) schema.Needs {
	switch {
	case k == schema.Edit:
		if _, ok := c.Tool.Input.Get(schema.RoleOldText); !ok {
			return schema.NeedEdits
		}
	case k == schema.Read && c.Event == schema.PostTool:
		if _, ok := c.Tool.Output.Get(schema.RoleContent); !ok {
			return schema.NeedContent
		}
	case k == schema.Write:
		if _, ok := c.Tool.Input.Get(schema.RoleContent); !ok {
			return schema.NeedContent
		}
	}
	return 0
}

// target is what a matcher of a field event is compared with.
func target(c *schema.Call, row *schema.EventRow) string {
	s := words.Target(c, row)
	switch {
	case row.Event == schema.SessionStart && s == "":
		return "startup"
	case row.Event == schema.StopFailure && s == "":
		return "unknown"
	case row.Event == schema.FileChanged:
		s = s[strings.LastIndexAny(s, `/\`)+1:]
	}
	return s
}

func pathOf(c *schema.Call) string {
	raw, _ := c.Tool.Input.Get(schema.RolePath)
	s, _ := ordjson.String(raw)
	return s
}

// asTool reports whether Qoder puts the event to its matchers as a tool's name.
func asTool(row *schema.EventRow) bool {
	switch row.Event {
	case schema.FileChanged, schema.Elicitation, schema.ElicitationResult:
		return true
	}
	return row.Match == schema.MatchTool
}

// Shown returns the tool's input as a hook in view v sees it.
func (d Dialect) Shown(c *schema.Call, v schema.View) schema.Args {
	o, err := ordjson.Members(d.of(c).appendInput(nil, c, v), 0)
	if err != nil {
		return nil
	}
	return schema.DecodeArgs(o, inputRows(v.Tool))
}

func inputRows(tool string) []schema.ArgRow {
	if row := toolNamed(tool); row != nil {
		return row.Input
	}
	return nil
}

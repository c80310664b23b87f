package claude

import (
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Views lists the ways in which Claude Code would show c to its hooks, the
// likeliest first; none if it has no such event. A tool whose kind is not
// certain has one view for every tool name it may go by.
func (d Dialect) Views(c *schema.Call) []schema.View {
	row := rowFor(c.Event)
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

// viewKinds is the order in which a call's kinds are offered. Whoever may write
// or edit a file may do either, in one edit or in several; a notebook is
// offered as one first.
func viewKinds(c *schema.Call) []schema.Kind {
	kinds := c.Tool.Kinds
	if c.Dialect == "claude" || len(kinds) < 2 {
		return kinds
	}
	var out []schema.Kind
	for _, k := range kinds {
		if k == schema.Notebook && !strings.HasSuffix(pathOf(c), ".ipynb") {
			continue
		}
		out = append(out, k)
		if k == schema.Edit {
			out = append(out, schema.MultiEdit)
		}
	}
	if n := len(out); n > 0 && out[n-1] == schema.Notebook {
		out = append([]schema.Kind{schema.Notebook}, out[:n-1]...)
	}
	return out
}

func (d Dialect) toolViews(c *schema.Call, v schema.View, k schema.Kind) []schema.View {
	v.Kind = k
	switch k {
	case schema.MCP:
		servers := c.Tool.Servers
		if c.Tool.Server != "" || len(servers) == 0 {
			servers = []string{c.Tool.Server}
		}
		vs := make([]schema.View, len(servers))
		for i, s := range servers {
			v.Server, v.Tool = s, mcpName(s, c.Tool.Name)
			if c.Dialect == "claude" {
				v.Tool = c.Str(schema.FieldToolName)
			}
			v.Target = []string{v.Tool}
			vs[i] = v
		}
		return vs
	case schema.Other:
		v.Tool, v.Target = c.Tool.Name, []string{c.Tool.Name}
		if row := toolNamed(c.Tool.Name); row != nil {
			v.Tool, v.Target = row.Name, append([]string{row.Name}, row.Aliases...)
		}
		return []schema.View{v}
	case schema.Delete: // shown as the shell command that deletes
		v.Tool, v.Target = "Bash", []string{"Bash"}
		return []schema.View{v}
	}
	row := toolOfKind(k)
	if row == nil {
		v.Tool, v.Target = c.Tool.Name, []string{c.Tool.Name}
		return []schema.View{v}
	}
	v.Tool, v.Target = d.toolName(row), append([]string{row.Name}, row.Aliases...)
	if c.Dialect != "claude" {
		v.Needs = needs(c, k)
	}
	return []schema.View{v}
}

// toolName is the name of a tool in the version that d speaks of.
func (d Dialect) toolName(row *schema.ToolRow) string {
	for _, was := range row.Before {
		if !dialect.Since(d.Version, was.Until) {
			return was.Name
		}
	}
	return row.Name
}

// needs says what the payload of an edit or a read holds beyond what an agent
// sends that only knows whole-file writes.
func needs(c *schema.Call, k schema.Kind) schema.Needs {
	switch {
	case k == schema.Edit || k == schema.MultiEdit:
		return schema.NeedEdits
	case k == schema.Read && c.Event == schema.PostTool:
		return schema.NeedContent
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

// Shown returns the tool's input as a hook in view v sees it.
func (Dialect) Shown(c *schema.Call, v schema.View) schema.Args {
	o, err := ordjson.Members(appendInput(nil, c, v), 0)
	if err != nil {
		return nil
	}
	return convertEdits(schema.DecodeArgs(o, inputRows(v.Tool)), edit, schema.CanonicalEdits)
}

func inputRows(tool string) []schema.ArgRow {
	if row := toolNamed(tool); row != nil {
		return row.Input
	}
	return nil
}

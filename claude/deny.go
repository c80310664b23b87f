package claude

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// DenyHooks returns the hooks whose matchers and conditions select the calls that a rule of permissions.deny denies.
// The rule must be about one tool, alone or with a pattern that is compared in the same way. A rule for Edit covers
// every tool that changes files, and one for Read of certain files covers those too (observed 2.1.332). beyond names
// the searches and commands that it also covers (docs, permissions page, checked 2026-11).
func (d Dialect) DenyHooks(rule string) (hooks []schema.Hook, beyond string, err error) {
	rule = strings.TrimSpace(rule)
	r, err := parseRule(rule)
	if err != nil {
		return nil, "", err
	}
	tools, err := d.deniedTools(&r)
	if err != nil {
		return nil, "", err
	}

	for _, tool := range tools {
		h := schema.Hook{Event: schema.PreTool, Native: d.Data.Generic(schema.PreTool), Matcher: tool,
			HasMatcher: true, Condition: strings.Replace(rule, r.tool, tool, 1), HasCondition: true}
		if strings.HasPrefix(tool, d.Data.MCP.Prefix) {
			h.Matcher = d.serverMatcher(tool)
		}
		hooks = append(hooks, h)
	}
	if r.hasSpec && d.kindOf(r.tool) == schema.Read {
		beyond = "to searches, and to commands that it sees read such a file"
	} else if r.hasSpec && len(tools) > 1 {
		beyond = "to commands that it sees change such a file"
	}
	return hooks, beyond, nil
}

// deniedTools returns the tools of the rule. An error explains why it isn't a rule for one tool with a known pattern.
func (d Dialect) deniedTools(r *rule) ([]string, error) {
	server, isMCP := strings.CutPrefix(r.tool, d.Data.MCP.Prefix)
	switch server, tool, full := strings.Cut(server, "__"); {
	case isMCP && (server == "" || full && tool == ""):
		return nil, errors.New("it is about no tool")
	case isMCP && r.input:
		return nil, fmt.Errorf("%s applies no rule with an input to the tools of MCP servers", d.Data.TitleChecked())
	case isMCP && strings.Contains(server, "*") && (full || server != "*"):
		return nil, errors.New("it is about several MCP servers, and not every agent names the server of a tool")
	case isMCP:
		return []string{r.tool}, nil
	case r.never || strings.Contains(r.tool, "*"):
		return nil, errors.New("it isn't about one tool")
	}

	row := d.Data.Tool(r.tool)
	if row == nil && !slices.Contains(d.Data.PlainTools, r.tool) {
		return nil, fmt.Errorf("%s has no tool %s", d.Data.TitleChecked(), r.tool)
	}
	switch kind := d.kindOf(r.tool); {
	case r.hasSpec && strings.HasPrefix(r.spec, "!"):
		return nil, errors.New("it takes files out of other rules")
	case r.hasSpec && slices.Contains(filesOf, kind) && matchesNoFile(r.spec):
		return nil, errors.New("its pattern is for no file")
	case kind == schema.Read && r.hasSpec:
		return append([]string{r.tool}, d.toolsOf(filesOf[1:])...), nil
	case kind == schema.Edit:
		return d.toolsOf(filesOf[1:]), nil
	case !r.hasSpec:
	case kind == schema.Shell && row == d.Data.Tool(shellTool), kind == schema.Agent, slices.Contains(filesOf, kind),
		kind == schema.Fetch && strings.HasPrefix(r.spec, "domain:"):
	default:
		return nil, errors.New("how it compares the input of " + r.tool + " isn't known")
	}
	return []string{r.tool}, nil
}

// filesOf are the kinds of tools whose files rules compare with a pattern. One reads; the others change files, and a
// rule for reading also applies to them (observed 2.1.332).
var filesOf = []schema.Kind{schema.Read, schema.Edit, schema.MultiEdit, schema.Write, schema.Notebook}

func (d Dialect) toolsOf(kinds []schema.Kind) (tools []string) {
	for _, t := range d.Data.Tools {
		if slices.Contains(kinds, d.kindOf(t.Name)) {
			tools = append(tools, t.Name)
		}
	}
	return tools
}

// serverMatcher returns the matcher for a rule about MCP tools. "mcp__server" and "mcp__server__*" are every tool of a
// server. An asterisk is any run of characters (observed 2.1.332, with 20 rules).
func (d Dialect) serverMatcher(rule string) string {
	name := strings.TrimPrefix(rule, d.Data.MCP.Prefix)
	if !strings.Contains(name, "__") && name != "*" {
		name += "__*"
	}
	if !strings.Contains(name, "*") {
		return rule
	}
	return d.Data.MCP.Prefix + strings.ReplaceAll(matcher.Escape(name), `\*`, ".*")
}

// shellTool is the tool whose commands conditions read.
const shellTool = "Bash"

func (d Dialect) kindOf(tool string) schema.Kind {
	if row := d.Data.Tool(tool); row != nil && len(row.Kinds) > 0 {
		return row.Kinds[0]
	}
	return schema.Other
}

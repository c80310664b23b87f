package claude

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/wildcard"
	"github.com/hookbridge/hookbridge/schema"
)

// Holds evaluates the `if` of a hook as Claude Code 2.1.332 does. The condition is one permission rule, "Tool" or
// "Tool(spec)", and is true only for tool calls. If it can't be decided it is true, so that a guard runs too often
// rather than too rarely. An error means that the condition can't be parsed; Claude Code then never runs the hook.
func (d Dialect) Holds(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error) {
	if h.Condition == "" {
		return true, nil
	}
	if !c.Event.IsTool() {
		return false, nil
	}
	r, err := parseRule(h.Condition)
	if err != nil {
		return false, err
	}
	if c.Dialect == d.Data.Agent() && d.unheeded(r) != nil {
		return false, nil
	}
	return r.holds(d.Agent, c, v, home), nil
}

// MayHold reports whether the rule names the tool of a view.
func (d Dialect) MayHold(h *schema.Hook, v schema.View) (bool, error) {
	r, err := parseRule(h.Condition)
	if err != nil || r.never {
		return false, err
	}
	if err := d.unheeded(r); err != nil {
		return false, fmt.Errorf("the condition %q %w", h.Condition, err)
	}
	return r.of(v, d.Data.MCP.Prefix), nil
}

// unheeded returns why Claude Code runs no hook for a rule from its documentation of permission rules, nil if it does
// (observed 2.1.332). Under another agent such a rule holds as documented, so that its hook runs.
func (d Dialect) unheeded(r rule) error {
	server, ofServer := strings.CutPrefix(r.tool, d.Data.MCP.Prefix)
	switch {
	case ofServer && (strings.Contains(server, "*") || !strings.Contains(server, "__")):
		return errors.New("doesn't name one tool of a server in full")
	case r.hasSpec && (ofServer || r.tool == "Skill" || d.Data.Tool(r.tool) != nil && !d.compares(r.tool)):
		return errors.New("has an argument, which is compared for commands, files and patterns only")
	case r.hasSpec && slices.Contains(filesOf, d.kindOf(r.tool)) && matchesNoFile(r.spec):
		return errors.New("has a pattern that no file fits: the root of one, or what is above it")
	}
	return nil
}

// compares reports whether the calls of a tool are compared with the argument of a rule.
func (d Dialect) compares(tool string) bool {
	kind := d.kindOf(tool)
	return slices.Contains(filesOf, kind) || kind == schema.Shell || kind == schema.Glob || kind == schema.Grep
}

type rule struct {
	never   bool
	tool    string
	spec    string
	hasSpec bool // spec narrows the calls of the tool
	input   bool // there are brackets, even if empty
}

// parseRule parses a rule: "*" matches nothing, "Tool" and "Tool()" match every call of the tool, "Tool(spec)" matches
// the calls that spec describes. A backslash escapes brackets and backslashes in spec.
func parseRule(s string) (rule, error) {
	if s == "*" {
		return rule{never: true}, nil
	}
	tool, rest, hasSpec := strings.Cut(s, "(")
	if tool == "" || strings.ContainsAny(tool, " \t\r\n|&,;)'\"") {
		return rule{}, fmt.Errorf("the condition %q does not start with the name of one tool", s)
	}
	r := rule{tool: tool, input: hasSpec}
	if !hasSpec {
		return r, nil
	}
	spec, ok := strings.CutSuffix(rest, ")")
	if !ok {
		return rule{}, fmt.Errorf("the condition %q does not end with )", s)
	}
	if family.SeveralRules(rest) {
		return rule{}, fmt.Errorf("the condition %q is more than one rule; a hook takes one", s)
	}
	r.spec = strings.NewReplacer(`\(`, `(`, `\)`, `)`, `\\`, `\`).Replace(spec)
	r.hasSpec = r.spec != "" && r.spec != "*"
	return r, nil
}

func (r rule) holds(a *family.Agent, c *schema.Call, v schema.View, home string) bool {
	if r.never || !r.of(v, a.Data.MCP.Prefix) {
		return false
	}
	if !r.hasSpec {
		return true
	}
	input, err := a.Input(c, v)
	if err != nil {
		return true
	}

	as := schema.DecodeArgs(input, a.ArgRows(v.Tool))
	text := func(roles ...schema.Role) string {
		for _, role := range roles {
			if t := as.Text(role); t != "" {
				return t
			}
		}
		return ""
	}
	switch v.Kind {
	case schema.Grep, schema.Glob: // compared without the folder (observed 2.1.328)
		return wildcard.ParseCommand(r.spec).Match(text(schema.RolePattern, schema.RoleGlob))
	}

	if command := text(schema.RoleCommand); command != "" || v.Kind == schema.Shell {
		return commandHolds(command, wildcard.ParseCommand(r.spec))
	}
	if path := text(schema.RolePath); path != "" {
		return pathHolds(r.spec, path, places{c.Project, c.Cwd, home})
	}

	if domain, ok := strings.CutPrefix(r.spec, "domain:"); ok {
		return wildcard.Match(strings.ToLower(strings.TrimSpace(domain)), host(text(schema.RoleURL)))
	}
	return wildcard.ParseCommand(r.spec).Match(agentTypes.Spell(text(schema.RoleAgentType)))
}

// of reports whether r covers the tool of a view.
func (r rule) of(v schema.View, mcpPrefix string) bool {
	return slices.ContainsFunc(v.Target, func(tool string) bool { return r.names(tool, mcpPrefix) })
}

// names reports whether r covers the tool. "mcp__server", "mcp__server__*" and the like name the tools of a server, as
// documented.
func (r rule) names(tool, mcpPrefix string) bool {
	if r.tool == tool {
		return true
	}
	server, ok := strings.CutPrefix(r.tool, mcpPrefix)
	switch {
	case !ok || server == "":
		return false
	case strings.Contains(server, "*"):
		return wildcard.Match(r.tool, tool)
	case strings.Contains(server, "__"):
		return false
	}
	return strings.HasPrefix(tool, r.tool+"__")
}

// host returns the host of a URL in lower case, as a browser parses it: a backslash is a slash.
func host(url string) string {
	url = strings.ReplaceAll(strings.TrimSpace(url), `\`, "/")
	if _, rest, ok := strings.Cut(url, ":/"); ok {
		url = strings.TrimLeft(rest, "/")
	}
	if i := strings.IndexAny(url, "/?#"); i >= 0 {
		url = url[:i]
	}
	url = url[strings.LastIndexByte(url, '@')+1:]
	if i := strings.LastIndexByte(url, ':'); i > strings.LastIndexByte(url, ']') {
		url = url[:i]
	}
	return strings.TrimSuffix(strings.ToLower(url), ".")
}

package claude

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// advise reports fields that are accepted but don't have their apparent effect.
func advise(p *family.Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	adviseMatcher(p, row, h, m)
	if h.Condition != "" && !row.Event.IsTool() {
		p.Report(schema.CodeDeadCondition, m, h.Path+"/if", "a hook with `if` never runs at "+row.Native).Event =
			row.Native
	} else if h.Condition == "*" {
		p.Report(schema.CodeDeadCondition, m, h.Path+"/if", "the condition * is never true").Event = row.Native
	}
	if h.Once && filepath.Ext(h.Source.File) != ".md" {
		p.Report(schema.CodeIgnoredOnce, m, h.Path+"/once", p.Agent().Data.Title+
			" honors once in skill front matter only")
	}
}

// adviseMatcher reports the actual effect of a matcher that looks like something else: a permission rule, a glob, an
// expression, a name in different case.
func adviseMatcher(p *family.Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member) {
	if row.Match != schema.MatchTool || h.Matcher == "" || h.Matcher == "*" {
		return
	}

	path := h.Path
	if i := strings.LastIndex(path, "/hooks/"); i > 0 {
		path = path[:i] + "/matcher"
	}
	dead := func(msg, fix string) *schema.Diagnostic {
		d := p.Report(schema.CodeDeadMatcher, m, path, msg)
		d.Event, d.Fix = row.Native, fix
		return d
	}

	compiled, err := matcher.Compile(matchers, h.Matcher)
	if err != nil {
		dead(err.Error(), "")
		return
	}

	all := p.Agent().Data
	switch {
	case strings.Contains(h.Matcher, ":") && !matchesAny(all, compiled):
		dead("this is an expression, not a matcher, and matches no tool", "name the tools, separated by |")
	case strings.HasSuffix(h.Matcher, "__*") && strings.HasPrefix(h.Matcher, all.MCP.Prefix):
		d := p.Report(schema.CodeOddMatcher, m, path, "this is a regular expression, not a glob; it matches every "+
			"tool whose name contains "+strings.TrimSuffix(h.Matcher, "_*"))
		all := strings.TrimSuffix(h.Matcher, "*") + ".*"
		d.Event, d.Fix, d.Edit = row.Native, "write "+all, schema.Change{Path: path, Value: strconv.Quote(all)}
	default:
		adviseNames(all, compiled, dead)
	}
}

// adviseNames reports plain names that differ from a tool's only by case.
func adviseNames(all *dialect.Profile, m *matcher.Matcher, dead func(msg, fix string) *schema.Diagnostic) {
	names, plain := m.Plain()
	if !plain {
		return
	}
	for i, n := range names {
		for _, t := range all.Tools {
			if strings.EqualFold(t.Name, n) && t.Name != n {
				d := dead("matchers are case-sensitive, and no tool is called "+n, "write "+t.Name)
				right := slices.Replace(slices.Clone(names), i, i+1, t.Name)
				d.Edit = schema.Change{Path: d.Path, Value: strconv.Quote(strings.Join(right, "|"))}
				if matchesAny(all, m) { // the hook runs for others
					d.Severity = schema.Note
				}
			}
		}
	}
}

func matchesAny(all *dialect.Profile, m *matcher.Matcher) bool {
	return m.Match(all.MCP.Join("server", "tool")) || slices.ContainsFunc(all.Tools, func(t schema.ToolRow) bool {
		return m.Match(append([]string{t.Name}, t.Aliases...)...)
	})
}

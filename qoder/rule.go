package qoder

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// anyTool stands for the tool in a rule whose tool part has been judged.
const anyTool = "Tool"

// Holds judges the `if` of a hook as Qoder 1.1.52 does: the part before the
// bracket is a regular expression searched for in the tool's name, what the
// brackets hold is compared with the primary argument, a command line piece by
// piece. On events that are put to matchers as a tool's name without being about
// one, the first part alone decides; on other events with something to match the
// condition never holds, on the rest it is not looked at.
//
// What cannot be decided holds: a guard runs once too often.
func (d Dialect) Holds(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error) {
	row := d.row(v.Event)
	if h.Condition == "" || row == nil || row.Match == schema.MatchNothing {
		return true, nil
	}
	if !asTool(row) {
		return false, nil
	}
	tool, spec, hasSpec := strings.Cut(h.Condition, "(")
	tool = strings.TrimSpace(tool)
	m, err := matcher.Compile(matcher.RegexpOrEqual, tool)
	if tool == "*" || !m.Match(v.Target...) {
		return false, err
	}
	spec = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(spec), ")"))
	if !hasSpec || spec == "" || !row.Event.IsTool() {
		return true, err
	}
	// A rule of the package reads the rest alike, save that it knows no "?".
	rule, bad := matcher.ParseRule(anyTool + "(" + escapeSpec(spec) + ")")
	if err == nil {
		err = bad
	}
	s := d.subject(c, v)
	s.Names = []string{anyTool}
	return rule.Match(s), err
}

// escapeSpec keeps brackets in a spec from being read as its end, and widens
// "?" to "*".
func escapeSpec(s string) string {
	if !strings.Contains(s, "*") {
		s = strings.ReplaceAll(s, "?", "*")
	}
	return strings.NewReplacer("(", `\(`, ")", `\)`).Replace(s)
}

// Subject prepares c in view v for a rule that is judged with exact names, for
// callers that do not ask Holds; ok is false where no rule ever holds. Every
// stretch of the tool's name is a name there, with "^" and "$" at the ends, so
// that a rule of plain text finds what Qoder's unanchored expression finds.
// Other expressions are beyond it.
func (d Dialect) Subject(c *schema.Call, v schema.View, home string) (s matcher.Subject, ok bool) {
	row := d.row(v.Event)
	if row == nil || !asTool(row) {
		return s, row != nil && row.Match == schema.MatchNothing
	}
	s = d.subject(c, v)
	s.Project, s.Home, s.Cwd = c.Project, home, c.Cwd
	for _, n := range v.Target {
		s.Names = append(s.Names, stretches(n)...)
	}
	return s, true
}

// maxName bounds the work for a name; what is longer is offered whole.
const maxName = 80

func stretches(name string) []string {
	out := []string{name, "^" + name, name + "$", "^" + name + "$"}
	if len(name) > maxName {
		return out
	}
	for i := range name {
		if i > 0 {
			out = append(out, name[i:]+"$", "^"+name[:i])
		}
		for j := i + 1; j <= len(name); j++ {
			out = append(out, name[i:j])
		}
	}
	return out
}

// primary are the members of an input that Qoder compares, the first that is a
// text; without one the first text of all (package 1.1.52).
var primary = []string{"command", "file_path", "filePath", "path", "url", "query", "pattern"}

func (d Dialect) subject(c *schema.Call, v schema.View) (s matcher.Subject) {
	o, err := ordjson.Members(d.of(c).appendInput(nil, c, v), 0)
	if err != nil {
		return s
	}
	if raw, ok := o.Get("command"); ok {
		if text, ok := ordjson.String(raw); ok {
			// Of the arguments Qoder sees the plain words alone: "git push 'x'" is
			// "git push" (observed 1.1.52).
			s.Shell, s.Command, s.PlainWords = true, text, true
			return s
		}
	}
	for _, name := range primary {
		raw, _ := o.Get(name)
		if text, ok := ordjson.String(raw); ok {
			s.Value = text
			return s
		}
	}
	for _, m := range o {
		if text, ok := ordjson.String(m.Value); ok {
			s.Value = text
			return s
		}
	}
	return s
}

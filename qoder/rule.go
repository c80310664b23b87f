package qoder

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/internal/wildcard"
	"github.com/hookbridge/hookbridge/schema"
)

// Holds evaluates the `if` of a hook as Qoder 1.1.52 does. The part before the bracket is a regular expression that is
// searched for in the tool's name. The text in brackets is compared with the primary argument, a command line piece by
// piece. On events whose value is matched like a tool's name, only the first part counts. On other events with
// something to match, the condition never holds; on the rest it is ignored. Several rules in one condition are an
// error.
//
// A condition that can't be decided is true, so that a guard runs too often rather than too rarely.
func (d Dialect) Holds(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error) {
	row := d.Row(v.Event)
	if h.Condition == "" || row == nil || row.Match == schema.MatchNothing {
		return true, nil
	}
	if !asTool(row) {
		return false, nil
	}
	tool, spec, hasSpec := strings.Cut(h.Condition, "(")
	if family.SeveralRules(spec) && row.Event.IsTool() {
		return false, severalRules(h)
	}

	tool = strings.TrimSpace(tool)
	m, err := matcher.Compile(matchers, tool)
	if tool == "*" || !m.Match(v.Target...) {
		return false, err
	}
	spec = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(spec), ")"))
	if !hasSpec || spec == "" || !row.Event.IsTool() {
		return true, err
	}

	if !strings.Contains(spec, "*") { // "?" is one character in 1.1.52; here it is any number
		spec = strings.ReplaceAll(spec, "?", "*")
	}
	o, bad := d.of(c).Input(c, v)
	if bad != nil {
		return true, err
	}

	pattern := wildcard.ParseCommand(spec)
	if raw, ok := o.Get("command"); ok {
		if text, ok := ordjson.String(raw); ok {
			return commandHolds(text, pattern), err
		}
	}

	text := primaryText(o)
	if c.Dialect != profile.Name { // its model may have named the file relative to the project
		for _, folder := range []string{c.Project, c.Cwd} {
			if rel, ok := strings.CutPrefix(text, folder+"/"); ok && folder != "" && pattern.Match(rel) {
				return true, err
			}
		}
	}
	return pattern.Match(text), err
}

// MayHold reports whether the first part of a condition finds the tool of a view. Several rules in one condition count
// as one rule, whose brackets contain a text that no call has (observed 1.1.52).
func (Dialect) MayHold(h *schema.Hook, v schema.View) (bool, error) {
	tool, rest, _ := strings.Cut(h.Condition, "(")
	if family.SeveralRules(rest) {
		return false, severalRules(h)
	}
	tool = strings.TrimSpace(tool)
	m, err := matcher.Compile(matchers, tool)
	return tool != "*" && m.Match(v.Target...), err
}

func severalRules(h *schema.Hook) error {
	return fmt.Errorf("the condition %q is more than one rule; a hook takes one", h.Condition)
}

// primary are the input fields that Qoder compares: the first that is a text, or else the first text of all (package
// 1.1.52).
var primary = []string{"command", "file_path", "filePath", "path", "url", "query", "pattern"}

func primaryText(o ordjson.Object) string {
	for _, name := range primary {
		if text, ok := o.Text(name); ok {
			return text
		}
	}
	for _, m := range o {
		if text, ok := ordjson.String(m.Value); ok {
			return text
		}
	}
	return ""
}

// commandHolds compares a command line with a pattern: each command that Qoder finds in the line, with its plain words
// (observed 1.1.52). If it isn't known what Qoder finds, the line matches if it contains all texts of the pattern in
// order. This works because commands are made of pieces of the line.
func commandHolds(line string, pattern wildcard.Command) bool {
	script, ok := shell.Parse(line)
	var r commandReader
	if !ok || script.Unclosed || !r.list(script) || strings.ContainsFunc(line, isOddBlank) {
		return hasPieces(line, pattern.Pieces())
	}
	if len(r.commands) == 0 {
		return pattern.Match(strings.TrimSpace(line))
	}
	return slices.ContainsFunc(r.commands, pattern.Match)
}

// isOddBlank reports whether readers of a line may disagree on whether c is a blank.
func isOddBlank(c rune) bool {
	plain := c == ' ' || c == '\t' || c == '\n'
	return !plain && (unicode.IsSpace(c) || unicode.IsControl(c) || c == '\ufeff')
}

// hasPieces reports whether the line contains the texts, in order, and not inside longer words than in the pattern.
func hasPieces(line string, pieces []wildcard.Piece) bool {
	from := 0
next:
	for _, p := range pieces {
		for from <= len(line)-len(p.Text) {
			i := strings.Index(line[from:], p.Text)
			if i < 0 {
				return false
			}
			start, end := from+i, from+i+len(p.Text)
			inBegin := p.Begins && start > 0 && ascii.Word(line[start-1]) // in the middle of a longer word
			inEnd := p.Ends && end < len(line) && ascii.Word(line[end])
			if !inBegin && !inEnd {
				from = end
				continue next
			}
			from = start + 1
		}
		return false
	}
	return true
}

// A commandReader collects the commands of a line. A method returns false if it isn't known how Qoder reads its
// argument.
type commandReader struct{ commands []string }

func (r *commandReader) list(s shell.Script) bool {
	for i := range s.Items {
		item := &s.Items[i]
		if item.Negations > 1 || item.Negations > 0 && item.Command.Kind != shell.Simple || !r.command(&item.Command) {
			return false
		}
	}
	return true
}

func (r *commandReader) command(c *shell.Command) bool {
	switch c.Kind {
	case shell.Simple, shell.Subshell, shell.Group, shell.If, shell.Loop, shell.For:
	default:
		return false
	}
	for _, words := range [][]shell.Word{c.Assigns, c.Words, c.In} {
		if slices.ContainsFunc(words, func(w shell.Word) bool { return !r.inside(w) }) {
			return false
		}
	}
	if slices.ContainsFunc(c.Redirects, func(x *shell.Redirect) bool { // "done 2>&1" was not run in the client
		return x.Body.Raw != "" || c.Kind != shell.Simple && x.Descriptor != "" || !r.inside(x.Target)
	}) ||
		slices.ContainsFunc(c.Lists, func(l shell.Script) bool { return !r.list(l) }) {
		return false
	}
	if c.Kind != shell.Simple || len(c.Words) == 0 {
		return true
	}

	if c.Parted > 0 {
		r.add(c.Words[:c.Parted])
	}
	r.add(c.Words)
	if slices.ContainsFunc(c.Words, func(w shell.Word) bool { return w.Raw == "[[" || w.Raw == "]]" }) {
		return false
	}

	switch c.Words[0].Text() { // Qoder finds only the name of these
	case "export", "declare", "typeset", "readonly", "local", "unset", "[":
		return false
	}

	return !strings.Contains(c.Words[0].Raw, "=") // Qoder may read an assignment
}

func (r *commandReader) inside(w shell.Word) bool {
	for _, p := range w.Parts {
		unknown := p.Kind == shell.Process || p.Kind == shell.Expansion || p.Kind == shell.Ansi
		if unknown || p.Kind == shell.Sum && len(p.Scripts) > 0 {
			return false
		}
		if slices.ContainsFunc(p.Scripts, func(s shell.Script) bool { return !r.list(s) }) {
			return false
		}
	}
	return true
}

// add records a command: its name and its words that are neither quoted nor expanded nor numbers.
func (r *commandReader) add(words []shell.Word) {
	name := words[0]
	command := name.Raw
	if len(name.Parts) == 1 { // "rm", 'rm'
		command = name.Text()
	}
	few := command // some of Qoder's rules treat braces as a plain word, others don't
	for _, w := range words[1:] {
		if isPlain(w) && !isNumber(w.Raw) {
			command += " " + w.Raw
			if !strings.Contains(w.Raw, "{") {
				few += " " + w.Raw
			}
		}
	}
	if r.commands = append(r.commands, command); few != command {
		r.commands = append(r.commands, few)
	}
}

func isPlain(w shell.Word) bool {
	return !slices.ContainsFunc(w.Parts, func(p shell.Part) bool {
		return p.Kind != shell.Literal && p.Kind != shell.Escaped || p.Double
	})
}

func isNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

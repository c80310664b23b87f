package matcher

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A Subject is the tool call a rule is asked about.
type Subject struct {
	Names []string // every name the tool goes by

	Shell   bool   // the tool runs Command in a shell
	Command string // the command line
	// PlainWords: a command is also compared without those of its arguments that
	// are quoted, expanded or numbers, so that what they expand to decides nothing,
	// and a line without any command as it is.
	PlainWords bool

	HasPath bool   // the tool works on the file Path
	Path    string // an absolute path

	Value string // other tools: the primary argument, as a URL, a query or a pattern

	// Where patterns of paths start. One that is unknown is empty, and a
	// pattern that needs it matches.
	Project, Home, Cwd string
}

// A Rule is the permission rule of a hook's "if" member: the hook runs for the
// tool calls the rule matches. What the rule cannot decide it matches, so that
// a guard runs once too often and never once too seldom. The zero Rule matches
// everything.
type Rule struct {
	kind ruleKind
	tool string
	spec string // "" for every call of the tool
	cmd  commandPattern
	file pathPattern
}

type ruleKind uint8

const (
	ruleAll ruleKind = iota
	ruleNever
	ruleTool
)

// ParseRule reads a rule as Claude Code does (observed with 2.1.328): "" is no
// filter, "*" matches nothing, "Tool" matches every call of the tool,
// "Tool(spec)" the calls spec describes. Brackets and backslashes in spec may
// be escaped by a backslash. With an error comes a Rule that matches all.
func ParseRule(s string) (Rule, error) {
	s = strings.TrimSpace(s)
	switch s {
	case "":
		return Rule{}, nil
	case "*":
		return Rule{kind: ruleNever}, nil
	}
	tool, rest, hasSpec := strings.Cut(s, "(")
	if tool == "" || strings.ContainsAny(tool, " \t\r\n|&,;)'\"") {
		return Rule{}, fmt.Errorf("rule %q does not start with the name of one tool", s)
	}
	r := Rule{kind: ruleTool, tool: tool}
	if !hasSpec {
		return r, nil
	}
	spec, ok := strings.CutSuffix(rest, ")")
	if !ok {
		return Rule{}, fmt.Errorf("rule %q does not end with a )", s)
	}
	if severalRules(rest) {
		return Rule{}, fmt.Errorf("rule %q is more than one rule; a hook takes one", s)
	}
	spec = strings.TrimSpace(unescapeSpec(spec))
	if spec == "" || spec == "*" {
		return r, nil
	}
	r.spec = spec
	r.cmd = newCommandPattern(spec)
	r.file = newPathPattern(spec)
	return r, nil
}

// severalRules reports whether rest, which follows an opening bracket, closes
// it and goes on with a separator or a further bracket. A bracket too many, as
// in "Bash(echo :))", is text.
func severalRules(rest string) bool {
	depth := 1
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				after := strings.TrimSpace(rest[i+1:])
				return after != "" && strings.ContainsRune("|&,;", rune(after[0])) || strings.Contains(after, "(")
			}
		}
	}
	return false
}

func unescapeSpec(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\(`, `(`, `\)`, `)`, `\\`, `\`).Replace(s)
}

// Match reports whether r matches the call.
//
// The names of tools are compared exactly; "mcp__server" and "mcp__server__*"
// match every tool of the server. How spec is read depends on the call.
//
// A command line is split into its subcommands, those in substitutions and
// subshells included, and spec is compared with each, without leading
// assignments and redirections. In spec "*" is any run of characters, "git *"
// is also the bare "git", and "git:*" is what starts with the word. A command
// that cannot be parsed matches, and so does one with a substitution or a
// variable if spec looks further than the command's name, save for PlainWords. "env git" and
// "bash -c 'git push'" are commands named env and bash.
//
// A path is compared as .gitignore does: "*.ts" at any depth, "src/**" below
// Cwd or Project, "/src/**" below Project, "//tmp/**" below the root of the
// file system, "~/x" below Home; what matches a folder matches its content.
//
// For other tools "domain:host" is the host of the URL in Value, where only
// "*." takes in subdomains; any other spec is compared with Value, with "*".
func (r Rule) Match(s Subject) bool {
	switch {
	case r.kind == ruleAll:
		return true
	case r.kind == ruleNever:
		return false
	case !slices.ContainsFunc(s.Names, r.matchName):
		return false
	case r.spec == "":
		return true
	case s.Shell:
		return r.cmd.match(s.Command, s.PlainWords)
	case s.HasPath:
		return r.file.match(s)
	}
	if domain, ok := strings.CutPrefix(r.spec, "domain:"); ok {
		return wildcard(strings.ToLower(strings.TrimSpace(domain)), host(s.Value))
	}
	return r.cmd.matchText(s.Value)
}

func (r Rule) matchName(name string) bool {
	if r.tool == name {
		return true
	}
	server, ok := strings.CutPrefix(r.tool, "mcp__")
	switch {
	case !ok || server == "":
		return false
	case strings.Contains(server, "*"):
		return wildcard(r.tool, name)
	case strings.Contains(server, "__"):
		return false
	}
	return strings.HasPrefix(name, r.tool+"__")
}

// host returns the host of a URL in lower case, as a browser reads it: a
// backslash is a slash.
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

// A commandPattern is a spec that is compared with text.
type commandPattern struct {
	text   string
	prefix bool // text is what a command starts with, up to a blank
	glob   bool // text has an asterisk
	// beyondName: more than the name of a command decides.
	beyondName bool
}

func newCommandPattern(spec string) commandPattern {
	p := commandPattern{text: spec, glob: strings.Contains(spec, "*")}
	if text, ok := strings.CutSuffix(spec, ":*"); ok && !strings.Contains(text, "*") {
		p = commandPattern{text: strings.TrimSpace(text), prefix: true}
	}
	fixed := p.text
	if p.glob {
		fixed = strings.TrimRight(fixed, "* ")
	}
	p.beyondName = strings.ContainsAny(fixed, "* \t\n")
	return p
}

// matchText reports whether p matches one subcommand or value.
func (p commandPattern) matchText(s string) bool {
	switch {
	case p.prefix:
		rest, ok := strings.CutPrefix(s, p.text)
		return ok && (rest == "" || strings.ContainsRune(" \t\n", rune(rest[0])))
	case !p.glob:
		return s == p.text
	}
	if bare, ok := strings.CutSuffix(p.text, " *"); ok && wildcard(bare, s) {
		return true
	}
	return wildcard(p.text, s)
}

func (p commandPattern) match(line string, plain bool) bool {
	cmds, dynamic, ok := splitCommand(line)
	if !ok || dynamic && p.beyondName && !plain {
		return true
	}
	if !p.glob && !p.prefix && strings.TrimSpace(line) == p.text {
		return true
	}
	for _, c := range cmds {
		if c.anyName || slices.ContainsFunc(c.forms, p.matchText) || plain && p.matchText(c.plain) {
			return true
		}
	}
	return plain && len(cmds) == 0 && p.matchText(strings.TrimSpace(line))
}

// wildcard reports whether s is pattern, in which "*" stands for any run of
// characters and "\*" for an asterisk. Its time is bounded by the product of
// the lengths.
func wildcard(pattern, s string) bool {
	star, resume := -1, 0 // where to go on when the text after the last * fails
	p, i := 0, 0
	for i < len(s) || p < len(pattern) {
		if p < len(pattern) {
			if pattern[p] == '*' {
				star, resume = p, i
				p++
				continue
			}
			q := p
			if strings.HasPrefix(pattern[p:], `\*`) {
				q++
			}
			if i < len(s) && s[i] == pattern[q] {
				p, i = q+1, i+1
				continue
			}
		}
		if star < 0 || resume >= len(s) {
			return false
		}
		resume++
		p, i = star+1, resume
	}
	return true
}

// join is path.Join of a folder and a path that may be absolute.
func join(dir, p string) string {
	if path.IsAbs(p) {
		return path.Clean(p)
	}
	return path.Join(dir, p)
}

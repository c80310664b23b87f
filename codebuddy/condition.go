package codebuddy

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Holds evaluates a condition as CodeBuddy Code 2.117.0 does (package, and observed with some 200 rules): it is "Tool"
// or "Tool(pattern)". A condition of any other form is true of every call, and so is every condition on events without
// a tool. The pattern is compared with the command of a shell, with the path of a file, or else with the first text of
// the input. A pattern that isn't decided is true.
//
// Under another agent, the order of an input's fields and CodeBuddy's parser of commands aren't available. A condition
// then holds for any text, and also for each command that Claude Code's parser finds.
func (d Dialect) Holds(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error) {
	r, err := readRule(h.Condition)
	switch {
	case !c.Event.IsTool() || h.Condition == "":
		return true, nil
	case err != nil:
		return true, err
	case !slices.Contains(v.Target, r.tool):
		return false, nil
	case r.pattern == "":
		return true, nil
	}
	input, err := d.Input(c, v)
	if err != nil {
		return true, nil
	}

	foreign := c.Dialect != d.Data.Agent()
	if r.tool == shellTool || r.tool == powerShell {
		command, _ := input.Text("command")
		if r.takesLine(command) || !foreign {
			return r.takesLine(command), nil
		}
		return origin(d.Agent).Holds(h, c, v, home)
	}

	at := folders{c.Cwd, home}
	texts := textsOf(input)
	if slices.Contains(fileTools, r.tool) {
		file, ok := input.Text("file_path")
		if !ok {
			file, _ = input.Text("path")
		}
		return file != "" && r.takesFile(file, at), nil
	}
	if !foreign {
		texts = texts[:min(len(texts), 1)]
	}
	return len(texts) == 0 || slices.ContainsFunc(texts, func(text string) bool {
		return text == "" || r.takesFile(text, at)
	}), nil
}

// MayHold reports whether a condition can be true of any call in a view. An unreadable condition is true of all.
func (Dialect) MayHold(h *schema.Hook, v schema.View) (bool, error) {
	r, err := readRule(h.Condition)
	return err != nil || slices.Contains(v.Target, r.tool), nil
}

const (
	shellTool  = "Bash"
	powerShell = "PowerShell"
)

// fileTools are the tools whose path is compared.
var fileTools = []string{"Read", "Write", "Edit", "MultiEdit"}

type rule struct{ tool, pattern string }

// readRule parses a condition; the error means that it isn't a rule.
func readRule(condition string) (rule, error) {
	text := strings.TrimSpace(condition)
	end := 0
	for end < len(text) && (text[end] == '_' || text[end]|0x20 >= 'a' && text[end]|0x20 <= 'z' ||
		end > 0 && text[end] >= '0' && text[end] <= '9') {
		end++
	}
	r := rule{tool: text[:end]}
	rest := text[end:]
	if end > 0 && rest == "" {
		return r, nil
	}
	inside, ok := strings.CutPrefix(rest, "(")
	pattern, after, closed := strings.Cut(inside, ")")
	if end == 0 || !ok || !closed || after != "" {
		return rule{}, fmt.Errorf("the condition %q is not the name of a tool with a pattern in brackets", condition)
	}
	r.pattern = strings.TrimSpace(pattern)
	return r, nil
}

// textsOf returns the texts among the fields of an input.
func textsOf(o ordjson.Object) (texts []string) {
	for _, m := range o {
		if text, ok := ordjson.String(m.Value); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// takesLine reports whether a command line, or one of the commands of a line with an operator, matches the pattern.
func (r rule) takesLine(line string) bool {
	if r.takesCommand(line) {
		return true
	}
	joined := slices.ContainsFunc([]string{"&&", "|", ";"}, func(op string) bool { return strings.Contains(line, op) })
	return joined && slices.ContainsFunc(commandsOf(line), r.takesCommand)
}

// takesCommand compares one command. "git push:*" matches commands that begin with these words. A pattern with a star
// is read as by the library picomatch, except that a star crosses slashes. Any other is the command itself.
func (r rule) takesCommand(command string) bool {
	command = strings.TrimSpace(command)
	if start, ok := strings.CutSuffix(r.pattern, ":*"); ok {
		words := strings.Fields(command)
		return len(words) > 0 && words[0] == start || command == start || strings.HasPrefix(command, start+" ")
	}
	if !strings.Contains(r.pattern, "*") {
		return command == r.pattern
	}
	pattern := strings.TrimPrefix(r.pattern, "./")
	return strings.HasPrefix(pattern, "!") || matches(glob(pattern, true), command)
}

// folders are the bases of relative paths and "~"; a pattern that needs an unknown one is true.
type folders struct{ cwd, home string }

// takesFile compares a path as the library minimatch does, ignoring case: a pattern without a slash with the last name,
// any other with the whole path. A pattern is relative to the working folder unless it begins with a slash, a star or a
// dot.
func (r rule) takesFile(file string, at folders) bool {
	file, known := at.absolute(file)
	pattern := r.pattern
	if !strings.HasPrefix(pattern, "*") && !strings.HasPrefix(pattern, ".") {
		whole, ok := at.absolute(pattern)
		pattern, known = whole, known && ok
	}
	if !known {
		return true
	}
	pattern = strings.ReplaceAll(pattern, `\`, "/")
	if !strings.Contains(pattern, "/") {
		file = path.Base(file)
	}
	return matches(glob(pattern, false), file)
}

// absolute returns an absolute path, or a pattern for one; known is false if the base folder isn't known.
func (at folders) absolute(name string) (p string, known bool) {
	from := at.cwd
	rest, ofHome := strings.CutPrefix(name, "~")
	if name = strings.ReplaceAll(name, `\`, "/"); ofHome {
		from, name = at.home, strings.TrimLeft(strings.ReplaceAll(rest, `\`, "/"), "/")
	} else if strings.HasPrefix(name, "/") || len(name) > 2 && name[1] == ':' && name[2] == '/' {
		return "/" + strings.TrimLeft(name, "/"), true
	}
	return path.Join("/", strings.ReplaceAll(from, `\`, "/"), name), from != ""
}

// globs are expressions that ignore case.
var globs = schema.Grammar{Expression: schema.JavaScript, Fold: true}

// matches compares a whole text with an expression. One that can't be compiled matches all.
func matches(expression, text string) bool {
	m, err := matcher.Compile(globs, "^(?:"+expression+")$")
	return err != nil || m.Match(text)
}

// glob returns the expression for a pattern. In a command, a star is any run of characters on a line. In a path, it
// stays within a name and "**" is any run of names. Sets of letters and alternatives in braces are as usual; any other
// braces match any text.
func glob(pattern string, command bool) string {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		begins := !command && (i == 0 || pattern[i-1] == '/')
		expression, size := element(pattern[i:], begins, command)
		b.WriteString(expression)
		i += size
	}
	return b.String()
}

// element returns the expression for the first element of a pattern, and its size; begins means that a name of a path
// begins there.
func element(rest string, begins, command bool) (expression string, size int) {
	switch {
	case begins && strings.HasPrefix(rest, "**/"):
		return `(?:[^/]*/)*`, 3
	case begins && rest == "**":
		return `[^]*`, 2
	case rest[0] == '*' && command:
		return `.*`, 1
	case rest[0] == '*':
		return `[^/]*`, 1
	case rest[0] == '?':
		return `[^/]`, 1
	case rest[0] == '\\' && len(rest) > 1:
		_, size = utf8.DecodeRuneInString(rest[1:])
		return matcher.Escape(rest[1 : 1+size]), 1 + size
	}

	if set, _, closed := strings.Cut(rest[1:], "]"); rest[0] == '[' && closed {
		return oneOf(set, command), len(set) + 2
	}
	if inner, _, closed := strings.Cut(rest[1:], "}"); rest[0] == '{' && closed {
		return anyOf(inner, command), len(inner) + 2
	}
	_, size = utf8.DecodeRuneInString(rest)
	return matcher.Escape(rest[:size]), size
}

// oneOf returns the expression for a set of letters; an exclamation mark negates it only in paths.
func oneOf(set string, command bool) string {
	if strings.ContainsAny(set, `[\`) || strings.Trim(set, "!^") == "" {
		return `.`
	}
	if set[0] == '!' && !command {
		set = "^" + set[1:]
	}
	return "[" + set + "]"
}

// anyOf returns the expression for the content of braces.
func anyOf(inner string, command bool) string {
	if !strings.Contains(inner, ",") || strings.Contains(inner, "{") {
		return `[^]*`
	}
	var parts []string
	for _, part := range strings.Split(inner, ",") {
		parts = append(parts, glob(part, command))
	}
	return "(?:" + strings.Join(parts, "|") + ")"
}

// commandsOf splits a line as the library shell-quote does. Words are joined by one blank without their quotes, and a
// variable is empty. An operator or a word with a star ends a command. Redirection targets and comments are left out.
func commandsOf(line string) (commands []string) {
	var words []string
	end := func() {
		if len(words) > 0 {
			commands = append(commands, strings.Join(words, " "))
		}
		words = nil
	}

	skip := false // leaves out the next token
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimSpace(rest) {
		token, size, kind := tokenOf(rest)
		rest = rest[size:]
		switch {
		case kind == comment:
			rest = ""
		case skip:
			skip = false
		case kind == plainWord:
			words = append(words, token)
		default:
			end()
			skip = kind == operator && strings.Trim(token, "<>&") == "" && strings.ContainsAny(token, "<>")
		}
	}
	end()
	return commands
}

// A tokenKind is the kind of a line's first token.
type tokenKind uint8

const (
	plainWord   tokenKind = iota
	patternWord           // it has an unquoted star or question mark
	operator
	comment
)

// operators, each before its own prefixes.
var operators = []string{"||", "&&", ";;", "|&", "<(", "<<<", ">>", ">&", "<&", "&", ";", "(", ")", "|", "<", ">"}

// tokenOf reads the first token of a line, and its size.
func tokenOf(line string) (token string, size int, kind tokenKind) {
	if line[0] == '#' {
		return "", len(line), comment
	}
	for _, op := range operators {
		if strings.HasPrefix(line, op) {
			return op, len(op), operator
		}
	}
	return wordOf(line)
}

func wordOf(line string) (word string, size int, kind tokenKind) {
	var b strings.Builder
	quote := byte(0)

	for size = 0; size < len(line); size++ {
		ch := line[size]
		switch {
		case quote == 0 && strings.IndexByte(" \t\n&|;()<>", ch) >= 0:
			return b.String(), size, kind
		case quote == 0 && (ch == '\'' || ch == '"'):
			if strings.IndexByte(line[size+1:], ch) < 0 {
				continue // an unclosed quote is left out
			}
			quote = ch
		case quote == ch && ch != 0:
			quote = 0
		case ch == '\\' && quote != '\'' && size+1 < len(line):
			size++
			if quote == '"' && strings.IndexByte("\"\\$", line[size]) < 0 {
				b.WriteByte(ch)
			}
			b.WriteByte(line[size])
		case ch == '$' && quote != '\'':
			if name := variable(line[size+1:]); name > 0 {
				size += name
				continue
			}
			b.WriteByte(ch)
		default:
			if quote == 0 && (ch == '*' || ch == '?') {
				kind = patternWord
			}
			b.WriteByte(ch)
		}
	}
	return b.String(), size, kind
}

// variable returns the length of a variable's name, with its braces, at the beginning of a text.
func variable(text string) (n int) {
	if strings.HasPrefix(text, "{") {
		return strings.IndexByte(text, '}') + 1
	}
	if text != "" && strings.IndexByte("*@#?$!-", text[0]) >= 0 {
		return 1
	}
	for n < len(text) && (text[n] == '_' || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' ||
		text[n] >= '0' && text[n] <= '9') {
		n++
	}
	return n
}

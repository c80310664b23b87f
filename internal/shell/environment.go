package shell

import (
	"slices"
	"strings"
)

// A Setting is a variable that a script sets.
type Setting struct{ Name, Value string }

// A Statement is one that only a shell can follow.
type Statement struct {
	Line int // of the script, from 1
	Text string
}

// Environment reads a script that sets variables, as the shell that sources it
// would: assignments, export, declare -x and unset, with quotes, escapes and
// references to variables that were set before or that get knows. The statements
// that need more than that, such as a command's output, set nothing.
func Environment(script string, get func(name string) string) (set []Setting, left []Statement) {
	script = strings.ReplaceAll(script, "\r\n", "\n")
	e := environment{parser: parser{src: script}, get: get}
	for line, counted := 1, 0; e.gap() && e.pos < len(e.src); {
		start := e.pos
		line, counted = line+strings.Count(script[counted:start], "\n"), start
		if !e.statement() {
			left = append(left, Statement{line, strings.TrimSpace(script[start:e.pos])})
		}
	}
	return e.set, left
}

type environment struct {
	parser
	get func(string) string
	set []Setting
}

// statement reads commands up to the end of a statement and carries them out; false
// if that takes a shell.
func (e *environment) statement() bool {
	for known := true; ; known = false {
		item, ok := e.item()
		if !ok { // what can't be read ends with its line, or with the script if a quote is open
			e.restOfLine()
			return false
		}
		e.blanks()
		switch {
		case e.pos == len(e.src), e.peek() == '\n', e.eat(";"):
		case e.eat("&&"), e.eat("||"), e.eat("|&"), e.eat("|"):
			if e.gap() && e.pos < len(e.src) {
				continue
			}
			return false
		default:
			e.pos++
			return false
		}
		return known && !e.unclosed && len(e.docs) == 0 && item.Negations == 0 && e.run(&item.Command)
	}
}

// run carries out one command, all of it or nothing.
func (e *environment) run(c *Command) bool {
	if c.Kind != Simple || len(c.Redirects) > 0 || len(c.Assigns) > 0 && len(c.Words) > 0 {
		return false
	}
	words, exports := c.Assigns, false
	if len(c.Words) > 0 {
		switch command, rest := c.Words[0].Raw, c.Words[1:]; {
		case command == "unset":
			known := true
			for _, w := range rest {
				e.unset(w.Text())
				known = known && e.get(w.Text()) == "" // what others set can't be taken back
			}
			return known
		case command == "export", command == "declare" && len(rest) > 0 && rest[0].Raw == "-x":
			if exports, words = true, rest; len(rest) > 0 && rest[0].Raw == "-x" {
				words = rest[1:]
			}
		default:
			return false
		}
	}
	var made []Setting
	for _, w := range words {
		seen := made
		if exports { // a shell fills all its words in before it sets one
			seen = nil
		}
		text, ok := e.text(w, seen)
		name, value, assigns := strings.Cut(text, "=")
		switch {
		case !ok || !IsName(name):
			return false
		case assigns:
			made = append(made, Setting{name, value})
		}
	}
	for _, s := range made {
		e.unset(s.Name)
		e.set = append(e.set, s)
	}
	return true
}

// text is what a word stands for; ok is false if that takes a shell.
func (e *environment) text(w Word, made []Setting) (text string, ok bool) {
	var b strings.Builder
	for i, p := range w.Parts {
		switch {
		case p.Kind == Literal && !p.Double && strings.Contains(p.Text, "~"):
			if !e.tildes(&b, p.Text, i+1 < len(w.Parts)) {
				return "", false
			}
		case p.Kind <= Escaped && !p.Unclosed:
			b.WriteString(p.Text)
		case p.Kind == Variable && IsName(p.Text):
			b.WriteString(e.value(p.Text, made))
		default:
			return "", false
		}
	}
	return b.String(), true
}

// tildes writes a text with the user's home folder in the place of each "~" at the
// start of an assigned value or behind a colon in it. It returns false for the home
// of somebody else. more says that the word goes on behind the text.
func (e *environment) tildes(b *strings.Builder, text string, more bool) bool {
	for i := range len(text) {
		before := b.String()
		assigned := strings.IndexByte(before, '=')
		if text[i] != '~' || assigned < 0 || assigned < len(before)-1 && !strings.HasSuffix(before, ":") {
			b.WriteByte(text[i])
			continue
		}
		home, rest := e.value("HOME", nil), text[i+1:]
		if home == "" || rest == "" && more || rest != "" && rest[0] != '/' && rest[0] != ':' {
			return false
		}
		b.WriteString(home)
	}
	return true
}

// value is that of a variable: as this statement, as an earlier one or as nobody
// has set it.
func (e *environment) value(name string, made []Setting) string {
	for _, set := range [][]Setting{made, e.set} {
		for _, s := range slices.Backward(set) {
			if s.Name == name {
				return s.Value
			}
		}
	}
	return e.get(name)
}

func (e *environment) unset(name string) {
	e.set = slices.DeleteFunc(e.set, func(s Setting) bool { return s.Name == name })
}

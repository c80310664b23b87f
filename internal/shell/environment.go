package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A Setting is a variable that a script sets.
type Setting struct{ Name, Value string }

// A Statement is one that only a shell can run.
type Statement struct {
	Line int // of the script, from 1
	Text string
}

// Environment reads a script that sets variables, like the shell that sources it: assignments, export, declare -x and
// unset, with quotes, escapes and references to variables that were set before or that get returns. Statements that
// need more than that, such as a command's output, set nothing. A shell stops at the line of an error: everything from
// there on is one statement.
func Environment(script string, get func(name string) string) (set []Setting, left []Statement) {
	script = strings.NewReplacer("\r\n", "\n", "\x00", "").Replace(script) // shells skip NULs
	t, ok := newTranslator(script)
	if !ok {
		return nil, []Statement{{1, firstLine(script)}}
	}
	f, err := t.read()
	stmts, fault := f.Stmts, len(t.src)
	if err != nil {
		stmts, fault = t.beforeFault(stmts)
	}

	e := environment{get: get}
	line, counted, end := 1, 0, 0
	leave := func(start int, text string) {
		line, counted = line+strings.Count(t.src[counted:start], "\n"), start
		left = append(left, Statement{line, strings.TrimSpace(t.text(text))})
	}
	for _, st := range stmts {
		start, from := t.at(st.Pos()), end
		end = max(start, t.at(st.End()))
		if !e.statement(t, st, t.src[from:end]) {
			leave(start, t.src[start:end])
		}
	}
	if err != nil {
		leave(fault, firstLine(t.src[fault:]))
	}
	return e.set, left
}

// beforeFault returns the statements on the lines before the unreadable one, and where that begins.
func (w written) beforeFault(stmts []*syntax.Stmt) (before []*syntax.Stmt, fault int) {
	if n := len(stmts); n > 0 {
		fault = w.at(stmts[n-1].End())
	}
	fault = len(w.src) - len(strings.TrimLeft(w.src[fault:], "; \t\n"))
	for n := len(stmts); n > 0; n-- {
		end := min(w.at(stmts[n-1].End()), fault)
		if strings.Contains(w.src[end:fault], "\n") {
			return stmts[:n], fault
		}
		fault = w.at(stmts[n-1].Pos())
	}
	return nil, fault
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

type environment struct {
	get func(string) string
	set []Setting
}

// statement runs a statement of a source; false if that needs a shell.
func (e *environment) statement(t *translator, st *syntax.Stmt, src string) bool {
	one := translator{written: t.written}
	s := one.list([]*syntax.Stmt{st})
	plain := one.understood(src) && len(one.docs) == 0 && len(s.Items) == 1
	return plain && s.Items[0].Negations == 0 && s.Items[0].Op != "&" && e.run(&s.Items[0].Command)
}

// run runs one command, all of it or nothing.
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
				known = known && e.get(w.Text()) == "" // variables set elsewhere can't be reverted
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
		if exports { // a shell expands all its words before it sets one
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

// text returns the value of a word; ok is false if that needs a shell.
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

// tildes writes a text with the user's home folder for each "~" at the start of an assigned value or after a colon in
// it. It returns false for another user's home. more means that the word continues after the text.
func (e *environment) tildes(b *strings.Builder, text string, more bool) bool {
	for i := range len(text) {
		before := b.String()
		assigned := strings.IndexByte(before, '=')
		if text[i] != '~' || assigned < 0 || assigned < len(before)-1 && !strings.HasSuffix(before, ":") {
			b.WriteByte(text[i])
			continue
		}
		home, rest := e.value("HOME", nil), text[i+1:]
		isUser := rest != "" && rest[0] != '/' && rest[0] != ':'
		if home == "" || isUser || rest == "" && more {
			return false
		}
		b.WriteString(home)
	}
	return true
}

// value returns a variable's value: as set by this statement, by an earlier one, or before the script.
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

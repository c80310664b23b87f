package scriptread

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/shell"
)

// A script is one of a shell that is read.
type script struct {
	c      *collector
	src    string
	from   int // where in src what is read now begins, for its line
	line   int
	vars   map[string][]string // fields by the variable that holds them
	groups map[string]int      // of the fields that one variable may hold
	depth  int
	left   int // commands and searches that may still follow: one may be looked at several times
}

// maxSteps bounds the work for a script, and maxVars the variables that are followed.
const (
	maxSteps = 20000
	maxVars  = 200
)

// spend reports whether more may be looked at.
func (s *script) spend() bool {
	s.left--
	return s.left > 0
}

// set remembers what a variable holds.
func (s *script) set(name string, at []string) {
	if delete(s.vars, name); at != nil && len(s.vars) < maxVars {
		s.vars[name] = at
	}
}

func (c *collector) shell(text string) bool {
	tree, ok := shell.Parse(text)
	if !ok || tree.Unclosed {
		return false
	}
	s := &script{c: c, src: text, line: 1, left: maxSteps, vars: map[string][]string{}, groups: map[string]int{}}
	s.list(tree, []string{})
	return true
}

// place moves to where a text stands, if it stands further on.
func (s *script) place(text string) int {
	if s.left -= len(s.src) / 2000; s.left < 0 {
		return s.line
	}
	if i := strings.Index(s.src[s.from:], text); i >= 0 && text != "" {
		s.line += strings.Count(s.src[s.from:s.from+i], "\n")
		s.from += i
	}
	return s.line
}

// list reads commands whose standard input is the field in, and returns what the last of them prints.
func (s *script) list(list shell.Script, in []string) (out []string) {
	if s.depth++; s.depth > maxDepth {
		return nil
	}
	defer func() { s.depth-- }()
	piped := in
	for i := range list.Items {
		item := &list.Items[i]
		out = s.command(&item.Command, piped)
		piped = in
		if item.Op == "|" || item.Op == "|&" {
			piped = out
		}
	}
	return out
}

func (s *script) command(c *shell.Command, in []string) []string {
	if !s.spend() {
		return nil
	}

	in = s.redirected(c, in)
	for i := range c.Assigns {
		s.assign(&c.Assigns[i], in)
	}

	if c.Kind == shell.Function {
		defer func(was map[string][]string) { s.vars = was }(s.vars)
		s.vars = maps(s.vars)
	}

	declares := c.Kind == shell.Simple && len(c.Words) > 0 && slices.Contains(declarers, c.Words[0].Text())
	for _, words := range [][]shell.Word{c.Words, c.In} {
		for i := range words {
			if declares { // its assignments are read below
				break
			}
			s.outputs(&words[i], in)
		}
	}

	for _, l := range c.Lists {
		s.list(l, in)
	}

	switch c.Kind {
	case shell.Simple:
		return s.simple(c.Words, in)
	case shell.Test:
		s.tested(c.Words)
	case shell.Case:
		if at := s.held(c.Words); at != nil {
			for i := range c.In {
				for _, text := range strings.Split(c.In[i].Text(), "|") {
					s.c.word(at, text, s.place(c.In[i].Raw))
				}
			}
		}
	}

	return nil
}

func maps(m map[string][]string) map[string][]string {
	own := map[string][]string{}
	for k, v := range m {
		own[k] = v
	}
	return own
}

// redirected is the standard input of a command.
func (s *script) redirected(c *shell.Command, in []string) []string {
	for _, r := range c.Redirects {
		switch {
		case r.Descriptor != "" && r.Descriptor != "0":
		case r.Op == "<<<":
			in = s.value(&r.Target, in)
		case r.Op == "<" && r.Target.Text() == "/dev/stdin":
		case strings.HasPrefix(r.Op, "<"):
			in = nil
		}
	}
	return in
}

// value is the field that a word stands for, nil if it is another text.
func (s *script) value(w *shell.Word, in []string) []string {
	parts := filled(w.Parts)
	if len(parts) != 1 {
		return nil
	}
	switch p := &parts[0]; p.Kind {
	case shell.Variable:
		return s.vars[p.Text]
	case shell.Output:
		if len(p.Scripts) == 1 {
			if inner := p.Scripts[0]; len(inner.Items) == 1 && len(inner.Items[0].Command.Words) == 0 &&
				len(inner.Items[0].Command.Redirects) == 1 { // $(</dev/stdin)
				if r := inner.Items[0].Command.Redirects[0]; r.Op == "<" && r.Target.Text() == "/dev/stdin" {
					return in
				}
				return nil
			}
			return s.list(p.Scripts[0], in)
		}
	case shell.Expansion: // ${NAME:-default}
		name, _, _ := strings.Cut(strings.TrimPrefix(p.Text, "${"), ":-")
		if shell.IsName(name) {
			return s.vars[name]
		}
	}
	return nil
}

// filled are the parts of a word that have a text.
func filled(parts []shell.Part) []shell.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p shell.Part) bool {
		return p.Kind == shell.Literal && p.Text == ""
	})
}

// outputs reads the commands within a word.
func (s *script) outputs(w *shell.Word, in []string) {
	for i := range w.Parts {
		for _, l := range w.Parts[i].Scripts {
			s.list(l, in)
		}
	}
}

// assign reads NAME=value. All fields that one variable gets stand in for each other.
func (s *script) assign(w *shell.Word, in []string) {
	if len(w.Parts) == 0 {
		return
	}
	name, rest, ok := strings.Cut(w.Parts[0].Text, "=")
	if !ok || !shell.IsName(name) || w.Parts[0].Kind != shell.Literal {
		s.outputs(w, in)
		return
	}
	value := shell.Word{Raw: w.Raw, Parts: filled(w.Parts[1:])}
	if rest != "" || len(value.Parts) != 1 {
		s.outputs(w, in)
		delete(s.vars, name)
		return
	}
	if s.groups[name] == 0 {
		s.groups[name] = s.c.group()
	}
	was := s.c.line
	s.c.line = -s.groups[name]
	at := s.value(&value, in)
	s.c.line = was
	s.set(name, at)
}

// declarers are commands whose arguments assign variables.
var declarers = []string{"local", "export", "declare", "readonly", "typeset"}

// simple reads a program's call, and returns the field that it prints, nil if it prints something else.
func (s *script) simple(words []shell.Word, in []string) []string {
	for len(words) > 0 {
		switch words[0].Text() {
		case "timeout", "command", "exec":
			skip := 1
			if words[0].Text() == "timeout" {
				skip = 2
			}
			if len(words) > skip && !strings.HasPrefix(words[1].Text(), "-") {
				words = words[skip:]
				continue
			}
		}
		break
	}

	if len(words) == 0 {
		return nil
	}

	args := words[1:]
	switch name := words[0].Text(); {
	case !words[0].Fixed():
	case slices.Contains(declarers, name):
		for i := range args {
			if strings.Contains(args[i].Raw, "=") {
				s.assign(&args[i], in)
			}
		}
	case name == "cat":
		if len(args) == 0 || len(args) == 1 && (args[0].Text() == "-" || args[0].Text() == "/dev/stdin") {
			return in
		}
	case name == "tee":
		return in
	case name == "read":
		s.read(args, in)
	case name == "echo" || name == "printf":
		for len(args) > 1 && args[0].Fixed() {
			args = args[1:]
		}
		if len(args) == 1 {
			return s.value(&args[0], in)
		}
	case name == "[" || name == "test":
		s.tested(args)
	case name == "exit" && len(args) == 1:
		if n, err := strconv.Atoi(args[0].Text()); err == nil {
			s.c.exit(n, s.place("exit "+args[0].Raw))
		}
	case name == "jq" || strings.HasSuffix(name, "/jq"):
		return s.jq(args, in)
	case name == "python3" || name == "python":
		s.embedded(Python, args, "-c", in)
	case name == "node":
		s.embedded(JavaScript, args, "-e", in)
	}

	return nil
}

// read is the builtin, which reads a line or, until a NUL, all of the input.
func (s *script) read(args []shell.Word, in []string) {
	for i, a := range args {
		if text := a.Text(); shell.IsName(text) && (i == 0 || args[i-1].Text() != "-d" && args[i-1].Text() != "-t") {
			if i < len(args)-1 { // the last one has the rest of the line
				s.set(text, nil)
			} else {
				s.set(text, in)
			}
		}
	}
}

// held is the field that a subject holds.
func (s *script) held(words []shell.Word) []string {
	if len(words) != 1 {
		return nil
	}
	return s.value(&words[0], nil)
}

// tested finds the texts that a variable is compared with.
func (s *script) tested(words []shell.Word) {
	for i := range words {
		at := []string(nil)
		if parts := filled(words[i].Parts); len(parts) == 1 && parts[0].Kind == shell.Variable {
			at = s.value(&words[i], nil)
		}
		if at == nil {
			continue
		}
		for j := i + 1; j < len(words) && j < i+3; j++ {
			text := words[j].Text()
			if words[j].Fixed() && !slices.Contains([]string{"=", "==", "!=", "]"}, text) {
				s.c.word(at, text, s.place(words[j].Raw))
				break
			}
		}
	}
}

// jqTakes are the options of jq with arguments, and how many each has.
var jqTakes = []struct {
	option string
	args   int
}{{"--arg", 2}, {"--argjson", 2}, {"--slurpfile", 2}, {"--rawfile", 2}, {"--indent", 1}, {"-L", 1}}

func (s *script) jq(args []shell.Word, in []string) []string {
	for i := 0; i < len(args); i++ {
		text := args[i].Text()
		if !strings.HasPrefix(text, "-") {
			if !args[i].Fixed() || len(args) > i+1 && !s.options(args[i+1:]) {
				return nil
			}
			group, line := 0, s.place(args[i].Raw)
			if s.c.line < 0 { // for a variable
				group = -s.c.line
			}
			out := s.c.jq(text, in, line, group)
			return out
		}
		short := !strings.HasPrefix(text, "--")
		switch {
		case text == "--null-input" || text == "--slurp" || text == "--from-file" || text == "--raw-input" ||
			text == "--args" || text == "--jsonargs":
			return nil
		case short && strings.ContainsAny(text, "nsfR"):
			return nil
		}
		for _, takes := range jqTakes {
			if text == takes.option {
				i += takes.args
			}
		}
	}

	return nil
}

// options reports whether words behind the filter are options without arguments, and no files.
func (s *script) options(args []shell.Word) bool {
	return !slices.ContainsFunc(args, func(w shell.Word) bool {
		text := w.Text()
		return !strings.HasPrefix(text, "-") || text == "-n" || text == "-s" || strings.HasPrefix(text, "--arg")
	})
}

// embedded reads a program that an argument is.
func (s *script) embedded(lang Language, args []shell.Word, option string, in []string) {
	if in == nil || len(args) < 2 || args[0].Text() != option || len(args[1].Parts) != 1 || !args[1].Fixed() {
		return
	}
	line := s.place(args[1].Raw)
	s.c.program(lang, args[1].Text(), in, line)
}

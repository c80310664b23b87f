package scriptread

import (
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/shell"
)

// A script is a shell script.
type script struct {
	*collector
	vars   variables
	groups map[string]int // of the fields that one variable may hold

	apart    int             // subshells around the command, which exit instead of the script
	function string          // the function around the command, or ""
	exitsIn  map[int]string  // functions, by the index of an exit
	called   map[string]bool // functions that the script itself runs
}

// An argument is a word and the field that it contains, nil if it is another text.
type argument struct {
	shell.Word
	at []string
}

func (c *collector) shell(text string) bool {
	tree, ok := shell.Parse(text)
	if !ok || tree.Unclosed {
		return false
	}
	s := &script{collector: c, vars: variables{}, groups: map[string]int{}, exitsIn: map[int]string{},
		called: map[string]bool{"": true}}
	s.list(tree, []string{})

	var exits []Exit
	for i, e := range c.Exits {
		if s.called[s.exitsIn[i]] {
			exits = append(exits, e)
		}
	}
	c.Exits = exits
	return true
}

// list reads commands whose standard input is the field in, and returns what the last of them prints.
func (s *script) list(list shell.Script, in []string) (out []string) {
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
	s.starved(c)
	in = s.redirected(c, in)
	for _, w := range c.Assigns {
		s.assign(w, in)
	}

	var args []argument
	for _, w := range c.Words {
		if c.Kind == shell.Simple && shell.IsAssignment(w.Raw) { // of local, export, env
			s.assign(w, in)
			continue
		}
		args = append(args, argument{w, s.value(w.Parts, in)})
	}

	for _, w := range c.In {
		s.value(w.Parts, in)
	}
	outer, apart := s.function, s.apart
	switch c.Kind {
	case shell.Function:
		s.function = c.Name
	case shell.Subshell:
		s.apart++
	}
	for _, l := range c.Lists {
		s.list(l, in)
	}
	s.function, s.apart = outer, apart

	switch {
	case c.Kind == shell.Simple && len(args) == 0 && len(c.Redirects) > 0: // $(</dev/stdin)
		return in
	case c.Kind == shell.Simple:
		return s.simple(args, in)
	case c.Kind == shell.Test:
		s.tested(args)
	case c.Kind == shell.Case && len(args) == 1:
		for _, pattern := range c.In {
			for _, text := range strings.Split(pattern.Text(), "|") {
				s.word(args[0].at, text, pattern.Line)
			}
		}
	}
	return nil
}

// starved looks for a program that reads its input from stdin, although stdin has the program's text.
func (s *script) starved(c *shell.Command) {
	if c.Kind != shell.Simple || len(c.Words) == 0 {
		return
	}
	for _, w := range c.Words[1:] {
		if text := w.Text(); text != "-" && text != "-s" && text != "-u" {
			return
		}
	}
	for _, r := range c.Redirects {
		if strings.HasPrefix(r.Op, "<<") && r.Op != "<<<" && (r.Descriptor == "" || r.Descriptor == "0") {
			program := "#!" + c.Words[0].Text() + "\n" + r.Body.Text()
			if inner, ok := Read("", program); ok && len(inner.Fields) > 0 {
				s.Starved = append(s.Starved, c.Words[0].Line)
			}
		}
	}
}

// redirected returns the standard input of a command.
func (s *script) redirected(c *shell.Command, in []string) []string {
	for _, r := range c.Redirects {
		switch {
		case r.Descriptor != "" && r.Descriptor != "0":
		case r.Op == "<<<":
			in = s.value(r.Target.Parts, in)
		case strings.HasPrefix(r.Op, "<") && r.Target.Text() != "/dev/stdin":
			in = nil
		}
	}
	return in
}

// value returns the field that the parts of a word contain, nil if they are another text.
func (s *script) value(parts []shell.Part, in []string) (at []string) {
	filled := 0
	for i := range parts {
		p := &parts[i]
		if p.Kind == shell.Literal && p.Text == "" {
			continue
		}
		filled++
		at = nil
		s.apart++
		for _, l := range p.Scripts {
			at = s.list(l, in)
		}
		s.apart--
		switch p.Kind {
		case shell.Variable:
			at = s.vars[p.Text]
		case shell.Expansion: // ${NAME:-default}
			name, _, _ := strings.Cut(strings.TrimPrefix(p.Text, "${"), ":-")
			at = s.vars[name]
		}
	}
	if filled != 1 {
		return nil
	}
	return at
}

// assign reads NAME=value. All fields that are assigned to one variable are alternatives.
func (s *script) assign(w shell.Word, in []string) {
	name, rest, ok := strings.Cut(w.Parts[0].Text, "=")
	if !ok || !shell.IsName(name) {
		s.value(w.Parts, in)
		return
	}

	first := len(s.Fields)
	at := s.value(w.Parts[1:], in)
	if s.groups[name] == 0 {
		s.group++
		s.groups[name] = s.group
	}
	for i := range s.Fields[first:] {
		s.Fields[first+i].Group = s.groups[name]
	}
	if rest != "" {
		at = nil
	}
	s.vars.set(name, at)
}

// simple reads a program's call, and returns the field that it prints, nil if it prints something else.
func (s *script) simple(args []argument, in []string) []string {
	if len(args) == 0 {
		return nil
	}

	last := args[len(args)-1]
	if name := args[0].Text(); s.apart == 0 && name != s.function {
		s.called[name] = true
	}
	switch path.Base(args[0].Text()) {
	case "timeout":
		return s.simple(args[min(len(args), 2):], in)
	case "command", "exec":
		return s.simple(args[1:], in)
	case "tee":
		return in
	case "cat":
		if len(args) == 1 || last.Text() == "-" || last.Text() == "/dev/stdin" {
			return in
		}
	case "read": // the last variable gets the rest of the line
		s.vars.set(last.Text(), in)
	case "echo", "printf":
		if !slices.ContainsFunc(args[:len(args)-1], func(a argument) bool { return !a.Fixed() }) {
			return last.at
		}
	case "trap":
		for _, a := range args[1:] {
			s.called[a.Text()] = true
		}
	case "[", "test":
		s.tested(args[1:])
	case "exit":
		if s.apart == 0 {
			s.exitsIn[len(s.Exits)] = s.function
			s.exit(last.Text(), last.Line)
		}
	case "jq":
		return s.jq(args[1:], in)
	case "python", "python3", "node": // with a program as an argument
		if option := args[min(1, len(args)-1)].Text(); in != nil && len(args) > 2 && args[2].Fixed() &&
			(option == "-c" || option == "-e") {
			s.program(LanguageOf("", "#!"+args[0].Text()), args[2].Text(), in, args[2].Line)
		}
	}
	return nil
}

// tested finds the texts that a variable is compared with.
func (s *script) tested(words []argument) {
	for i := range words {
		rest := words[i+1:]
		if len(rest) > 0 && slices.Contains([]string{"=", "==", "!="}, rest[0].Text()) {
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0].Fixed() {
			s.word(words[i].at, rest[0].Text(), rest[0].Line)
		}
	}
}

// jqElse are options of jq with which it reads other things than the documents of its input.
var jqElse = []string{"--null-input", "--slurp", "--from-file", "--raw-input", "--args", "--jsonargs"}

func (s *script) jq(args []argument, in []string) []string {
	var words []argument // the filter and files
	for i := 0; i < len(args); i++ {
		option := args[i].Text()
		short := strings.HasPrefix(option, "-") && !strings.HasPrefix(option, "--")
		switch {
		case option == "--arg" || option == "--argjson" || option == "--slurpfile" || option == "--rawfile":
			i += 2
		case option == "--indent" || option == "-L":
			i++
		case short && strings.ContainsAny(option, "nsfR") || slices.Contains(jqElse, option):
			return nil
		case !strings.HasPrefix(option, "-"):
			words = append(words, args[i])
		}
	}

	if len(words) != 1 || !words[0].Fixed() {
		return nil
	}
	return s.filter(words[0].Text(), in, words[0].Line)
}

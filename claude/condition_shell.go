package claude

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/internal/wildcard"
)

// commandHolds compares a command line with a pattern as Claude Code does (observed 2.1.328). Each simple command of
// the line is compared without assignments, redirections and quotes. Claude Code parses only a small part of the
// shell's language, and any other line matches every pattern. So this reads only the forms that were run in the client.
func commandHolds(line string, pattern wildcard.Command) bool {
	w, ok := commandsOf(line, pattern)
	return !ok || slices.ContainsFunc(w.commands, func(words []string) bool {
		return pattern.Match(strings.Join(words, " ")) ||
			words[0] == "xargs" && len(words) > 1 && pattern.Match(strings.Join(words[1:], " "))
	})
}

// commandsOf reads the simple commands of a line. ok is false if Claude Code doesn't parse it, or if nothing in it is
// decided for the pattern.
func commandsOf(line string, pattern wildcard.Command) (w commandReader, ok bool) {
	if !plainLine(line) || oddComment(line) {
		return w, false
	}
	script, ok := shell.Parse(line)
	if !ok {
		return w, false
	}

	w.line = line
	if len(script.Items) == 1 {
		w.only = &script.Items[0].Command
	}
	if !w.list(script, atTop) {
		return w, false
	}
	// With a variable or a command's output, only a pattern for another command's name is decided.
	_, named := pattern.Name()
	return w, named || !w.open
}

// plainLine reports whether a line contains nothing that Claude Code rejects before it parses. It rejects control
// characters and blanks that aren't ASCII, a backslash before a blank and a line break after a backslash within a word.
func plainLine(line string) bool {
	if !utf8.ValidString(line) || strings.Contains(line, "~[") {
		return false
	}
	before := '\\'
	for i, c := range line {
		switch {
		case c == '\t', c == '\n', c == ' ':
			if before == '\\' && i > 0 && c != '\n' {
				return false
			}
		case c == '\u200b', c == '\ufeff', unicode.IsSpace(c), unicode.IsControl(c):
			return false
		case c == '\\' && strings.HasPrefix(line[i+1:], "\n") && before != ' ' && before != '\t':
			return false
		}
		before = c
	}
	return true
}

// oddComment reports whether a comment may begin where Claude Code doesn't look for one: after an operator or a keyword
// that requires a command.
func oddComment(line string) bool {
	for i := range len(line) {
		if line[i] != '#' || i == 0 || strings.IndexByte(" \t\n", line[i-1]) < 0 {
			continue
		}
		before := strings.TrimRight(line[:i], " \t\n")
		switch word := before[strings.LastIndexAny(before, " \t\n;&|()")+1:]; word {
		case "":
			if before != "" && before[len(before)-1] != ';' && before[len(before)-1] != ')' {
				return true
			}
		case "!", "if", "then", "elif", "else", "while", "until", "do", "for", "in":
			return true
		}
	}
	return false
}

// A place is where a list of commands is.
type place uint8

const (
	atTop    place = iota
	inBody         // of if, while, for
	inParens       // of a subshell, or in the output assigned to a variable
	inOutput       // in the output that is part of a word
)

// A commandReader collects the simple commands of a line. A method returns false if it isn't known that Claude Code
// parses its argument.
type commandReader struct {
	line     string
	only     *shell.Command // the only command of the line
	commands [][]string     // the words of each
	open     bool           // a word depends on a variable or a command's output
}

func (w *commandReader) list(s shell.Script, at place) bool {
	if at == inOutput && (len(s.Items) != 1 || s.Items[0].Negations > 0 || s.Items[0].Command.Kind != shell.Simple) {
		return false
	}
	for i := range s.Items {
		item := &s.Items[i]
		joined := i > 0 && joins(s.Items[i-1].Op)
		if hasDocument(&item.Command) && (at != atTop || item.Negations > 0 || joined) {
			return false
		}
		endsBody := at == inBody && item.Op == "&"
		endsParens := at == inParens && (item.Op == "&" || item.Op == ";")
		if endsBody || endsParens {
			return false
		}
		if !w.command(&item.Command, at) {
			return false
		}
	}
	return true
}

// joins reports whether an operator combines two commands into one.
func joins(op string) bool { return op == "&&" || op[0] == '|' }

func hasDocument(c *shell.Command) bool {
	return slices.ContainsFunc(c.Redirects, func(r *shell.Redirect) bool { return r.Op == "<<" || r.Op == "<<-" })
}

func (w *commandReader) command(c *shell.Command, at place) bool {
	if c.Kind == shell.Simple {
		return w.simple(c, at)
	}
	if len(c.Redirects) > 0 {
		return false
	}
	inside := inBody
	switch c.Kind {
	case shell.Subshell:
		if inside = inParens; at == inParens {
			return false
		}
	case shell.For:
		if c.Name == "" { // for ((…))
			return false
		}
		if slices.ContainsFunc(c.In, func(word shell.Word) bool { return !w.listed(word) }) {
			return false
		}
	case shell.If, shell.Loop:
	default:
		return false
	}
	return !slices.ContainsFunc(c.Lists, func(l shell.Script) bool { return !w.list(l, inside) })
}

func (w *commandReader) listed(word shell.Word) bool {
	if len(word.Parts) == 1 && word.Parts[0].Kind == shell.Output && !word.Parts[0].Double {
		return w.output(word.Parts[0])
	}
	return w.fixed(word, true)
}

func (w *commandReader) simple(c *shell.Command, at place) bool {
	if c.Parted != 0 || at == inOutput && len(c.Redirects)+len(c.Assigns) > 0 ||
		slices.ContainsFunc(c.Assigns, func(a shell.Word) bool { return !w.assignment(a) }) {
		return false
	}

	for i, r := range c.Redirects {
		if r.Assigns < len(c.Assigns) || !w.redirect(r, i == len(c.Redirects)-1) {
			return false
		}
	}
	if len(c.Words) == 0 {
		return len(c.Assigns) < 2
	}

	name := c.Words[0]
	if !w.fixed(name, false) || name.Raw == "!" || strings.HasPrefix(name.Raw, "[") {
		return false
	}
	if name.Parts[0].Kind == shell.Literal && strings.ContainsAny(name.Parts[0].Text, "{}") {
		return false
	}

	switch text(name) { // Claude Code has special rules for their arguments
	case "[", "export", "declare", "typeset", "local", "readonly", "unset":
		return false
	}
	if slices.ContainsFunc(c.Words[1:], func(word shell.Word) bool {
		return !w.fixed(word, true) && !w.opened(c, word, at)
	}) {
		return false
	}
	w.add(c.Words)
	return true
}

func (w *commandReader) assignment(word shell.Word) bool {
	if len(word.Parts) == 0 || word.Parts[0].Kind != shell.Literal {
		return false
	}
	name := shell.Name(word.Raw)
	head, value, ok := strings.Cut(word.Parts[0].Text, "=")
	if !ok || name == "IFS" || strings.TrimSuffix(head, "+") != name {
		return false
	}
	if slices.ContainsFunc(word.Parts, func(p shell.Part) bool {
		return p.Kind == shell.Literal && !p.Double && strings.ContainsAny(p.Text, "{}~")
	}) {
		return false
	}
	if len(word.Parts) == 2 && value == "" && word.Parts[1].Kind == shell.Output && !word.Parts[1].Double {
		return w.list(word.Parts[1].Scripts[0], inParens)
	}
	return !strings.HasPrefix(value, "=") && w.fixed(word, true)
}

// add records a command.
func (w *commandReader) add(words []shell.Word) {
	texts := make([]string, len(words))
	for i, word := range words {
		texts[i] = text(word)
	}
	w.commands = append(w.commands, texts)
}

// text returns a word without quotes. If a single quote is never closed, Claude Code treats the last character as the
// closing one.
func text(word shell.Word) string {
	if n := len(word.Parts); n > 0 && word.Parts[n-1].Unclosed {
		t := word.Text()
		_, size := utf8.DecodeLastRuneInString(word.Parts[n-1].Text)
		return t[:len(t)-size]
	}
	return word.Text()
}

// plainCommands are commands whose words may depend on a variable or a command's output. For commands that run others,
// and some that read variables, Claude Code then decides nothing; none of these is such a command, as observed.
const plainCommands = `
 ansible apt apt-get aws az base64 basename batch brew cargo cat chmod chown cmp code comm cp crontab curl cut
 date dd df diff dirname disown docker dotnet du echo emacs eslint false fd file fold g++ gcc gcloud gdb gh git
 go gradle grep gunzip gzip head helm hexdump history hostname id java jest join journalctl jq kill kubectl less
 ln ls make man md5sum mise mkdir mkfifo mktemp mount mv mvn mysql nano nc nl npm npx od open osascript paste
 ping pip pipenv pnpm poetry popd printenv ps psql pushd pwd pytest readlink realpath redis-cli rg rm rmdir rsync
 rtx rustc rustup scp sed seq service sftp sha256sum sleep sort split sqlite3 ssh stat strings suspend systemctl
 tail tar tee telnet terraform times torsocks touch tr tree true tsc type ulimit umask umount uname uniq unzip uv
 vim wc wget which whoami xvfb-run xxd yarn yes yum zip`

// opened reads a word with a variable or a command's output, in the line's only command or in output that is part of
// its words.
func (w *commandReader) opened(c *shell.Command, word shell.Word, at place) bool {
	if at != inOutput && c != w.only || strings.Contains(w.line, "HOME") {
		return false
	}
	bare := c.Words[0].Bare() && len(c.Redirects)+len(c.Assigns) == 0
	if !bare || !slices.Contains(strings.Fields(plainCommands), text(c.Words[0])) {
		return false
	}

	w.open = true
	for _, other := range c.Words { // single quotes, escapes and sums are then undecided
		for _, p := range other.Parts {
			if p.Kind == shell.Quoted || p.Kind == shell.Escaped && !p.Double || p.Kind == shell.Sum {
				return false
			}
		}
	}
	if word.Fixed() || strings.HasPrefix(word.Raw, "=") {
		return false
	}
	if len(word.Parts) == 1 && word.Parts[0].Kind == shell.Variable {
		return !word.Parts[0].Braces && !word.Parts[0].Double
	}

	for _, p := range word.Parts {
		if p.Kind == shell.Output {
			if !w.output(p) {
				return false
			}
		} else if p.Kind > shell.Escaped || p.Kind == shell.Literal && strings.Contains(p.Text, "$") {
			return false
		}
	}

	return w.braces(word)
}

func (w *commandReader) output(p shell.Part) bool {
	unproven := strings.ContainsAny(p.Text, `\#`) || strings.Contains(p.Text, "HOME") || p.Double &&
		strings.Contains(p.Text, "'")
	return !unproven && w.list(p.Scripts[0], inOutput)
}

// fixed reads a word that depends on nothing except, if home is set, the home folder and arithmetic on numbers.
func (w *commandReader) fixed(word shell.Word, home bool) bool {
	for _, p := range word.Parts {
		switch p.Kind {
		case shell.Literal:
			if !p.Double && strings.Contains(p.Text, "$") {
				return false
			}
		case shell.Quoted, shell.Escaped:
		case shell.Sum:
			if !home || p.Double || strings.Trim(p.Text, "$()0123456789 +-*/%<>=!&|^~,") != "" {
				return false
			}
		case shell.Variable:
			bareBraces := p.Braces && !p.Double
			if !home || p.Text != "HOME" || bareBraces || w.mentions("HOME") {
				return false
			}
		default:
			return false
		}
	}
	return !strings.HasPrefix(word.Raw, "=") && w.braces(word)
}

// mentions reports whether the line has a variable's name other than after a dollar sign, for example where it is set.
func (w *commandReader) mentions(name string) bool {
	return strings.Contains(strings.NewReplacer("$"+name, "", "${"+name+"}", "").Replace(w.line), name)
}

// braces reports whether no brace of a word can be expanded.
func (w *commandReader) braces(word shell.Word) bool {
	for _, p := range word.Parts {
		if p.Kind != shell.Literal || p.Double || !strings.Contains(p.Text, "{") {
			continue
		}
		if word.Raw == "{" && !strings.ContainsAny(w.line, `'"`) {
			continue // Claude Code looks for quotes between the braces of a line
		}
		if len(word.Parts) > 1 || strings.Count(p.Text, "{") != strings.Count(p.Text, "}") ||
			strings.Contains(p.Text, ",") || strings.Contains(p.Text, "..") {
			return false
		}
	}
	return true
}

func isBareLiteral(p shell.Part) bool { return p.Kind == shell.Literal && !p.Double }

func (w *commandReader) redirect(r *shell.Redirect, last bool) bool {
	target := r.Target
	switch {
	case strings.Trim(r.Descriptor, "0123456789") != "", r.Op == "<>", target.Raw == "-":
		return false
	case r.Op == "<<" || r.Op == "<<-": // only with a quoted end, and as the last of its line
		parts := target.Parts
		quoted := len(parts) == 1 && target.Fixed() && !target.Bare()
		escaped := len(parts) == 2 && parts[0].Kind == shell.Escaped && isBareLiteral(parts[1])
		return (quoted || escaped) && last && !r.Late
	}
	return w.fixed(target, true) && !slices.ContainsFunc(target.Parts, func(p shell.Part) bool {
		return p.Kind == shell.Sum || p.Kind == shell.Variable && (!p.Double || r.Op == "<<<")
	})
}

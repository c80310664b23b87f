// Package shell reads and writes POSIX and bash command lines. It knows no
// agent: [Parse] yields what a line says, and its callers decide what that
// means to them.
package shell

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/internal/ascii"
)

// A Script is a list of commands.
type Script struct {
	Items []Item
	// Unclosed means that the line ends within a single-quoted text or a
	// compound command. Shells wait for more there; some agents take it as it is.
	Unclosed bool
}

// An Item is one command of a list and the operator behind it, "" at the end of
// the line and "\n" at the end of one of its lines.
type Item struct {
	Negations int // how often "!" stands before it
	Command   Command
	Op        string
}

// A Kind tells commands apart.
type Kind uint8

const (
	Simple     Kind = iota // assignments, words and redirections
	Subshell               // ( list )
	Group                  // { list; }
	If                     // lists: condition, body, condition, body, …
	Loop                   // while and until; lists: condition, body
	For                    // for NAME in In; one list
	Select                 // select NAME in In; one list
	Test                   // [[ words ]]
	Function               // NAME(); one list of one command
	Case                   // one list for each branch
	Arithmetic             // (( )); one word
)

// A Command is one command.
type Command struct {
	Kind      Kind
	Assigns   []Word // each NAME=value, also NAME+=value and NAME[index]=value
	Words     []Word // of a Test: without brackets and operators; of a Case: the subject
	Redirects []*Redirect
	// Parted is how many of Words stand before the first redirection that
	// follows a word, if a word follows that redirection; else 0.
	Parted int
	In     []Word // of a for ((;;)): its calculations; of a Case: the patterns
	Lists  []Script
	Name   string // of a function, or the variable of a For
}

// A Redirect is one redirection.
type Redirect struct {
	Descriptor string // what stands before Op: digits, "{name}" or nothing
	Op         string // "<", ">>", "<<-", …
	Target     Word   // of a here-document: the word that ends it
	Body       Word   // of a here-document
	Assigns    int    // how many of the command's assignments stand before it
	// Late means that more of the line follows a here-document's operator.
	Late bool
}

// A PartKind is the kind of one part of a word.
type PartKind uint8

const (
	Literal   PartKind = iota // as it stands, patterns and tildes included
	Quoted                    // in single quotes
	Escaped                   // one character behind a backslash
	Ansi                      // $'…', not decoded
	Variable                  // $NAME, $?, ${NAME}: Text is the name
	Expansion                 // any other ${…}
	Sum                       // $((…)) and $[…]
	Output                    // $(…) and `…`: Script is the command
	Process                   // <(…) and >(…)
)

// A Part is a stretch of a word.
type Part struct {
	Kind   PartKind
	Text   string // for Literal, Quoted and Escaped what it stands for; else the source
	Double bool   // within double quotes
	Braces bool   // a Variable in braces
	Ticks  bool   // an Output in backticks
	// Unclosed means that a Quoted text goes on to the end of the line, without a
	// closing quote.
	Unclosed bool
	Scripts  []Script
}

// A Word is one word of a command.
type Word struct {
	Raw   string // as it stands
	Line  int    // 1-based; 0: the reader made the word
	Parts []Part
}

// Fixed reports whether nothing in the word depends on a variable, a command's
// output or a calculation. What patterns and tildes stand for is not asked.
func (w Word) Fixed() bool {
	return !slices.ContainsFunc(w.Parts, func(p Part) bool { return p.Kind > Escaped })
}

// Pattern reports whether the word stands for the files that fit it.
func (w Word) Pattern() bool {
	wild := func(p Part) bool { return p.Kind == Literal && !p.Double && strings.ContainsAny(p.Text, "*?[") }
	return slices.ContainsFunc(w.Parts, wild) && w.Fixed()
}

// Text is the word without its quotes; expansions stay as they are written.
func (w Word) Text() string {
	if len(w.Parts) == 1 && w.Parts[0].Kind <= Escaped {
		return w.Parts[0].Text
	}
	var b strings.Builder
	for _, p := range w.Parts {
		switch {
		case p.Kind == Variable && p.Braces:
			b.WriteString("${" + p.Text + "}")
		case p.Kind == Variable:
			b.WriteString("$" + p.Text)
		default:
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Bare reports whether the word is written without quotes, escapes and
// expansions.
func (w Word) Bare() bool {
	return len(w.Parts) > 0 && !slices.ContainsFunc(w.Parts, func(p Part) bool { return p.Kind != Literal || p.Double })
}

// Words takes a command apart that is nothing but words: no operator, comment,
// redirection, expansion, pattern or line break outside of quotes. ok is false for
// anything else.
func Words(line string) (words []string, ok bool) {
	script, ok := Parse(line)
	if !ok || script.Unclosed || len(script.Items) > 1 {
		return nil, false
	}
	rest := line
	for i := range script.Items {
		item := &script.Items[i]
		c := &item.Command
		if c.Kind != Simple || item.Negations > 0 || item.Op != "" || len(c.Redirects) > 0 {
			return nil, false
		}
		for _, w := range append(c.Assigns, c.Words...) {
			if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), w.Raw); !ok || !w.Fixed() || w.special() {
				return nil, false
			}
			words = append(words, w.Text())
		}
	}
	return words, strings.Trim(rest, " ") == ""
}

// special reports whether a character of the word may mean something to some shell.
func (w Word) special() bool {
	return slices.ContainsFunc(w.Parts, func(p Part) bool {
		return p.Kind == Literal && (strings.Contains(p.Text, "$") || !p.Double &&
			strings.ContainsAny(p.Text, "{}*?[#~!"))
	})
}

// plain are the ASCII characters that mean themselves anywhere in a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@:=,+"

// Quote writes s as one word, bare where that is safe: some readers of a line take every blank of Unicode for one.
func Quote(s string) string {
	special := func(c rune) bool {
		return c < utf8.RuneSelf && !strings.ContainsRune(plain, c) || c >= utf8.RuneSelf && !unicode.IsPrint(c)
	}
	if s != "" && !strings.ContainsFunc(s, special) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Join writes words as a command line that no shell reads as anything else.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

// IsAssignment reports whether a word sets a variable: name=, name+= or
// name[index]=.
func IsAssignment(raw string) bool {
	name := Name(raw)
	rest := raw[len(name):]
	if name != "" && strings.HasPrefix(rest, "[") {
		if end := strings.IndexByte(rest, ']'); end > 0 {
			rest = rest[end+1:]
		}
	}
	return name != "" && strings.HasPrefix(strings.TrimPrefix(rest, "+"), "=")
}

// IsName reports whether a variable may be called s.
func IsName(s string) bool {
	return s != "" && len(Name(s)) == len(s)
}

// Name is the name with which s begins, "" if with none.
func Name(s string) string {
	for i := range len(s) {
		if !ascii.Word(s[i]) || i == 0 && ascii.Digit(s[i]) {
			return s[:i]
		}
	}
	return s
}

// interpreters end with status 2 when they do not find their script, which
// several agents take for a block.
var interpreters = []string{"sh", "bash", "zsh", "python", "python3", "node", "deno", "bun", "ruby", "perl"}

// IsInterpreter reports whether a program runs the script that its arguments name.
func IsInterpreter(program string) bool { return slices.Contains(interpreters, program) }

// FirstCommand are the words of a line up to where another command begins.
func FirstCommand(line string) []string {
	if i := strings.IndexAny(line, ";&|<>\n"); i >= 0 {
		line = line[:i]
	}
	return strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(line))
}

// RelativeScript is the first word that names a file by a relative path: one
// with a slash, or what follows an interpreter and has a dot.
func RelativeScript(words []string) string {
	for i, w := range words {
		switch {
		case strings.HasPrefix(w, "-") || strings.ContainsAny(w, "$`=:") || filepath.IsAbs(w) ||
			strings.HasPrefix(w, "~"):
		case strings.ContainsAny(w, `/\`), i > 0 && strings.Contains(w, ".") && IsInterpreter(words[0]):
			return w
		}
	}
	return ""
}

// RelativePaths lists the relative files of each command of a line: programs,
// scripts of interpreters, and words that begin with a dot.
func RelativePaths(line string) (out []string) {
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("&|;\n()", r) }) {
		words := FirstCommand(part)
		for i, w := range words {
			dotted := strings.HasPrefix(w, "./") || strings.HasPrefix(w, "../")
			program := i == 0 && strings.Contains(w, "/") && RelativeScript(words[:1]) == w
			script := i > 0 && w == RelativeScript(words) && IsInterpreter(words[0])
			if (dotted || program || script) && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

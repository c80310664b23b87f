// Package shell reads and writes POSIX and bash command lines. It has nothing about agents: [Parse] returns the content
// of a line, and callers interpret it.
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
	// Unclosed means that the line ends within a single-quoted text or a compound command. Shells wait for more there;
	// some agents accept it.
	Unclosed bool
}

// An Item is one command of a list and the operator after it. The operator is "" at the end of the line and "\n" at the
// end of one of its lines.
type Item struct {
	Negations int // the number of "!" before it
	Command   Command
	Op        string
}

// A Kind is the kind of a command.
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
	// Parted is how many Words come before the first redirection that follows a word, if a word follows that
	// redirection; else 0.
	Parted int
	In     []Word // of a for ((;;)): its calculations; of a Case: the patterns
	Lists  []Script
	Name   string // of a function, or the variable of a For
}

// A Redirect is one redirection.
type Redirect struct {
	Descriptor string // the text before Op: digits, "{name}" or nothing
	Op         string // "<", ">>", "<<-", …
	Target     Word   // of a here-document: the word that ends it
	Body       Word   // of a here-document
	Assigns    int    // how many of the command's assignments come before it
	// Late means that more of the line follows a here-document's operator.
	Late bool
}

// A PartKind is the kind of one part of a word.
type PartKind uint8

const (
	Literal   PartKind = iota // as written, including patterns and tildes
	Quoted                    // in single quotes
	Escaped                   // one character after a backslash
	Ansi                      // $'…', not decoded
	Variable                  // $NAME, $?, ${NAME}: Text is the name
	Expansion                 // any other ${…}
	Sum                       // $((…)) and $[…]
	Output                    // $(…) and `…`: Script is the command
	Process                   // <(…) and >(…)
)

// A Part is a part of a word.
type Part struct {
	Kind   PartKind
	Text   string // for Literal, Quoted and Escaped the meaning; else the source
	Double bool   // within double quotes
	Braces bool   // a Variable in braces
	Ticks  bool   // an Output in backticks
	// Unclosed means that a Quoted text goes on to the end of the line, without a closing quote.
	Unclosed bool
	Scripts  []Script
}

// A Word is one word of a command.
type Word struct {
	Raw   string // as written
	Line  int    // 1-based; 0: the reader made the word
	Parts []Part
}

// Fixed reports whether the word depends on no variable, command output or calculation. It ignores patterns and tildes.
func (w Word) Fixed() bool {
	return !slices.ContainsFunc(w.Parts, func(p Part) bool { return p.Kind > Escaped })
}

// Pattern reports whether the word means the files that match it.
func (w Word) Pattern() bool {
	wild := func(p Part) bool { return p.Kind == Literal && !p.Double && strings.ContainsAny(p.Text, "*?[") }
	return slices.ContainsFunc(w.Parts, wild) && w.Fixed()
}

// Text returns the word without its quotes; expansions stay as they are written.
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

// Words splits a command that is nothing but words: no operator, comment, redirection, expansion, pattern or line break
// outside of quotes. ok is false for anything else.
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

// special reports whether a character of the word may be special in some shell.
func (w Word) special() bool {
	return slices.ContainsFunc(w.Parts, func(p Part) bool {
		return p.Kind == Literal && (strings.Contains(p.Text, "$") || !p.Double &&
			strings.ContainsAny(p.Text, "{}*?[#~!"))
	})
}

// plain lists the ASCII characters that are never special in a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@:=,+"

// Quote writes s as one word, bare if that is safe: some readers of a line split it at every blank of Unicode.
func Quote(s string) string {
	special := func(c rune) bool {
		return c < utf8.RuneSelf && !strings.ContainsRune(plain, c) || c >= utf8.RuneSelf && !unicode.IsPrint(c)
	}
	if s != "" && !strings.ContainsFunc(s, special) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Join returns words as a command line, quoted so that no shell interprets them.
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

// IsName reports whether s can be the name of a variable.
func IsName(s string) bool {
	return s != "" && len(Name(s)) == len(s)
}

// Name returns the name that s begins with, or "".
func Name(s string) string {
	for i := range len(s) {
		if !ascii.Word(s[i]) || i == 0 && ascii.Digit(s[i]) {
			return s[:i]
		}
	}
	return s
}

// interpreters end with status 2 if they don't find their script, which several agents read as a block.
var interpreters = []string{"sh", "bash", "zsh", "python", "python3", "node", "deno", "bun", "ruby", "perl"}

// IsInterpreter reports whether a program runs the script in its arguments.
func IsInterpreter(program string) bool { return slices.Contains(interpreters, program) }

// FirstCommand returns the words of a line up to the next command.
func FirstCommand(line string) []string {
	if i := strings.IndexAny(line, ";&|<>\n"); i >= 0 {
		line = line[:i]
	}
	return strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(line))
}

// RelativeScript returns the first word that is a relative path of a file: one with a slash, or one with a dot after an
// interpreter.
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

// RelativePaths lists the relative files of each command of a line: programs, scripts of interpreters, and words that
// begin with a dot.
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

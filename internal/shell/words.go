package shell

import (
	"path/filepath"
	"slices"
	"strings"
)

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
		return p.Kind == Literal && (strings.Contains(p.Text, "$") || !p.Double && strings.ContainsAny(p.Text, "{}*?[#~!"))
	})
}

// plain are the ASCII characters that mean themselves anywhere in a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@:=,+"

// Quote writes s as one word, bare where that is safe.
func Quote(s string) string {
	bare := s != ""
	for i := 0; i < len(s) && bare; i++ {
		bare = s[i] >= 0x80 || strings.IndexByte(plain, s[i]) >= 0
	}
	if bare {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// IsName reports whether a variable may be called s.
func IsName(s string) bool {
	return s != "" && len(Name(s)) == len(s)
}

// Name is the name with which s begins, "" if with none.
func Name(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
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
		case strings.HasPrefix(w, "-") || strings.ContainsAny(w, "$`=:") || filepath.IsAbs(w) || strings.HasPrefix(w, "~"):
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

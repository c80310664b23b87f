package shell

import (
	"path/filepath"
	"slices"
	"strings"
)

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

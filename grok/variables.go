package grok

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/shell"
)

// unset returns a variable of a command that neither env nor the command sets, "" if there is none: the client then
// doesn't start the hook. It looks for $NAME and ${NAME} in the raw text, even in quotes and comments (observed
// 1.0.41).
func unset(command string, env []string) string {
	own := assigned(command)
	for rest := command; ; {
		_, after, found := strings.Cut(rest, "$")
		if !found {
			return ""
		}
		name := shell.Name(after)
		rest = after[len(name):]
		if inner, braced := strings.CutPrefix(after, "{"); braced {
			inner, behind, closed := strings.Cut(inner, "}")
			if name = shell.Name("_" + inner)[1:]; !closed || name != inner {
				name = "" // ${NAME:-default}, whose text doesn't count
			}
			if closed {
				rest = behind
			}
		}
		set := func(v string) bool { return strings.HasPrefix(v, name+"=") }
		if name != "" && !slices.Contains(own, name) && !slices.ContainsFunc(env, set) {
			return name
		}
	}
}

// assigned lists the names that a command sets, as the client finds them. It looks for NAME= at the start of each part
// between its separators, and the words after read (observed 1.0.41).
func assigned(command string) (names []string) {
	for _, part := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(";&|\n({", r) }) {
		part = strings.TrimLeft(part, " \t")
		name := shell.Name(part)
		switch rest := part[len(name):]; {
		case strings.HasPrefix(rest, "="):
			names = append(names, name)
		case name == "read" && strings.TrimLeft(rest, " \t") != rest:
			for _, word := range strings.Fields(rest) {
				names = append(names, shell.Name(word))
			}
		}
	}
	return names
}

package auggie

import (
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Spec prepares a command as the client starts it. It uses bash if it has a shell operator. Otherwise it starts a
// program, and quoting words is the only syntax.
func (a Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	env := p.Env.With(nil, environment(h, c)...)
	s := process.Spec{Dir: c.Project, Env: env}
	command := filled(h.Command, env)
	switch {
	case h.Args != nil:
		s.Argv = []string{command}
		for _, arg := range h.Args {
			s.Argv = append(s.Argv, filled(arg, env))
		}
	case p.OS == "windows":
		s.Argv = onWindows(h, command)
	case usesShell(command):
		s.Argv = []string{dialect.Bash(), "-c", command}
	default:
		s.Argv = split(command)
	}
	return s, nil
}

// onWindows returns how the client starts a command on Windows: by the suffix of its first word, or with cmd.exe if
// there is an operator (source).
func onWindows(h *schema.Hook, command string) []string {
	words := split(command)
	switch ending := strings.ToLower(filepath.Ext(words[0])); {
	case ending == ".ps1":
		return dialect.PowerShell(h, command, "powershell", "-Command")
	case ending == ".sh":
		return append([]string{"bash"}, words...)
	case ending == ".bat" || ending == ".cmd" || usesShell(command):
		return []string{"cmd.exe", "/c", command}
	}
	return words
}

// usesShell reports whether the client starts a command with bash.
func usesShell(command string) bool {
	return strings.ContainsAny(command, "|&;><$`") || strings.HasPrefix(command, "~")
}

// filled replaces ${NAME} in a text with the variables of the environment; unknown ones stay.
func filled(text string, env schema.Environ) string {
	if !strings.Contains(text, "${") {
		return text
	}
	var pairs []string
	for _, v := range env {
		if name, value, _ := strings.Cut(v, "="); value != "" {
			pairs = append(pairs, "${"+name+"}", value)
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// split splits a command into words: quotes group blanks, a backslash is an ordinary character.
func split(command string) (words []string) {
	var word strings.Builder
	quote, begun := byte(0), false
	for i := range len(command) {
		switch c := command[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, begun = c, true
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteByte(c)
			begun = true
		}
	}

	if begun {
		words = append(words, word.String())
	}
	if words == nil {
		words = []string{""}
	}

	return words
}

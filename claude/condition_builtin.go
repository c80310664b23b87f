package claude

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/shell"
)

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

// declaration reads export, declare and their like.
func (w *commandReader) declaration(c *shell.Command) bool {
	words := c.Words
	for _, word := range words[1:] {
		switch raw := word.Raw; {
		case strings.HasPrefix(raw, "-"):
			if strings.Trim(raw, "-xrpf") != "" || raw == "-x" && text(words[0]) == "export" {
				return false
			}
		case shell.IsName(raw):
		case !shell.IsAssignment(raw) || c != w.only && text(words[0]) != "export" || !w.assignment(word):
			return false
		}
	}
	w.add(words)
	return true
}

func (w *commandReader) unset(words []shell.Word) bool {
	if slices.ContainsFunc(words[1:], func(word shell.Word) bool {
		return word.Raw != "-f" && word.Raw != "-v" && !shell.IsName(word.Raw)
	}) {
		return false
	}
	w.add(words)
	return true
}

// test reads [ … ] of three words at most.
func (w *commandReader) test(words []shell.Word) bool {
	args := words[1:]
	if len(args) == 0 || args[len(args)-1].Raw != "]" {
		return false
	}
	args = args[:len(args)-1]
	for _, word := range args {
		equals := word.Raw == "=" || word.Raw == "=="
		if !equals && !w.fixed(word, true) || strings.ContainsAny(word.Raw, `<>()\`) {
			return false
		}
	}
	switch {
	case len(args) == 2 && !strings.HasPrefix(args[0].Raw, "-") && args[0].Raw != "!",
		len(args) == 3 && args[0].Raw != "!" && !isComparison(args[1].Raw), len(args) > 3:
		return false
	}
	w.add(words)
	w.add(words[:len(words)-1])
	return true
}

func isComparison(raw string) bool {
	return raw == "=" || raw == "==" || raw == "!=" || strings.HasPrefix(raw, "-")
}

func (w *commandReader) doubleTest(c *shell.Command) bool {
	words := []shell.Word{{Raw: "[[", Parts: []shell.Part{{Text: "[["}}}}
	for i, word := range c.Words {
		operator := word.Raw == "=" || word.Raw == "==" || word.Raw == "=~"
		branches := i > 0 && c.Words[i-1].Raw == "=~" && strings.ContainsAny(word.Raw, "(|)") // not put to the client
		if branches || !operator && !w.fixed(word, true) || strings.Contains(word.Raw, `\`) ||
			operator && i > 0 && strings.ContainsAny(c.Words[i-1].Raw, "<>") {
			return false
		}
		words = append(words, word)
	}
	w.add(words)
	w.add(append(words, shell.Word{Raw: "]]", Parts: []shell.Part{{Text: "]]"}}}))
	return true
}

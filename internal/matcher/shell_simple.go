package matcher

import (
	"slices"
	"strings"
)

// flush notes the command words make, if they make one.
func (p *shellParser) flush(words []shellWord) {
	args := slices.Clone(words)
	for len(args) > 0 && isAssignment(args[0].raw) {
		args = args[1:]
	}
	if len(args) == 0 {
		return
	}
	c := subcommand{plain: plainForm(args), anyName: args[0].dynamic}
	add := func(words []shellWord, part func(shellWord) string) {
		texts := make([]string, len(words))
		for i, w := range words {
			texts[i] = part(w)
		}
		if form := strings.Join(texts, " "); !slices.Contains(c.forms, form) {
			c.forms = append(c.forms, form)
		}
	}
	raw := func(w shellWord) string { return w.raw }
	text := func(w shellWord) string { return w.text }
	add(words, raw)
	for wrappers := 0; ; wrappers++ {
		add(args, raw)
		add(args, text)
		inner := unwrap(args)
		if len(inner) == 0 || len(inner) == len(args) {
			break
		}
		args = inner
		if c.anyName = c.anyName || args[0].dynamic || wrappers == maxWrappers; c.anyName {
			break
		}
	}
	p.cmds = append(p.cmds, c)
}

// bare are commands of which no more than the name is in their plain form.
var bare = []string{"export", "declare", "typeset", "readonly", "local", "unset", "[", "[["}

// plainForm is a command's name with those arguments that are written as one
// plain word: not quoted, not expanded, no number.
func plainForm(words []shellWord) string {
	form := words[0].text
	if slices.Contains(bare, form) {
		return form
	}
	for _, w := range words[1:] {
		if !w.dynamic && !strings.ContainsAny(w.raw, "'\"`$") && strings.Trim(strings.TrimPrefix(w.raw, "-"), "0123456789") != "" || w.raw == "-" {
			form += " " + w.raw
		}
	}
	return form
}

// unwrap takes off a command that runs its arguments unchanged. Claude Code's
// documentation of permissions names these five; env and shells are not among
// them.
func unwrap(words []shellWord) []shellWord {
	positional := 0
	switch words[0].text {
	case "time", "nohup", "nice", "stdbuf":
	case "timeout":
		positional = 1
	default:
		return words
	}
	words = words[1:]
	for len(words) > 0 && strings.HasPrefix(words[0].text, "-") {
		// "-n 5": the value is a word of its own
		if o := words[0].text; len(o) == 2 && strings.Contains("nksoei", o[1:]) && len(words) > 1 {
			words = words[1:]
		}
		words = words[1:]
	}
	return words[min(positional, len(words)):]
}

// isAssignment reports whether a word sets a variable: name=, name+= or
// name[index]=.
func isAssignment(raw string) bool {
	name, _, ok := strings.Cut(raw, "=")
	name = strings.TrimSuffix(name, "+")
	if i := strings.IndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	return ok && name != "" && !isDigit(name[0]) && isPlain(name, "_")
}

// skipKeywords drops a word that only introduces a command.
func skipKeywords(words []shellWord) []shellWord {
	if len(words) == 2 && words[0].raw == "function" {
		return nil
	}
	if len(words) != 1 {
		return words
	}
	switch words[0].raw {
	case "if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "fi", "done":
		return nil
	}
	return words
}

// openTest reports whether words are inside [[ ]].
func openTest(words []shellWord) bool {
	return len(words) > 0 && words[0].raw == "[[" && words[len(words)-1].raw != "]]"
}

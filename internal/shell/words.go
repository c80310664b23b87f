package shell

import "strings"

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
	for _, p := range w.Parts {
		if p.Kind == Literal && (strings.Contains(p.Text, "$") || !p.Double && strings.ContainsAny(p.Text, "{}*?[#~!")) {
			return true
		}
	}
	return false
}

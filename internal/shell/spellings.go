package shell

import (
	"path"
	"strings"
)

// Spellings lists the names of files that a line may mean, as patterns of package
// path. The line is read as loosely as any shell could take it, even where Parse
// can't read it: its words, the words of those that are lines of their own, and every
// stretch without a blank. What is only written to is left out: a log that a command
// keeps is not what it consists of.
func Spellings(line string) (names []string) {
	seen := map[string]bool{"": true}
	add := func(words ...string) {
		for _, word := range words {
			for _, w := range []string{word, word[strings.IndexByte(word, '=')+1:]} {
				p, below := Pattern(w)
				for i, p := range []string{p, "*/" + p} {
					if (i == 0 || below) && !seen[p] {
						seen[p] = true
						names = append(names, p)
					}
				}
			}
		}
	}
	add(line)
	add(strings.FieldsFunc(unquoted(line), separates)...)
	lines := []string{line, strings.NewReplacer("$(", " ", ")", " ", "`", " ").Replace(line)}
	for depth := 0; depth < 4 && len(lines) > 0; depth++ {
		var inner []string
		for _, l := range lines {
			words := looseWords(l)
			add(words...)
			for _, w := range words {
				if w != l && strings.ContainsAny(w, " \t\n") {
					inner = append(inner, w)
				}
			}
		}
		lines = inner
	}
	return names
}

// PlainQuotes makes $'…' an ordinary quote, with a * for what its escapes stand for.
func PlainQuotes(line string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(line, "$'")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteByte('\'')
		i := 0
		for ; i < len(rest) && rest[i] != '\''; i++ {
			if rest[i] != '\\' || i+1 == len(rest) {
				b.WriteByte(rest[i])
				continue
			}
			b.WriteByte('*')
			i++
			for i+1 < len(rest) && strings.IndexByte("0123456789abcdefABCDEF", rest[i+1]) >= 0 {
				i++ // too many are still within the *
			}
		}
		line = rest[i:]
	}
}

// separates reports whether no name of a file goes on after c.
func separates(c rune) bool { return strings.ContainsRune(" \t\r\n;&|()<=,:`", c) }

// unquoted leaves out quotes, and what a command only writes to.
func unquoted(line string) string {
	line = strings.NewReplacer(`"`, "", "'", "").Replace(line)
	var b strings.Builder
	for i, part := range strings.Split(line, ">") {
		if i > 0 {
			part = strings.TrimLeft(part, "|& \t")
			if end := strings.IndexFunc(part, separates); end >= 0 {
				part = part[end:]
			} else {
				part = ""
			}
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	return b.String()
}

// looseWords splits a line at the blanks that are outside of quotes and of
// commands whose output is part of a word, and leaves out what is written to.
func looseWords(line string) (words []string) {
	var word strings.Builder
	var quote, before rune
	escaped, written, depth := false, false, 0
	end := func() {
		if word.Len() > 0 && !written {
			words = append(words, word.String())
		}
		written = written && word.Len() == 0
		word.Reset()
	}
	for _, c := range line {
		switch {
		case escaped:
			escaped = false
			word.WriteRune(c)
		case c == '\\' && quote != '\'':
			escaped = true
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && depth == 0 && strings.ContainsRune(" \t\r\n;&|<>", c):
			end()
			written = written || c == '>'
		default:
			if quote == 0 && c == '(' && before == '$' {
				depth++
			} else if quote == 0 && c == ')' {
				depth = max(depth-1, 0)
			}
			word.WriteRune(c)
		}
		before = c
	}
	end()
	return words
}

// Pattern is a word with a * for all that only a shell would know. What stands
// before the first name that is known may be any folder: it is left out, and below
// says so. A word that nothing is known of is "".
func Pattern(word string) (name string, below bool) {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		switch c := word[i]; c {
		case '$', '`', '{':
			b.WriteByte('*')
			i += expansion(word[i:]) - 1
		case '\\':
		default:
			b.WriteByte(c)
		}
	}
	var parts []string
	for _, part := range strings.Split(b.String(), "/") {
		if len(parts) == 0 && strings.Trim(part, "*?") == "" {
			below = below || strings.ContainsAny(strings.ReplaceAll(word[:strings.IndexByte(word+"/", '/')], "${", ""), "*?{")
			continue
		}
		parts = append(parts, part)
	}
	p := path.Clean(strings.Join(parts, "/"))
	if strings.Trim(p, "*?./") == "" {
		return "", false
	}
	return p, below
}

// expansion is how long the shell's expansion is that text begins with.
func expansion(text string) int {
	open, closing := byte(0), byte(0)
	switch {
	case text[0] == '`':
		if end := strings.IndexByte(text[1:], '`'); end >= 0 {
			return end + 2
		}
		return 1
	case text[0] == '{':
		open, closing = '{', '}'
	case len(text) > 1 && text[1] == '{':
		open, closing = '{', '}'
	case len(text) > 1 && text[1] == '(':
		open, closing = '(', ')'
	default:
		n := 1
		for n < len(text) && (text[n] == '_' || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' || text[n] >= '0' && text[n] <= '9') {
			n++
		}
		return n
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

package adapter

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// maxLooks is how many names are looked for on the disk for all commands of a
// project together, and maxLine the longest command that is read: a stranger's
// repository must not keep the bridge from answering in time.
const (
	maxLooks = 20000
	maxLine  = 128 << 10 // no system starts a longer one
)

var errTooMany = errors.New("the hooks' commands name more than can be looked at")

// A namedFiles finds the files of a project that its hooks' commands name. A
// command is read as loosely as a shell could take it: a file too many only
// means that its change is noticed.
type namedFiles struct {
	project string
	cwd     string // where hooks run, if that is another folder of the project; else ""
	looks   int
	err     error // errTooMany
}

// of lists the files inside the project that a hook names, each once.
func (n *namedFiles) of(h *schema.Hook) (files []string) {
	names := n.spellings(h)
	folders := []string{n.project}
	if n.cwd != "" {
		folders = append(folders, n.cwd)
	}
	for i := 0; i < len(folders); i++ { // grows by the folders that are named, as by cd
		for _, name := range names {
			for _, found := range n.find(folders[i], name) {
				switch info, err := os.Stat(found); {
				case err != nil:
				case info.IsDir() && !slices.Contains(folders, found):
					folders = append(folders, found)
				case info.Mode().IsRegular() && !slices.Contains(files, found):
					files = append(files, found)
				}
			}
		}
	}
	return files
}

// spellings lists what a hook's command may name: its words as a shell splits
// them, the words of those that are lines of their own, and every stretch
// without a blank.
func (n *namedFiles) spellings(h *schema.Hook) (names []string) {
	seen := map[string]bool{"": true}
	add := func(words ...string) {
		for _, word := range words {
			for _, w := range []string{word, word[strings.IndexByte(word, '=')+1:]} {
				p, below := pattern(w)
				for i, p := range []string{p, "*/" + p} {
					if (i == 0 || below) && !seen[p] {
						seen[p] = true
						names = append(names, p)
					}
				}
			}
		}
	}
	for _, line := range append([]string{h.Command}, h.Args...) {
		if len(line) > maxLine {
			n.err = errTooMany
			return nil
		}
		line = n.fromProject(line)
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
	}
	return names
}

// fromProject has the names of a line begin at the project, and slashes between
// folders on every system.
func (n *namedFiles) fromProject(line string) string {
	line = strings.NewReplacer("\\\r\n", "", "\\\n", "", "/proc/self/cwd/", "./", "/proc/$$/cwd/", "./", "~+/", "./").Replace(line)
	line = filepath.ToSlash(plainQuotes(line))
	for _, root := range []string{n.project, realPath(n.project)} {
		if root = filepath.ToSlash(root); root != "/" {
			line = strings.NewReplacer(root+"/", "/", root+"'/", "'/", root+`"/`, `"/`).Replace(line)
		}
	}
	return line
}

// plainQuotes makes $'…' an ordinary quote, with a * for what its escapes stand for.
func plainQuotes(line string) string {
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

// unquoted leaves out quotes, and what a command only writes to: a log that a
// hook keeps is not what it consists of.
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

// pattern is a word with a * for all that only a shell would know. What stands
// before the first name that is known may be any folder: it is left out, and below
// says so. A word that nothing is known of is "".
func pattern(word string) (name string, below bool) {
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

// find lists what has the name in the folder, if it lies in the project.
func (n *namedFiles) find(folder, name string) []string {
	return n.expand(folder, strings.Split(name, "/"))
}

func (n *namedFiles) inside(file string) bool {
	rel, err := filepath.Rel(n.project, file)
	return err == nil && filepath.IsLocal(rel)
}

// expand lists what the parts of a name stand for below the folder.
func (n *namedFiles) expand(folder string, parts []string) (found []string) {
	if n.looks++; n.looks > maxLooks {
		n.err = errTooMany
		return nil
	}
	if len(parts) == 0 {
		if n.inside(folder) {
			found = append(found, folder)
		}
		return found
	}
	if !strings.ContainsAny(parts[0], "*?[") {
		if next := filepath.Join(folder, parts[0]); len(parts) == 1 || isDir(next) {
			found = n.expand(next, parts[1:])
		}
		return found
	}
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if n.looks++; n.looks > maxLooks {
			n.err = errTooMany
			return found
		}
		if ok, _ := path.Match(parts[0], e.Name()); ok || e.Name() == parts[0] {
			found = append(found, n.expand(filepath.Join(folder, e.Name()), parts[1:])...)
		}
	}
	return found
}

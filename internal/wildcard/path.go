package wildcard

import (
	"strings"
	"unicode/utf8"
)

// A Path is a pattern for paths as a line of .gitignore has it, for files of any
// letter case: "*.ts" at any depth, "src/*.ts" below the root, "src/" for the
// content of such folders. What matches a folder matches its content.
type Path struct {
	parts []string // "**" is any number of folders
	never bool
}

// ParsePath reads a pattern; with rooted it starts at the root even if it has no
// slash.
func ParsePath(spec string, rooted bool) Path {
	spec = strings.ToLower(strings.TrimRight(spec, " \t"))
	var p Path
	if p.never = strings.HasPrefix(spec, "#") || strings.HasPrefix(spec, "!"); p.never {
		return p // a comment, an exception
	}
	if !rooted && !strings.Contains(strings.TrimSuffix(spec, "/"), "/") {
		spec = "**/" + spec
	}
	for part := range strings.SplitSeq(spec, "/") {
		if part != "" && part != "." {
			p.parts = append(p.parts, part)
		}
	}
	if strings.HasSuffix(spec, "/") {
		p.parts = append(p.parts, "*") // the content alone
	}
	p.parts = append(p.parts, "**")
	return p
}

// Match reports whether a file matches, whose path is given from the root.
func (p Path) Match(rel string) bool {
	if p.never {
		return false
	}
	return matchParts(p.parts, strings.Split(strings.ToLower(rel), "/"))
}

// Up takes a leading ".." off the pattern; ok is false if it has none.
func (p Path) Up() (rest Path, ok bool) {
	if len(p.parts) > 0 && p.parts[0] == ".." {
		return Path{parts: p.parts[1:]}, true
	}
	return p, false
}

func matchParts(pattern, names []string) bool {
	return match(len(pattern), len(names), func(p int) bool { return pattern[p] == "**" }, func(p, i int) int {
		if matchPart(pattern[p], names[i]) {
			return 1
		}
		return 0
	})
}

// matchPart matches one name: "*" any run, "?" a character, "[a-z]" a class,
// "\" takes the next character as it is.
func matchPart(pattern, name string) bool {
	characters := []rune(name)
	return Stars(pattern, len(characters), func(p, i int) int {
		if n, ok := matchOne(pattern[p:], characters[i]); ok {
			return n
		}
		return 0
	})
}

// matchOne matches r with the first element of pattern and returns that
// element's length.
func matchOne(pattern string, r rune) (n int, ok bool) {
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		if n, ok, closed := matchClass(pattern, r); closed {
			return n, ok
		}
	case '\\':
		if len(pattern) > 1 {
			c, size := utf8.DecodeRuneInString(pattern[1:])
			return 1 + size, c == r
		}
	}
	c, size := utf8.DecodeRuneInString(pattern)
	return size, c == r
}

// matchClass matches r with the class pattern starts with. A "[" that nothing
// closes isn't a class. A class also matches what it excludes: Git reads "[!a]" as all
// but a, and the ignore package of npm, which agents use, as "!" or a.
func matchClass(pattern string, r rune) (n int, ok, closed bool) {
	i := 1
	next := func() rune {
		if pattern[i] == '\\' && i+1 < len(pattern) {
			i++
		}
		c, size := utf8.DecodeRuneInString(pattern[i:])
		i += size
		return c
	}
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	for first := true; i < len(pattern); first = false {
		if pattern[i] == ']' && !first {
			return i + 1, ok || negated, true
		}
		lo := next()
		hi := lo
		if i+1 < len(pattern) && pattern[i] == '-' && pattern[i+1] != ']' {
			i++
			hi = next()
		}
		ok = ok || lo <= r && r <= hi
	}
	return 0, false, false
}

// Package wildcard compares texts, commands and paths with patterns in which an asterisk means any sequence of
// characters. It has nothing about agents; its callers decide how their patterns are read.
package wildcard

import (
	"strings"
	"unicode/utf8"
)

// Match reports whether s matches pattern, in which "*" means any sequence of characters and "\*" an asterisk. Its time
// is bounded by the product of the lengths.
func Match(pattern, s string) bool {
	return Stars(pattern, len(s), func(p, i int) int {
		n := 1
		if strings.HasPrefix(pattern[p:], `\*`) {
			n = 2
		}
		if s[i] == pattern[p+n-1] {
			return n
		}
		return 0
	})
}

// Stars reports whether n elements match a pattern, in which "*" means any number of them. one returns the length of
// the pattern at p that element i matches, 0 if it doesn't. The time is bounded by the product of the lengths.
func Stars(pattern string, n int, one func(p, i int) int) bool {
	return match(len(pattern), n, func(p int) bool { return pattern[p] == '*' }, one)
}

// match is Stars for a pattern of any kind; only its last star ever needs to be tried again.
func match(pattern, n int, star func(p int) bool, one func(p, i int) int) bool {
	last, resume := -1, 0 // where to continue when the part after the last star fails
	p, i := 0, 0
	for i < n || p < pattern {
		size := 0
		switch {
		case p < pattern && star(p):
			last, resume = p, i
			p++
			continue
		case p < pattern && i < n:
			size = one(p, i)
		}
		switch {
		case size > 0:
			p, i = p+size, i+1
		case last < 0 || resume >= n:
			return false
		default:
			resume++
			p, i = last+1, resume
		}
	}
	return true
}

// A Command is a pattern of permission rules for command lines: "git *" also matches the bare "git", and "git:*"
// matches what starts with the word. Sequences of blanks count as one.
type Command struct {
	spec   string
	text   string
	prefix bool // text is the start of a command, up to a blank
}

// ParseCommand reads a pattern.
func ParseCommand(spec string) Command {
	if text, ok := strings.CutSuffix(spec, ":*"); ok {
		return Command{spec: spec, text: strings.Trim(oneBlank(text), " "), prefix: true}
	}
	return Command{spec: spec, text: strings.Trim(oneBlank(spec), " ")}
}

func oneBlank(s string) string {
	if !strings.Contains(s, "  ") && !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c != ' ' && c != '\t':
			b.WriteByte(c)
		case i == 0 || s[i-1] != ' ' && s[i-1] != '\t':
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Match reports whether a command matches c.
func (c Command) Match(command string) bool {
	s := oneBlank(command)
	if c.prefix {
		rest, ok := strings.CutPrefix(s, c.text)
		return ok && (rest == "" || rest[0] == ' ' || rest[0] == '\n')
	}
	bare, ok := strings.CutSuffix(c.text, " *")
	return ok && !strings.Contains(strings.ReplaceAll(bare, `\*`, ""), "*") && Match(bare, s) || Match(c.text, s)
}

// Name returns the one word whose commands c matches: with "rm:*", "rm *" or "rm*" and no other blank; ok is false for
// any other pattern.
func (c Command) Name() (name string, ok bool) {
	name, ok = strings.CutSuffix(c.spec, "*")
	name = strings.TrimSuffix(name, " ")
	if c.prefix {
		name = strings.TrimSuffix(name, ":")
	}
	return name, ok && !strings.ContainsAny(name, "* \t\n")
}

// A Piece is a text that every match of a pattern contains. Begins and Ends report whether a word begins or ends with
// it.
type Piece struct {
	Text         string
	Begins, Ends bool
}

// Pieces returns the texts without an asterisk or blank in c, in their order.
func (c Command) Pieces() (pieces []Piece) {
	text := strings.ReplaceAll(c.text, `\*`, "* *") // not worth more
	for word := range strings.FieldsSeq(text) {
		parts := strings.Split(word, "*")
		for i, part := range parts {
			if part != "" {
				pieces = append(pieces, Piece{part, i == 0, i == len(parts)-1})
			}
		}
	}
	return pieces
}

// A Path is a pattern for paths like a line of .gitignore, for files in any letter case: "*.ts" at any depth,
// "src/*.ts" below the root, "src/" for the content of such folders. What matches a folder matches its content.
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

// Up removes a leading ".." from the pattern; ok is false if it has none.
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

// matchPart matches one name: "*" is any sequence, "?" a character, "[a-z]" a class, "\" makes the next character
// literal.
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

// matchClass matches r with the class that pattern starts with. An unclosed "[" isn't a class. A class also matches
// what it excludes: Git reads "[!a]" as everything except a, and the ignore package of npm, which agents use, as "!" or
// a.
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

// An Address is an HTTP address split into its parts according to the URL standard.
type Address struct {
	Scheme string // in lower case
	User   string // with the "@"
	Host   string // in lower case
	Port   string // "" for the scheme's own
	Path   string // with the query, without "." and ".."; "" in a pattern without a path
}

// ParseAddress reads an address. It returns false for addresses that readers may interpret differently: with
// backslashes, blanks, control characters or escapes in the host.
func ParseAddress(s string) (a Address, ok bool) {
	if strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c == '\\' || c == 0x7f }) {
		return a, false
	}
	if a, ok = splitAddress(s); !ok || strings.ContainsAny(a.Host, "%*<>^|\"'`{}") ||
		strings.Trim(a.Port, "0123456789") != "" {
		return a, false
	}
	if a.Path == "" || a.Path[0] != '/' {
		a.Path = "/" + a.Path
	}
	return a, true
}

// String writes the address.
func (a Address) String() string {
	s := a.Scheme + "://" + a.User + a.Host
	if a.Port != "" {
		s += ":" + a.Port
	}
	return s + a.Path
}

func splitAddress(s string) (a Address, ok bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		return a, false
	}

	a.Scheme = strings.ToLower(scheme)
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}

	authority, path := rest[:end], rest[end:]
	i := strings.LastIndexByte(authority, '@')
	a.User, a.Host = authority[:i+1], authority[i+1:]
	if i := strings.LastIndexByte(a.Host, ':'); i > strings.LastIndexByte(a.Host, ']') {
		a.Host, a.Port = a.Host[:i], strings.TrimLeft(a.Host[i+1:], "0")
	}
	if a.Scheme == "http" && a.Port == "80" || a.Scheme == "https" && a.Port == "443" {
		a.Port = ""
	}
	a.Host = strings.ToLower(strings.TrimSuffix(a.Host, "."))
	path, _, _ = strings.Cut(path, "#")
	path, query, asks := strings.Cut(path, "?")
	a.Path = withoutDots(path)
	if asks {
		a.Path += "?" + query
	}
	return a, a.Host != ""
}

// withoutDots resolves "." and ".." in a path, escaped or not.
func withoutDots(path string) string {
	if !strings.Contains(path, ".") && !strings.Contains(path, "%2") {
		return path
	}
	var kept []string
	parts := strings.Split(path, "/")
	for i, part := range parts {
		last := i == len(parts)-1
		switch strings.ReplaceAll(strings.ToLower(part), "%2e", ".") {
		case "..":
			if len(kept) > 1 {
				kept = kept[:len(kept)-1]
			}
			if last {
				kept = append(kept, "")
			}
		case ".":
			if last {
				kept = append(kept, "")
			}
		default:
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "/")
}

// MatchAddress compares an address with a pattern part by part. "*" matches any text of the part, a pattern without a
// path everything of its host, and the query belongs to the path. With anyPort, a pattern for every host without a port
// matches all ports. User and fragment never count.
func MatchAddress(pattern, address string, anyPort bool) bool {
	got, fine := ParseAddress(address)
	if pattern == "*" {
		return fine
	}
	want, ok := splitAddress(pattern)
	if !ok || !fine {
		return false
	}
	everyPort := want.Port == "*" || anyPort && want.Port == "" && strings.Trim(want.Host, "*") == ""
	if strings.Contains(want.Host, "*") && isNumber(want.Host[strings.LastIndexByte(want.Host, '.')+1:]) {
		return false // not an IPv4 address in a URL parser: agents then compare in ways of their own
	}
	sameScheme := want.Scheme == "*" || want.Scheme == got.Scheme
	samePort := everyPort || want.Port == got.Port
	if !sameScheme || !samePort || !stars(want.Host, got.Host) {
		return false
	}
	return want.Path == "" || stars(want.Path, got.Path)
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// stars is Match for texts in which a backslash is a character.
func stars(pattern, s string) bool {
	return Match(strings.ReplaceAll(pattern, `\`, "/"), s)
}

package matcher

import (
	"path"
	"strings"
	"unicode/utf8"
)

// A pathPattern is a spec that is compared with paths, as a line of .gitignore
// with the roots of Claude Code.
type pathPattern struct {
	root  pathRoot
	parts []string // "**" is any number of folders
}

type pathRoot uint8

const (
	anywhere    pathRoot = iota
	cwdRoot              // Cwd, or Project
	projectRoot          // a leading /
	homeRoot             // a leading ~
)

func newPathPattern(spec string) pathPattern {
	var p pathPattern
	switch {
	case strings.HasPrefix(spec, "//"):
		spec = spec[2:]
	case strings.HasPrefix(spec, "/"):
		p.root, spec = projectRoot, spec[1:]
	case spec == "~" || strings.HasPrefix(spec, "~/"):
		p.root, spec = homeRoot, strings.TrimPrefix(spec[1:], "/")
	case strings.HasPrefix(spec, "./"), strings.HasPrefix(spec, "../"):
		p.root = cwdRoot
	case strings.HasPrefix(spec, "**/"):
	case strings.Contains(strings.TrimSuffix(spec, "/"), "/"):
		p.root = cwdRoot
	default:
		spec = "**/" + spec
	}
	for part := range strings.SplitSeq(spec, "/") {
		if part != "" && part != "." {
			p.parts = append(p.parts, part)
		}
	}
	// A folder stands for its content; "x/" and "x/**" for the content alone.
	if n := len(p.parts); n > 0 && (strings.HasSuffix(spec, "/") || p.parts[n-1] == "**") {
		p.parts = append(p.parts, "*")
	}
	p.parts = append(p.parts, "**")
	return p
}

func (p pathPattern) match(s Subject) bool {
	cwd, project := slashed(s.Cwd), slashed(s.Project)
	file := slashed(s.Path)
	if !path.IsAbs(file) {
		base := cwd
		if base == "" {
			base = project
		}
		if base == "" {
			return true
		}
		file = join(base, file)
	}
	file = path.Clean(file)
	switch p.root {
	case projectRoot:
		return p.below(project, file)
	case homeRoot:
		return p.below(slashed(s.Home), file)
	case cwdRoot:
		if cwd == "" {
			cwd = project
		}
		return p.below(cwd, file) || project != "" && p.below(project, file)
	}
	return p.below("/", file)
}

// below reports whether the pattern, read from base, matches file. A base that
// is not known decides nothing.
func (p pathPattern) below(base, file string) bool {
	if base == "" {
		return true
	}
	base = path.Clean(base)
	parts := p.parts
	for len(parts) > 0 && parts[0] == ".." {
		base, parts = path.Dir(base), parts[1:]
	}
	rel := file
	if base != "/" {
		var ok bool
		if rel, ok = strings.CutPrefix(file, base); !ok {
			return false
		}
	}
	if !strings.HasPrefix(rel, "/") {
		return false
	}
	return matchParts(parts, strings.Split(rel[1:], "/"))
}

// slashed writes a Windows path as Claude Code does: C:\x is /c/x.
func slashed(p string) string {
	if len(p) < 2 || p[1] != ':' || !isLetter(p[0]) {
		return p
	}
	return "/" + strings.ToLower(p[:1]) + strings.ReplaceAll(p[2:], `\`, "/")
}

// matchParts matches names of folders one by one. As in wildcard, only the
// last "**" ever needs to be tried again.
func matchParts(pattern, names []string) bool {
	star, resume := -1, 0
	p, i := 0, 0
	for i < len(names) || p < len(pattern) {
		if p < len(pattern) {
			if pattern[p] == "**" {
				star, resume = p, i
				p++
				continue
			}
			if i < len(names) && matchPart(pattern[p], names[i]) {
				p, i = p+1, i+1
				continue
			}
		}
		if star < 0 || resume >= len(names) {
			return false
		}
		resume++
		p, i = star+1, resume
	}
	return true
}

// matchPart matches one name: "*" any run, "?" a character, "[a-z]" a class,
// "\" takes the next character as it is.
func matchPart(pattern, name string) bool {
	star, resume := -1, 0
	p, i := 0, 0
	for i < len(name) || p < len(pattern) {
		if p < len(pattern) {
			if pattern[p] == '*' {
				star, resume = p, i
				p++
				continue
			}
			if i < len(name) {
				r, size := utf8.DecodeRuneInString(name[i:])
				if n, ok := matchOne(pattern[p:], r); ok {
					p, i = p+n, i+size
					continue
				}
			}
		}
		if star < 0 || resume >= len(name) {
			return false
		}
		_, size := utf8.DecodeRuneInString(name[resume:])
		resume += size
		p, i = star+1, resume
	}
	return true
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
// closes is no class.
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
			return i + 1, ok != negated, true
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

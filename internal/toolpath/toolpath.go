// Package toolpath finds the file that an agent's tool opens for a path as a model has written it.
package toolpath

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// Find returns the path of the file that a tool with such rules opens.
func Find(s string, rules schema.PathRules, cwd, home string) string {
	s = opened(existing(spelled(s, rules, cwd, home), cwd, rules), cwd)
	asItIs := rules.Links == schema.AllLinks || rules.Links == schema.WholeLinks && path.IsAbs(s)
	if asItIs && strings.Contains(s, "..") {
		s = throughLinks(s, cwd)
	}
	return s
}

// throughLinks returns a path without "..", which leads to the parent of the actual folder.
func throughLinks(s, cwd string) string {
	whole := s
	if !path.IsAbs(s) {
		whole = cwd + "/" + s
	}
	if !path.IsAbs(whole) {
		return s
	}
	at := "/"
	for name := range strings.SplitSeq(whole, "/") {
		if name == ".." {
			if real, err := filepath.EvalSymlinks(at); err == nil {
				at = filepath.ToSlash(real)
			}
		}
		at = path.Join(at, name)
	}
	return at
}

// spelled returns the path that the text means.
func spelled(s string, rules schema.PathRules, cwd, home string) string {
	if isBlank := blanks[rules.Trim]; isBlank != nil {
		s = strings.TrimFunc(s, func(r rune) bool { return isBlank(r) || strings.ContainsRune(rules.Quotes, r) })
	}
	if rules.Markdown {
		s = linked(s)
	}
	if rest, ok := strings.CutPrefix(s, ":"); ok && rules.Colon && (rooted(rest) || strings.HasPrefix(rest, "~")) {
		s = rest
	}
	if rules.Spaces {
		s = strings.Map(plainBlank, s)
	}
	if rules.Composed {
		s = norm.NFC.String(s)
	}
	if rest, ok := strings.CutPrefix(s, rules.Prefix); ok && rules.First && (!rules.Rooted || atRoot(rest)) {
		s = rest
	}
	if rest, ok := strings.CutPrefix(s, "file:"); ok && rules.Scheme {
		s = strings.TrimPrefix(rest, "//")
	}
	if len(s) > len(scheme) && rules.AnyCase && strings.EqualFold(s[:len(scheme)], scheme) {
		s = scheme + s[len(scheme):]
	}
	if rules.FileURL {
		s = fromURL(s)
	}
	if strings.ContainsAny(s, rules.Drop) {
		s = strings.Map(func(r rune) rune {
			if strings.ContainsRune(rules.Drop, r) {
				return -1
			}
			return r
		}, s)
	}

	if rest, ok := strings.CutPrefix(s, "$HOME/"); ok && rules.HomeName && home != "" {
		s = path.Join(home, rest)
	}
	if rest, ok := strings.CutPrefix(s, "~"); ok && rules.Home && home != "" {
		switch {
		case rest == "", os.IsPathSeparator(rest[0]):
			s = path.Join(home, filepath.ToSlash(rest))
		case rules.Backslash && rest[0] == '\\':
			s = path.Join(home, strings.ReplaceAll(rest, `\`, "/"))
		case rules.AnyHome:
			s = path.Join(home, rest)
		}
	}

	if rules.Slash && !(rules.Whole && path.IsAbs(s)) {
		s = strings.ReplaceAll(s, `\`, "/")
	}
	rest, begins := strings.CutPrefix(s, rules.Prefix)
	if begins && rules.Prefix != "" && !rules.First && !startsThere(s, rules.Prefix, cwd) {
		if s = rest; !rules.Whole {
			s = strings.TrimLeft(rest, "/") // the rest starts at the working directory
		}
	}
	if !rules.Percent || !strings.Contains(s, "%") {
		return s
	}

	if in, ok := percentDecoded(cwd); !ok || in != cwd && Relative(s) { // the client decodes the whole path
		s = path.Join(cwd, s)
	}
	s, _ = percentDecoded(s)
	return s
}

// scheme begins the URL of a file.
const scheme = "file://"

// rooted reports whether a path starts with a root, a drive or dots.
func rooted(s string) bool {
	for _, dots := range []string{"./", `.\`, "../", `..\`} {
		if strings.HasPrefix(s, dots) {
			return true
		}
	}
	return driveOf(s) || strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\`)
}

func driveOf(s string) bool { return len(s) > 1 && s[1] == ':' && ascii.Letter(rune(s[0])) }

// atRoot reports whether a path starts with a root, a drive or the home folder.
func atRoot(s string) bool {
	if driveOf(s) {
		s = s[2:]
	}
	return s == "~" || strings.HasPrefix(s, "~/") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\`)
}

// linked returns the target of a link in Markdown; any other text is unchanged.
func linked(s string) string {
	rest, opens := strings.CutPrefix(strings.TrimFunc(s, patch.ScriptBlank), "[")
	name, target, isLink := strings.Cut(rest, "](")
	target, closes := strings.CutSuffix(target, ")")
	plain := target != "" && !strings.Contains(name, "]") && !strings.Contains(target, ")")
	if opens && isLink && closes && plain {
		return target
	}
	return s
}

// blanks are the characters that each language's trim removes.
var blanks = [...]func(rune) bool{schema.ScriptBlanks: patch.ScriptBlank, schema.UnicodeBlanks: unicode.IsSpace}

// plainBlank returns a space for any blank except U+1680, which no agent counts as one.
func plainBlank(r rune) rune {
	if unicode.Is(unicode.Zs, r) && r != '\u1680' {
		return ' '
	}
	return r
}

// fromURL returns the path in a file's URL as Node's fileURLToPath reads it; any other text is unchanged.
func fromURL(s string) string {
	rest, ok := strings.CutPrefix(s, scheme)
	rest = strings.TrimRightFunc(rest, func(r rune) bool { return r <= ' ' })
	rest = strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(rest)
	if i := strings.IndexAny(rest, "?#"); i >= 0 {
		rest = rest[:i]
	}
	rest = strings.TrimPrefix(rest, "localhost")
	if !ok || !path.IsAbs(rest) {
		return s
	}
	decoded, _ := percentDecoded(rest)
	return decoded
}

// startsThere reports whether a path with a prefix, or its first name, exists as written.
func startsThere(s, prefix, cwd string) bool {
	first := s
	if name, _, more := strings.Cut(s, "/"); more && name != prefix {
		first = name
	}
	_, err := os.Lstat(filepath.Join(cwd, first))
	return err == nil
}

// percentDecoded decodes %XX as JavaScript's decodeURIComponent does; ok is false and the
// text unchanged if it throws.
func percentDecoded(s string) (decoded string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+3 > len(s) {
			return s, false
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return s, false
		}
		b.WriteByte(byte(n))
		i += 2
	}
	if !utf8.ValidString(b.String()) {
		return s, false
	}
	return b.String(), true
}

// Relative reports whether a path is relative to the working directory on any system.
func Relative(s string) bool {
	return s != "" && !strings.ContainsAny(s[:1], `/\~$`) && !(len(s) > 1 && s[1] == ':')
}

// Package toolpath finds the file that an agent's tool opens for a path as a model has
// written it.
package toolpath

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// Find is the path of the file that a tool with such rules looks for.
func Find(s string, rules schema.PathRules, cwd, home string) string {
	if rules.Trim {
		s = strings.TrimFunc(s, patch.ScriptBlank)
	}
	if n := len(s); rules.Quotes && n > 1 && s[0] == s[n-1] && strings.ContainsAny(s[:1], `"'`) {
		s = s[1 : n-1]
	}
	if rules.Scheme {
		s = strings.TrimPrefix(strings.TrimPrefix(s, "file:"), "//")
	}
	if rules.Slash && !(rules.Whole && path.IsAbs(s)) {
		s = strings.ReplaceAll(s, `\`, "/")
	}
	s = strings.ReplaceAll(s, rules.Drop, "")
	if rest, ok := strings.CutPrefix(s, "~"); ok && rules.Home && home != "" &&
		(rest == "" || strings.ContainsAny(rest[:1], `/\`)) {
		s = path.Join(home, strings.ReplaceAll(rest, `\`, "/"))
	}
	if rest, ok := strings.CutPrefix(s, rules.Prefix); ok && rules.Prefix != "" && !startsThere(s, rules.Prefix, cwd) {
		if s = rest; !rules.Whole {
			s = strings.TrimLeft(rest, "/") // what remains starts from the working folder
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

// startsThere reports whether a path with a prefix, or its first name, exists as it is written.
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

// Relative reports whether a path starts from the working folder on any system.
func Relative(s string) bool {
	return s != "" && !strings.ContainsAny(s[:1], `/\~$`) && !(len(s) > 1 && s[1] == ':')
}

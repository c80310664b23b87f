package toolpath

import (
	"os"
	"path"
	"strings"
	"unicode"

	"github.com/hookbridge/hookbridge/schema"
)

// existing is the file that a tool opens where none has the very name of a path: the first whose name varies from it in
// one of the ways. The folders on the way may vary, too. It is s if there is none.
func existing(s, cwd string, ways []schema.Variant) string {
	whole := s
	if !path.IsAbs(s) {
		whole = path.Join(cwd, s)
	}
	if ways[0] == 0 || !path.IsAbs(whole) || exists(whole) {
		return s
	}
	for _, way := range ways {
		if found, ok := variant(path.Clean(whole), way); ok {
			return found
		}
	}
	return s
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// variant finds a file whose name varies in a way.
func variant(file string, way schema.Variant) (found string, ok bool) {
	if file == "/" || exists(file) {
		return file, true
	}
	folder, ok := variant(path.Dir(file), way)
	name := path.Base(file)
	if !ok || !varies(name, way) {
		return "", false
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", false
	}
	want := folded(name, way)
	for _, e := range entries {
		if have := folded(e.Name(), way); have == want || way&schema.VaryForm != 0 && sameLetters(have, want) {
			return path.Join(folder, e.Name()), true
		}
	}
	return "", false
}

// varies reports whether a name can vary: most can't, and their folders aren't read.
func varies(name string, way schema.Variant) bool {
	return folded(name, way) != folded(name, 0) || way&schema.VaryBlanks != 0 && strings.Contains(name, " ") ||
		way&schema.VaryForm != 0 && strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII })
}

// folded is a name without what may vary, but for letters.
func folded(name string, way schema.Variant) string {
	if way&schema.VaryTime != 0 {
		name = timeFolded(name)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case way&schema.VaryQuote != 0 && (r == '\'' || r == '’'):
			return 0
		case way&schema.VaryBlanks != 0:
			return plainBlank(r)
		}
		return r
	}, name)
}

// timeFolded is a name with one mark for the blank before "AM." or "PM.".
func timeFolded(name string) string {
	for i, r := range name {
		rest := strings.TrimPrefix(name[i:], string(r))
		timed := len(rest) > 2 && (strings.EqualFold(rest[:3], "am.") || strings.EqualFold(rest[:3], "pm."))
		if timed && (r == ' ' || r == '\u202f') {
			return name[:i] + "\x00" + timeFolded(rest)
		}
	}
	return name
}

// sameLetters reports whether two names may be the composed and the decomposed form of one. No table says which letters
// a composed one consists of: at worst, a file is shown where the tool opens none.
func sameLetters(a, b string) bool {
	x, y := letters(a), letters(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && !(composes(x[i], y[i]) || composes(y[i], x[i])) {
			return false
		}
	}
	return true
}

// A letter is a character with the marks that follow it.
type letter struct {
	base  rune
	marks string
}

// composes reports whether one may stand for other, a decomposed letter.
func composes(one, other letter) bool {
	return one.base > unicode.MaxASCII && one.base != other.base && len(one.marks) < len(other.marks)
}

func letters(s string) (out []letter) {
	for _, r := range s {
		switch {
		case unicode.Is(unicode.M, r) && len(out) > 0:
			out[len(out)-1].marks += string(r)
		case r >= firstSyllable && r <= lastSyllable:
			for _, part := range jamo(r - firstSyllable) {
				out = append(out, letter{base: part})
			}
		default:
			out = append(out, letter{base: r})
		}
	}
	return out
}

// The syllables of Korean, which are decomposed by arithmetic (Unicode 3.12).
const (
	firstSyllable, lastSyllable = 0xac00, 0xd7a3
	lead, vowel, tail           = 0x1100, 0x1161, 0x11a7
	vowels, tails               = 21, 28
)

func jamo(n rune) []rune {
	parts := []rune{lead + n/(vowels*tails), vowel + n%(vowels*tails)/tails}
	if n%tails != 0 {
		parts = append(parts, tail+n%tails)
	}
	return parts
}

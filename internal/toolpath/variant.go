package toolpath

import (
	"os"
	"path"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/hookbridge/hookbridge/schema"
)

// existing returns the file that a tool opens if none has exactly the name of a path: the first whose name varies from
// it in one of the ways. The folders on the way may vary, too. It is s if there is none.
func existing(s, cwd string, rules schema.PathRules) string {
	if rules.Tries[0] == 0 && !rules.Escapes {
		return s
	}
	if found, ok := variation(s, cwd, rules.Tries); ok {
		return found
	}
	if rules.Escapes && strings.Contains(s, `\`) {
		if found, ok := variation(unescaped(s), cwd, rules.Tries); ok {
			return found
		}
	}
	return s
}

// unescaped returns a path without the backslashes that a shell needs in a name.
func unescaped(s string) string {
	return strings.NewReplacer(`\ `, " ", "\\\t", "\t", `\"`, `"`, `\'`, "'", `\(`, "(", `\)`, ")", `\{`, "{", `\}`,
		"}", `\[`, "[", `\]`, "]").Replace(s)
}

// variation returns the file with a path, or one that varies from it in one of the ways.
func variation(s, cwd string, ways [5]schema.Variant) (found string, ok bool) {
	whole := s
	if !path.IsAbs(s) {
		whole = path.Join(cwd, s)
	}
	if !path.IsAbs(whole) {
		return "", false
	}
	if exists(whole) {
		return s, true
	}
	for _, way := range ways {
		if found, ok := variant(path.Clean(whole), way); ok && way != 0 {
			return found, true
		}
	}
	return "", false
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
		if folded(e.Name(), way) == want {
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

// folded returns a name without what may vary.
func folded(name string, way schema.Variant) string {
	if way&schema.VaryTime != 0 {
		name = timeFolded(name)
	}
	if way&schema.VaryForm != 0 {
		name = norm.NFC.String(name)
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

// timeFolded returns a name with one mark for the blank before "AM." or "PM.".
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

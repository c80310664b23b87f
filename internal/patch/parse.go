package patch

import (
	"errors"
	"slices"
	"strings"
	"unicode"
)

// A Grammar describes how a client reads patches where clients differ. The zero value reads the marks of an updated
// file as written, uses Unicode's blanks, and ends lines at LF or CRLF.
type Grammar struct {
	// LoneCR: a CR without LF ends a line.
	LoneCR bool
	// Indented: the marks within an updated file may have blanks before them.
	Indented bool
	// Trimmed: blanks around a path don't belong to it.
	Trimmed bool
	// Dropped lists characters that don't belong to a path, wherever they are in it.
	Dropped string
	// Blank reports whether a character around a mark doesn't count; nil is unicode.IsSpace.
	Blank func(r rune) bool
}

// Script is OpenCode's grammar (observed 1.18.33): blanks are those of JavaScript.
var Script = Grammar{Trimmed: true, Blank: ScriptBlank}

var documents = []string{"<<EOF", "<<'EOF'", `<<"EOF"`} // possible text before a patch: the start of a here-document

type header struct {
	mark string
	op   Op
}

var headers = []header{{addFile, Add}, {update, Update}, {remove, Delete}}

func (g Grammar) trim(s string) string {
	if g.Blank != nil {
		return strings.TrimFunc(s, g.Blank)
	}
	return strings.TrimFunc(s, unicode.IsSpace)
}

func (g Grammar) lines(text string) []string {
	if g.LoneCR {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// Parse reads a patch, with or without a here-document around it. It accepts empty lines between files. Its time is
// linear in the length of the text.
func (g Grammar) Parse(text string) ([]File, error) {
	lines := g.lines(g.trim(text))
	n := len(lines)
	if n >= 4 && slices.Contains(documents, lines[0]) && strings.HasSuffix(lines[n-1], "EOF") {
		lines = lines[1 : n-1]
		n -= 2
	}
	if n < 2 || g.trim(lines[0]) != begin || g.trim(lines[n-1]) != end {
		return nil, errors.New("the patch doesn't begin with " + begin + " and end with " + end)
	}

	var files []File
	for rest := lines[1 : n-1]; len(rest) > 0; {
		if g.trim(rest[0]) == "" || len(files) == 0 && strings.HasPrefix(rest[0], "*** Environment ID:") {
			rest = rest[1:]
			continue
		}
		f, ok := g.header(g.trim(rest[0]))
		if !ok {
			return nil, errors.New("unexpected line in the patch: " + rest[0])
		}
		used, err := g.body(&f, rest[1:])
		if err != nil {
			return nil, err
		}
		files, rest = append(files, f), rest[1+used:]
	}

	if len(files) == 0 {
		return nil, errors.New("the patch changes no file")
	}
	return files, nil
}

// header reads a line without the blanks around it.
func (g Grammar) header(line string) (File, bool) {
	for _, h := range headers {
		if path, ok := strings.CutPrefix(line, h.mark); ok {
			return File{Op: h.op, Path: g.path(path)}, true
		}
	}
	return File{}, false
}

func (g Grammar) path(s string) string {
	if g.Trimmed {
		s = g.trim(s)
	}
	return g.kept(s)
}

// kept returns a path without the characters that don't belong to it.
func (g Grammar) kept(path string) string {
	if !strings.ContainsAny(path, g.Dropped) {
		return path
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(g.Dropped, r) {
			return -1
		}
		return r
	}, path)
}

// body reads the lines of a file under its header and returns their number.
func (g Grammar) body(f *File, lines []string) (used int, err error) {
	switch f.Op {
	case Update:
		return g.hunks(f, lines)
	case Add:
		var content strings.Builder
		for used < len(lines) && strings.HasPrefix(lines[used], "+") {
			content.WriteString(lines[used][1:] + "\n")
			used++
		}
		f.Content = content.String()
	}
	return used, nil
}

// hunks reads the changes of an updated file: up to a line that begins with "*". In a line that begins differently, a
// mark is text.
func (g Grammar) hunks(f *File, lines []string) (used int, err error) {
	if len(lines) > 0 {
		if to, ok := strings.CutPrefix(g.mark(lines[0]), moveTo); ok {
			if f.MoveTo = g.path(to); !g.Trimmed {
				f.MoveTo = g.kept(strings.TrimRightFunc(to, unicode.IsSpace))
			}
			used++
		}
	}

	open := false // lines belong to the last hunk
	for ; used < len(lines); used++ {
		line := lines[used]
		switch mark := g.mark(line); {
		case line == endOfFile && len(f.Hunks) > 0:
			f.Hunks[len(f.Hunks)-1].AtEnd = true
			open = false
			continue
		case strings.HasPrefix(line, "*"):
			return used, nil
		case !open && g.trim(line) == "":
			continue
		case strings.HasPrefix(line, anchor) || !open && strings.HasPrefix(mark, anchor):
			f.Hunks = append(f.Hunks, Hunk{Anchor: strings.TrimPrefix(mark[len(anchor):], " ")})
			open = true
			continue
		case !open:
			f.Hunks = append(f.Hunks, Hunk{})
			open = true
		}
		h := &f.Hunks[len(f.Hunks)-1]
		switch {
		case line == "":
			h.Lines = append(h.Lines, Line{' ', ""})
		case line[0] == ' ' || line[0] == '-' || line[0] == '+':
			h.Lines = append(h.Lines, Line{line[0], line[1:]})
		case g.trim(line) == "":
			open = false
		default:
			return 0, errors.New("unexpected line under " + f.Path + ": " + line)
		}
	}

	return used, nil
}

func (g Grammar) mark(line string) string {
	if g.Indented {
		return g.trim(line)
	}
	return line
}

// Read is Parse, but for an unparsable patch it also returns the files that it names: the file of each line with a
// mark, anywhere in the line, with the changed lines below it. Clients read some such patches: OpenCode skips lines
// that it doesn't know, and Droid needs no line around the files (programs 1.18.33, 0.225.2).
func (g Grammar) Read(text string) ([]File, error) {
	files, err := g.Parse(text)
	if err == nil {
		return files, nil
	}

	// A CR before a path is a blank in some clients; others are line ends in some.
	text = strings.NewReplacer(":\r", ": ", ": \r", ": ").Replace(text)
	for _, line := range (Grammar{LoneCR: true}).lines(text) {
		last := len(files) - 1
		unmoved := last >= 0 && files[last].Op == Update && files[last].MoveTo == ""
		switch f, ok := g.named(line); {
		case ok && f.Op == 0 && unmoved:
			files[last].MoveTo = f.Path
		case ok:
			f.Op = max(f.Op, Add)
			files = append(files, f)
		case last < 0 || line == "":
		case strings.HasPrefix(line, anchor):
			files[last].Hunks = append(files[last].Hunks, Hunk{})
		case line[0] == ' ' || line[0] == '-' || line[0] == '+':
			if len(files[last].Hunks) == 0 {
				files[last].Hunks = []Hunk{{}}
			}
			h := &files[last].Hunks[len(files[last].Hunks)-1]
			h.Lines = append(h.Lines, Line{line[0], line[1:]})
		}
	}

	for i := range files {
		if f := &files[i]; f.Op != Update {
			var content strings.Builder
			for j := range f.Hunks {
				content.WriteString(f.Hunks[j].New())
			}
			f.Content, f.Hunks = content.String(), nil
		}
	}

	return files, err
}

// named reads a line with a mark, which need not have its last blank. The zero Op is for a new path.
func (g Grammar) named(line string) (File, bool) {
	for _, h := range append(headers[:len(headers):len(headers)], header{moveTo, 0}) {
		_, path, ok := strings.Cut(line, strings.TrimSuffix(h.mark, " "))
		if path = g.kept(g.trim(path)); ok && path != "" {
			return File{Op: h.op, Path: path}, true
		}
	}
	return File{}, false
}

// ScriptBlank reports whether JavaScript's trim removes a character: a byte order mark, and not U+0085.
func ScriptBlank(r rune) bool { return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r) }

// Find reads the patches within a longer text, such as a command that passes them to a program. A patch ends at the
// first line that begins with its end mark. If one can't be parsed, or has no end, Find returns the files that it
// names.
func (g Grammar) Find(text string) (patches [][]File) {
	var lines []string
	add := func() {
		if files, _ := g.Read(strings.Join(lines, "\n")); len(files) > 0 {
			patches = append(patches, files)
		}
		lines = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if i := strings.Index(line, begin); i >= 0 && !strings.HasPrefix(line, "+") {
			add()
			line = line[i:]
		} else if lines == nil {
			continue
		}
		ends := strings.HasPrefix(g.trim(line), end)
		if ends {
			line = end
		}
		if lines = append(lines, line); ends {
			add()
		}
	}
	add()
	return patches
}

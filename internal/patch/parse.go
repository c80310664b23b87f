package patch

import (
	"errors"
	"slices"
	"strings"
	"unicode"
)

// A Grammar says how a client reads patches where clients differ. The zero value takes
// the marks of an updated file as they are written, blanks as Unicode has them, and
// ends lines at LF or CRLF.
type Grammar struct {
	// LoneCR: a CR without LF ends a line.
	LoneCR bool
	// Indented: the marks within an updated file may have blanks before them, and blanks
	// before a path don't belong to it.
	Indented bool
	// Blank reports whether a character around a mark doesn't count; nil is unicode.IsSpace.
	Blank func(r rune) bool
}

var documents = []string{"<<EOF", "<<'EOF'", `<<"EOF"`} // what may stand before a patch: the start of a here-document

var headers = []struct {
	mark string
	op   Op
}{{addFile, Add}, {update, Update}, {remove, Delete}}

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

// Parse reads a patch, whether or not it is wrapped in a here-document. It accepts
// empty lines between files. Its time is linear in the length of the text.
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
	if g.Indented {
		return g.trim(s)
	}
	return s
}

// body reads the lines of a file under its header and returns how many they are.
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

// hunks reads the changes of an updated file: up to a line that begins with "*".
// In a line that begins otherwise, a mark is text.
func (g Grammar) hunks(f *File, lines []string) (used int, err error) {
	if len(lines) > 0 {
		if to, ok := strings.CutPrefix(g.mark(lines[0]), moveTo); ok {
			f.MoveTo = g.path(strings.TrimRightFunc(to, unicode.IsSpace))
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

// Read is Parse, which also returns what a patch that it can't parse names: each file
// of a line with a mark, wherever in the line that is, without content.
func (g Grammar) Read(text string) ([]File, error) {
	files, err := g.Parse(text)
	if err == nil {
		return files, nil
	}
	marks := append(slices.Clone(headers), struct {
		mark string
		op   Op
	}{moveTo, Add})
	for _, line := range (Grammar{LoneCR: true}).lines(text) {
		for _, h := range marks {
			if _, path, ok := strings.Cut(line, h.mark); ok && strings.TrimSpace(path) != "" {
				files = append(files, File{Op: h.op, Path: strings.TrimSpace(path)})
			}
		}
	}
	return files, err
}

// Find reads the patches within a longer text, as a command that passes them to a
// program. A patch ends at the first line that begins with its end mark. One that can't
// be parsed, or has no end, gives what it names.
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

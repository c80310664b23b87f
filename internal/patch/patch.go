// Package patch reads and writes the patch format of the apply_patch tool, in
// which one call adds, updates, moves and deletes several files:
//
//	*** Begin Patch
//	*** Add File: a.txt
//	+new line
//	*** Update File: b.txt
//	*** Move to: c.txt
//	@@ func main
//	 kept
//	-old
//	+new
//	*** Delete File: d.txt
//	*** End Patch
//
// Several agents offer models this tool; the package knows none of them.
package patch

import (
	"errors"
	"strings"
)

// An Op is what a patch does to one file. The zero Op is invalid.
type Op uint8

const (
	_ Op = iota
	Add
	Update
	Delete
)

// A File is one file of a patch.
type File struct {
	Op      Op
	Path    string // as written
	MoveTo  string // new path of an updated file; "": it stays
	Content string // of an added file
	Hunks   []Hunk // of an updated file
}

// A Hunk is one change of an updated file.
type Hunk struct {
	Anchor string // what follows @@: a line to search for first; "": none
	Lines  []Line
	AtEnd  bool // the lines are at the end of the file
}

// A Line is kept (' '), removed ('-') or added ('+').
type Line struct {
	Mark byte
	Text string
}

const (
	begin     = "*** Begin Patch"
	end       = "*** End Patch"
	addFile   = "*** Add File: "
	update    = "*** Update File: "
	remove    = "*** Delete File: "
	moveTo    = "*** Move to: "
	endOfFile = "*** End of File"
)

// Parse reads a patch. Blanks around it, and around its marks, don't count.
func Parse(text string) ([]File, error) {
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")), "\n")
	n := len(lines)
	if n < 2 || strings.TrimSpace(lines[0]) != begin || strings.TrimSpace(lines[n-1]) != end {
		return nil, errors.New("the patch doesn't begin with " + begin + " and end with " + end)
	}
	var files []File
	for _, line := range lines[1 : n-1] {
		if f, ok := header(line); ok {
			files = append(files, f)
			continue
		}
		if len(files) == 0 {
			if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "*** Environment ID:") {
				continue
			}
			return nil, errors.New("the patch has a line before its first file")
		}
		if err := files[len(files)-1].add(line); err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, errors.New("the patch changes no file")
	}
	return files, nil
}

func header(line string) (File, bool) {
	trimmed := strings.TrimRight(line, " \t")
	for _, h := range []struct {
		mark string
		op   Op
	}{{addFile, Add}, {update, Update}, {remove, Delete}} {
		if path, ok := strings.CutPrefix(trimmed, h.mark); ok {
			return File{Op: h.op, Path: strings.TrimSpace(path)}, true
		}
	}
	return File{}, false
}

// add reads a line that belongs to the file.
func (f *File) add(line string) error {
	switch {
	case f.Op == Add && strings.HasPrefix(line, "+"):
		f.Content += line[1:] + "\n"
	case f.Op == Add && strings.TrimSpace(line) == "" || f.Op == Delete && strings.TrimSpace(line) == "":
	case f.Op != Update:
		return errors.New("unexpected line under " + f.Path + ": " + line)
	case strings.HasPrefix(line, moveTo) && len(f.Hunks) == 0:
		f.MoveTo = strings.TrimSpace(line[len(moveTo):])
	case strings.HasPrefix(line, "@@"):
		f.Hunks = append(f.Hunks, Hunk{Anchor: strings.TrimPrefix(line[2:], " ")})
	case strings.TrimSpace(line) == endOfFile && len(f.Hunks) > 0:
		f.Hunks[len(f.Hunks)-1].AtEnd = true
	default:
		if len(f.Hunks) == 0 {
			f.Hunks = append(f.Hunks, Hunk{})
		}
		h := &f.Hunks[len(f.Hunks)-1]
		switch {
		case line == "":
			h.Lines = append(h.Lines, Line{' ', ""})
		case line[0] == ' ' || line[0] == '-' || line[0] == '+':
			h.Lines = append(h.Lines, Line{line[0], line[1:]})
		default:
			return errors.New("unexpected line under " + f.Path + ": " + line)
		}
	}
	return nil
}

// Old is the text that a hunk replaces, New what replaces it; both with a line end
// after each line.
func (h *Hunk) Old() string { return h.text('+') }

// New is the text that replaces Old.
func (h *Hunk) New() string { return h.text('-') }

func (h *Hunk) text(without byte) string {
	var b strings.Builder
	for _, l := range h.Lines {
		if l.Mark != without {
			b.WriteString(l.Text + "\n")
		}
	}
	return b.String()
}

// Changed returns the lines that a hunk removes and those that it adds, with
// the kept lines between them and none around them.
func (h *Hunk) Changed() (old, new string) {
	first, last := 0, len(h.Lines)
	for first < last && h.Lines[first].Mark == ' ' {
		first++
	}
	for last > first && h.Lines[last-1].Mark == ' ' {
		last--
	}
	inner := Hunk{Lines: h.Lines[first:last]}
	return inner.Old(), inner.New()
}

// Replace is a hunk that replaces one text by another, line by line.
func Replace(old, new string) Hunk {
	var h Hunk
	for _, part := range []struct {
		mark byte
		text string
	}{{'-', old}, {'+', new}} {
		if part.text == "" {
			continue
		}
		for _, line := range strings.Split(strings.TrimSuffix(part.text, "\n"), "\n") {
			h.Lines = append(h.Lines, Line{part.mark, line})
		}
	}
	return h
}

// Append writes a patch.
func Append(dst []byte, files []File) []byte {
	dst = append(dst, begin+"\n"...)
	for i := range files {
		dst = files[i].append(dst)
	}
	return append(dst, end+"\n"...)
}

func (f *File) append(dst []byte) []byte {
	switch f.Op {
	case Add:
		dst = append(dst, addFile+f.Path+"\n"...)
		if f.Content == "" {
			return dst
		}
		for _, line := range strings.Split(strings.TrimSuffix(f.Content, "\n"), "\n") {
			dst = append(dst, "+"+line+"\n"...)
		}
	case Delete:
		dst = append(dst, remove+f.Path+"\n"...)
	case Update:
		dst = append(dst, update+f.Path+"\n"...)
		if f.MoveTo != "" {
			dst = append(dst, moveTo+f.MoveTo+"\n"...)
		}
		for i := range f.Hunks {
			h := &f.Hunks[i]
			dst = append(dst, strings.TrimRight("@@ "+h.Anchor, " ")+"\n"...)
			for _, l := range h.Lines {
				dst = append(append(dst, l.Mark), l.Text+"\n"...)
			}
			if h.AtEnd {
				dst = append(dst, endOfFile+"\n"...)
			}
		}
	}
	return dst
}

// InCommand finds the patches that a shell command gives to apply_patch as here
// documents or arguments, in their order.
func InCommand(command string) (patches [][]File) {
	if !strings.Contains(command, "apply_patch") && !strings.Contains(command, "applypatch") {
		return nil
	}
	for {
		from := strings.Index(command, begin)
		if from < 0 {
			return patches
		}
		to := strings.Index(command[from:], end)
		if to < 0 {
			return patches
		}
		to += from + len(end)
		if files, err := Parse(command[from:to]); err == nil {
			patches = append(patches, files)
		}
		command = command[to:]
	}
}

// Package patch reads and writes the patch format of the apply_patch tool, in which one call adds, updates, moves and
// deletes several files:
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
// Several agents offer models this tool; the package depends on none of them.
package patch

import "strings"

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
	Anchor string // the text after @@: a line to search for first; "": none
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
	anchor    = "@@"
)

// Old returns the text that a hunk replaces, with a line end after each line.
func (h *Hunk) Old() string { return h.text('+') }

// New returns the text that replaces Old, in the same form.
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

// Changed returns the lines that a hunk removes and the lines it adds, with the kept lines between them and none around
// them.
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

// Replace returns a hunk that replaces one text with another, line by line.
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

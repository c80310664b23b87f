package ordjson

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// An Index finds the places of many offsets in one text. It reads the text for
// line ends once, at the first question. NewIndex makes one; it is for one caller
// at a time.
type Index struct {
	src   []byte
	lines []int // offset of each line's first byte; nil: not read yet

	// The last answer: places are asked for in the text's order, and counting
	// from there keeps a file of one long line from taking quadratic time.
	last struct{ start, off, col int }
}

// NewIndex returns an Index of src, which must not change.
func NewIndex(src []byte) *Index { return &Index{src: src} }

// Position is the function Position for the index's text.
func (x *Index) Position(off int) (line, col int) {
	if x.lines == nil {
		x.lines = append(x.lines, 0)
		for i := 0; ; {
			n := bytes.IndexByte(x.src[i:], '\n')
			if n < 0 {
				break
			}
			i += n + 1
			x.lines = append(x.lines, i)
		}
	}
	off = max(0, min(off, len(x.src)))
	n := sort.SearchInts(x.lines, off+1)
	start := x.lines[n-1]
	if n == 1 { // byte order marks take no column
		start += len(x.src) - len(TrimBOM(x.src))
	}
	start = min(start, off)
	from, col := start, 1
	if x.last.start == start && x.last.col > 0 && x.last.off <= off {
		from, col = x.last.off, x.last.col
	}
	col += utf8.RuneCount(x.src[from:off])
	if off == len(x.src) || utf8.RuneStart(x.src[off]) { // else the count began within a character
		x.last.start, x.last.off, x.last.col = start, off, col
	}
	return n, col
}

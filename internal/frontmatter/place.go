package frontmatter

import (
	"bytes"

	"github.com/hookbridge/hookbridge/internal/yaml"
)

type place struct{ line, col int }

// A source is a document and its place in its file.
type source struct {
	line     int   // on which it begins
	tabs     []int // at the start of each line, where the text that was read has two blanks for each
	expanded int   // how many values aliases have expanded to so far
}

func (s *source) of(n *yaml.Node) place { return s.place(n.Line, n.Col) }

// place returns the place of a line and column of the text that was read.
func (s *source) place(line, col int) place {
	if line <= len(s.tabs) {
		if tabs := s.tabs[line-1]; col > 2*tabs {
			col -= tabs
		} else {
			col = (col + 1) / 2
		}
	}
	return place{s.line + line - 1, col}
}

func (s *source) errorAt(p place, msg string) *Error {
	return &Error{Line: p.line, Col: p.col, Msg: msg}
}

func leadingTabs(text []byte) (tabs []int) {
	for line := range bytes.Lines(text) {
		tabs = append(tabs, len(line)-len(bytes.TrimLeft(line, "\t")))
	}
	return tabs
}

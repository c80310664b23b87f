package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A Cell is one field of a line of text.
type Cell struct{ Text, Color string }

// A Text is a table for a terminal: lines of cells in columns.
type Text struct {
	P    Painter
	rows [][]Cell
	Full bool // fill the last column with blanks too
}

// Add appends a line.
func (t *Text) Add(row ...Cell) { t.rows = append(t.rows, row) }

func (t *Text) Write(w io.Writer) {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Width(c.Text))
		}
	}
	for _, row := range t.rows {
		line := ""
		for i, c := range row {
			line += t.P.Paint(c.Color, c.Text)
			line += strings.Repeat(" ", widths[i]-Width(c.Text))
			if i < len(row)-1 {
				line += "  "
			}
		}
		if !t.Full {
			line = strings.TrimRight(line, " ")
		}
		fmt.Fprintln(w, line)
	}
}

// Width counts the columns of s. Color marks have no width.
func Width(s string) (n int) {
	for s != "" {
		if rest, ok := strings.CutPrefix(s, "\x1b["); ok {
			_, s, _ = strings.Cut(rest, "m")
			continue
		}
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		n++
	}
	return n
}

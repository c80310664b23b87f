package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

type cell struct{ text, color string }

type text struct {
	p    painter
	rows [][]cell
	full bool // blanks fill the last column too
}

func (t *text) add(row ...cell) { t.rows = append(t.rows, row) }

func (t *text) write(w io.Writer) {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(c.text))
		}
	}
	for _, row := range t.rows {
		line := ""
		for i, c := range row {
			line += t.p.paint(c.color, c.text)
			line += strings.Repeat(" ", widths[i]-width(c.text))
			if i < len(row)-1 {
				line += "  "
			}
		}
		if !t.full {
			line = strings.TrimRight(line, " ")
		}
		fmt.Fprintln(w, line)
	}
}

// width counts the columns of s: color marks have none.
func width(s string) (n int) {
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

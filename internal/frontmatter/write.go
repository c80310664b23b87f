package frontmatter

import (
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A piece is a part of the JSON text and where it should begin.
type piece struct {
	text []byte
	col  int  // wanted column; 0: at once
	soft bool // moves to the left for the next piece
}

// A writer lays out JSON line by line. It collects the pieces of a line until it is complete: a name may have to be
// further left than in YAML, so that its value, after JSON's quotes and colon, has its column in YAML.
type writer struct {
	src       *source
	out       []byte
	line, col int // the end of out
	pieces    []piece
}

func (w *writer) goTo(p place) {
	if p.line <= w.line {
		return
	}
	w.flush()
	for ; w.line < p.line; w.line++ {
		w.out = append(w.out, '\n')
	}
	w.col = 1
}

// open writes a bracket or brace. A mapping in block style begins where its first key does, so its brace goes before
// that place.
func (w *writer) open(c byte, p place, before bool) {
	w.goTo(p)
	if before {
		p.col--
	}
	w.pieces = append(w.pieces, piece{[]byte{c}, p.col, true})
}

func (w *writer) attach(c byte) { w.pieces = append(w.pieces, piece{[]byte{c}, 0, true}) }

func (w *writer) name(s string, p place) {
	w.goTo(p)
	w.pieces = append(w.pieces, piece{append(ordjson.AppendString(nil, s), ':'), p.col, true})
}

func (w *writer) scalar(text []byte, p place) {
	w.goTo(p)
	w.pieces = append(w.pieces, piece{text, p.col, false})
}

func (w *writer) flush() {
	next := 0 // the wanted column of the next piece; 0: any
	for i := len(w.pieces) - 1; i >= 0; i-- {
		p := &w.pieces[i]
		if p.col == 0 {
			next = 0
			continue
		}
		if p.soft && next > 0 {
			p.col = max(1, min(p.col, next-utf8.RuneCount(p.text)))
		}
		next = p.col
	}
	for _, p := range w.pieces {
		for ; w.col < p.col; w.col++ {
			w.out = append(w.out, ' ')
		}
		w.out = append(w.out, p.text...)
		w.col += utf8.RuneCount(p.text)
	}
	w.pieces = w.pieces[:0]
}

package main

import (
	"io"
	"os"
)

// A painter colours words for a terminal; the zero painter leaves them alone.
type painter struct{ on bool }

// painterFor colours what goes to a terminal, unless NO_COLOR asks for plain
// text (https://no-color.org) or the terminal is a dumb one.
func painterFor(w io.Writer) painter {
	f, ok := w.(interface{ Stat() (os.FileInfo, error) })
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return painter{}
	}
	info, err := f.Stat()
	return painter{err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// Colours by what they say, not by how they look.
const (
	good   = "32" // green
	middle = "33" // yellow
	bad    = "31" // red
	faint  = "2"
	strong = "1"
)

// paint wraps s in a colour. Blanks around a word must be added outside: the
// marks have no width.
func (p painter) paint(colour, s string) string {
	if !p.on || s == "" || colour == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

package main

import (
	"io"
	"os"
	"strings"
)

// A painter colors words for a terminal; the zero painter leaves them alone.
type painter struct{ on bool }

// painterFor colors what goes to a terminal that has colors.
func painterFor(w io.Writer) painter {
	if p, ok := w.(*progress); ok {
		w = p.w
	}
	t, ok := w.(terminal)
	return painter{ok && t.marks}
}

// colored reports whether output to a file is colored: --color decides, then NO_COLOR
// (https://no-color.org) and FORCE_COLOR, then whether the file is a terminal that is
// not a dumb one.
func colored(f *os.File, mode string) bool {
	switch {
	case mode == "always":
		return true
	case mode == "never" || os.Getenv("NO_COLOR") != "":
		return false
	case os.Getenv("FORCE_COLOR") != "" && os.Getenv("FORCE_COLOR") != "0":
		return true
	}
	return os.Getenv("TERM") != "dumb" && isTerminal(f)
}

// isTerminal reports whether a person is at the other end of a file.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && f.Name() != os.DevNull
}

// colorMode is the value of --color on a command line, "auto" if it isn't there.
// A wrong value is reported when the flags are parsed.
func colorMode(args []string) string {
	for i, a := range args {
		switch name, value, has := strings.Cut(strings.TrimPrefix(a, "-"), "="); {
		case a == "--":
			return "auto"
		case name != "-color" && name != "color" || !strings.HasPrefix(a, "-"):
		case has:
			return value
		case i+1 < len(args):
			return args[i+1]
		}
	}
	return "auto"
}

// Colors by what they say, not by how they look.
const (
	good   = "32" // green
	middle = "33" // yellow
	bad    = "31" // red
	faint  = "2"
	strong = "1"
)

// paint wraps s in a color. Blanks around a word must be added outside: the marks
// have no width.
func (p painter) paint(color, s string) string {
	if !p.on || s == "" || color == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

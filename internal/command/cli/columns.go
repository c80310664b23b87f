package cli

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

const (
	usualColumns = 80  // for a terminal of unknown width, and for other output
	mostColumns  = 120 // longer lines are hard to read
	leastColumns = 40
)

// Columns returns the width of lines for w: the variable COLUMNS, or else the terminal's width.
func Columns(w io.Writer) int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n, leastColumns)
	}
	if p, ok := w.(*Progress); ok {
		w = p.w
	}
	if t, ok := w.(terminal); ok && isTerminal(t.File) {
		if n := columnsOf(t.Fd); n > 0 {
			return min(max(n, leastColumns), mostColumns)
		}
	}
	return usualColumns
}

// PrintWrapped writes a text in lines that fit. The first begins with lead, all others with as many blanks.
func PrintWrapped(w io.Writer, lead, text string) {
	text = schema.Printable(text)
	if strings.HasPrefix(text, "fix: hookbridge ") {
		PrintCommand(w, lead, text)
		return
	}
	printLines(w, lead, Wrapped(text, Columns(w)-Width(lead)))
}

// PrintCommand does the same for a command line, which can still be copied into a shell.
func PrintCommand(w io.Writer, lead, text string) {
	printLines(w, lead, wrappedCommand(schema.Printable(text), Columns(w)-Width(lead)))
}

func printLines(w io.Writer, lead string, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, strings.TrimRight(lead+line, " "))
		lead = strings.Repeat(" ", Width(lead))
	}
}

// Wrapped breaks a text between words into lines of at most that many columns. Blanks inside a line stay.
func Wrapped(text string, most int) (lines []string) {
	line := ""
	for text = strings.TrimLeft(text, " \n"); text != ""; {
		end := strings.IndexAny(text, " \n")
		if end < 0 {
			end = len(text)
		}
		word, rest := text[:end], strings.TrimLeft(text[end:], " \n")
		if line != "" && Width(line)+Width(word) > most {
			lines, line = append(lines, strings.TrimRight(line, " ")), ""
		}
		gap := strings.ReplaceAll(text[end:len(text)-len(rest)], "\n", " ")
		line, text = line+word+gap, rest
	}
	return append(lines, strings.TrimRight(line, " "))
}

// wrappedCommand breaks a command line so that it can still be copied into a shell.
func wrappedCommand(text string, most int) (lines []string) {
	const on = " \\"
	line, quote := "", rune(0)
	var words []string
	for _, r := range text {
		switch {
		case r == ' ' && quote == 0:
			words, line = append(words, line), ""
			continue
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		}
		line += string(r)
	}
	words, line = append(words, line), ""

	for i, word := range words {
		room := most - len(on)
		if i == len(words)-1 {
			room = most
		}
		if line != "" && Width(line)+1+Width(word) > room {
			lines, line = append(lines, line+on), "  "+word
			continue
		}
		line = strings.TrimLeft(line+" ", " ") + word
		if len(lines) > 0 {
			line = "  " + strings.TrimLeft(line, " ")
		}
	}
	return append(lines, line)
}

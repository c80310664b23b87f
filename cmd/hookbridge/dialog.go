package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// A dialog asks a person at a terminal.
type dialog struct {
	in  *bufio.Reader
	out io.Writer
}

// newDialog returns nil if there is nobody to ask: both ends must be a terminal.
func newDialog(std stdio) *dialog {
	in, ok := std.in.(*os.File)
	out, ok2 := std.out.(terminal)
	if !ok || !ok2 || !isTerminal(in) || !isTerminal(out.File) {
		return nil
	}
	return &dialog{bufio.NewReader(in), out}
}

// yes asks a question; an empty answer is the usual one, and so is none.
func (d *dialog) yes(question string, usual bool) bool {
	choice := "[Y/n]"
	if !usual {
		choice = "[y/N]"
	}
	for {
		fmt.Fprintf(d.out, "%s %s ", question, choice)
		line, err := d.in.ReadString('\n')
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return true
		case "n", "no":
			return false
		case "":
			if err != nil { // the terminal is gone: nobody has agreed
				return false
			}
			return usual
		}
	}
}

// toggle shows numbered choices until they are as the person wants them.
func (d *dialog) toggle(show func(), n int, flip func(int)) {
	for {
		show()
		fmt.Fprint(d.out, "Enter to continue, or numbers to switch: ")
		line, err := d.in.ReadString('\n')
		words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\r' || r == '\t' })
		if len(words) == 0 || err != nil {
			return
		}
		for _, w := range words {
			if i, err := strconv.Atoi(w); err == nil && i >= 1 && i <= n {
				flip(i - 1)
			}
		}
	}
}

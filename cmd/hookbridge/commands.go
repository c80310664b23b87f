package main

import "github.com/hookbridge/hookbridge/internal/suggest"

// A command is one word after hookbridge. Help, completion, the manual page and the
// suggestions for typos are all generated from it.
type command struct {
	name, summary string
	// args follows the flags in the usage line. A part in capitals is a placeholder,
	// one with | is a choice.
	args     string
	about    string // paragraphs, lines broken as they are printed
	exits    string // the exit statuses that it has, beside 64 for wrong usage
	examples []example
	define   func(*flags) // nil: no flags
	run      func(args []string, io stdio) int
}

type example struct{ line, says string }

// flags lists the command's flags.
func (c *command) flags() []flagDoc {
	if c.define == nil {
		return nil
	}
	f := newFlags(c.name)
	c.define(f)
	if n := len(f.list); n > 0 && f.list[0].name == "color" { // the last to be read about
		f.list = append(f.list[1:n:n], f.list[0])
	}
	return f.list
}

// commandNamed returns the command, nil if there is none.
func commandNamed(name string) *command {
	all := commands()
	for i := range all {
		if all[i].name == name {
			return &all[i]
		}
	}
	return nil
}

func commandNames() (names []string) {
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return names
}

// noCommand says that there is no command of that name, and which was meant.
func noCommand(name string) string {
	return "no command \"" + name + "\"" + suggest.Question(name, commandNames())
}

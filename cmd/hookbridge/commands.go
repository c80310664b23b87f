package main

import (
	"errors"
	"flag"
	"fmt"
	"strconv"

	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

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
	tool     func() tool // nil for help, which reads its arguments itself
}

// A tool is one call of a command.
type tool interface {
	define(*flags)
	// run gets the arguments that aren't flags. An errUsage is a mistake on the command
	// line, any other error one that the command ends with.
	run(fs *flags, rest []string, std stdio) (code int, err error)
}

// A plain tool has no flags.
type plain func(rest []string, std stdio) (code int, err error)

func (plain) define(*flags) {}

func (p plain) run(_ *flags, rest []string, std stdio) (int, error) { return p(rest, std) }

func (c *command) call(args []string, std stdio) int {
	fs, t := newFlags(c.name), c.tool()
	t.define(fs)
	rest, err := fs.parse(args)
	if err == nil && c.args == "" && len(rest) > 0 {
		err = errUsage{"unexpected argument " + strconv.Quote(rest[0])}
	}
	code := exitOK
	if err == nil {
		code, err = t.run(fs, rest, std)
	}
	switch {
	case err == nil:
		return code
	case errors.Is(err, flag.ErrHelp):
		printHelp(std.out, c.name)
		return exitOK
	case errors.As(err, new(errUsage)):
		fmt.Fprintf(std.err, "hookbridge %s: %s\nsee hookbridge %s --help\n", c.name, schema.Printable(err.Error()), c.name)
		return exitUsage
	}
	fmt.Fprintf(std.err, "hookbridge %s: %s\n", c.name, schema.Printable(err.Error()))
	return exitFail
}

type example struct{ line, says string }

func (c *command) flags() []flagDoc {
	f := newFlags(c.name)
	if c.tool != nil {
		c.tool().define(f)
	}
	switch n := len(f.list); {
	case n < 2:
		return nil // every command has --color
	case f.list[0].name == "color": // the last to be read about
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

func commandNames() []string {
	return each(commands(), func(c command) string { return c.name })
}

// noCommand says that there is no command of that name, and which was meant.
func noCommand(name string) string {
	return "no command \"" + name + "\"" + suggest.Question(name, commandNames())
}

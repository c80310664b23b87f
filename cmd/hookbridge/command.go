package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// Exit statuses are part of the interface: hosts and scripts branch on them.
// None is 2, which means "block" to the hosts.
const (
	exitOK    = 0
	exitFail  = 1  // hookbridge failed; the reason is on stderr
	exitUsage = 64 // the command line is wrong
)

// failIf is the exit status of a command that did its work and found a fault.
func failIf(fault bool) int {
	if fault {
		return exitFail
	}
	return exitOK
}

// stdio is what a command talks to.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// answersHost reports whether a host calls the command and reads its output.
func answersHost(command string) bool { return command == "run" || command == cmdline.GuardWord }

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
	looks    bool        // it only looks at files, so it ends within lookLimit
	tool     func() tool // nil for help, which reads its arguments itself
}

// A tool is one call of a command.
type tool interface {
	define(*flags)
	// run gets the arguments that aren't flags. An errUsage is a mistake on the command
	// line, any other error one that the command ends with.
	run(fs *flags, rest []string, std stdio) (code int, err error)
}

// lookLimit ends a command that only looks: what a repository holds must not keep CI from a verdict.
const lookLimit = time.Minute

type plain func(rest []string, std stdio) (code int, err error)

func (plain) define(*flags) {}

func (p plain) run(_ *flags, rest []string, std stdio) (int, error) { return p(rest, std) }

func (c *command) call(args []string, std stdio) int {
	fs, t := newFlags(c.name), c.tool()
	t.define(fs)
	rest, err := fs.parse(args)
	if err == nil && c.args == "" && len(rest) > 0 {
		err = errUsage{"unexpected argument " + strconv.Quote(rest[0]) + fs.meant(rest[0])}
	}
	code := exitOK
	if c.looks {
		defer time.AfterFunc(lookLimit, func() {
			const late = "hookbridge %s: gave up after %s; please report the files that it reads\n"
			fmt.Fprintf(std.err, late, c.name, lookLimit)
			os.Exit(exitFail)
		}).Stop()
	}
	if err == nil {
		code, err = t.run(fs, rest, std)
	}
	switch {
	case err == nil:
		return code
	case errors.Is(err, flag.ErrHelp):
		c.printHelp(std.out)
		return exitOK
	}
	text := err.Error()
	if !answersHost(c.name) { // its host knows neither folder
		text = spoken(text)
	}
	fmt.Fprintf(std.err, "hookbridge %s: %s\n", c.name, schema.Printable(text))
	if errors.As(err, new(errUsage)) {
		fmt.Fprintf(std.err, "see hookbridge %s --help\n", c.name)
		return exitUsage
	}
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

const exitLoss = 3 // written, but something is lost or weaker

// commandNamed is the command of that name, nil if there is none.
func commandNamed(all []command, name string) *command {
	return lists.Find(all, func(c *command) bool { return c.name == name })
}

func commandNames(all []command) []string {
	return each(all, func(c command) string { return c.name })
}

// noCommand says that there is no command of that name, and which was meant.
func noCommand(all []command, name string) string {
	return "no command \"" + name + "\"" + suggest.Question(name, commandNames(all))
}

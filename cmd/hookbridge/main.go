// Hookbridge runs the hooks of one coding agent under another, unchanged.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
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

func main() {
	std := stdio{in: os.Stdin, out: steady{os.Stdout, 1}, err: newTerminal(os.Stderr, 2, "auto")}
	if len(os.Args) < 2 || !answersHost(os.Args[1]) {
		color := colorMode(os.Args)
		std.out, std.err = newTerminal(os.Stdout, 1, color), newTerminal(os.Stderr, 2, color)
	}
	os.Exit(recovered(os.Args[1:], std, dispatch))
}

// recovered runs a command and turns a fault of the program into a report: left
// alone it would end with status 2, which hosts take for a decision. An answer that
// is out already stays the answer.
func recovered(args []string, std stdio, command func([]string, stdio) int) (code int) {
	out := &countingWriter{w: std.out}
	run := len(args) > 0 && answersHost(args[0])
	if run {
		std.out = out
	}
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		fmt.Fprintf(std.err, "hookbridge: internal error: %s; please report it with this command line\n",
			schema.Printable(fmt.Sprint(v)))
		code = exitFail
		if run && out.n > 0 {
			code = exitOK
		} else if answer := refusalFor(args); run && answer != nil {
			out.w.Write(append(answer, '\n'))
			code = exitOK
		}
	}()
	return command(args, std)
}

// refusalFor is the refusal that a command line of run asks for where hookbridge
// fails, nil if it asks for none.
func refusalFor(args []string) []byte {
	call, _ := cmdline.Parse("hookbridge", args)
	if call.Rules == nil && (!call.Has("fail-closed") || call.Value("fail-closed") == "false") {
		return nil
	}
	host, err := adapter.Find(call.Value("host"))
	if err != nil {
		host = adapter.Dialects()[0]
	}
	return host.Refuse(nil, "", "hookbridge failed and couldn't run the hooks for this call")
}

// answersHost reports whether a host calls the command and reads its output.
func answersHost(command string) bool { return command == "run" || command == cmdline.GuardWord }

type countingWriter struct {
	w io.Writer
	n int
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += n
	return n, err
}

func dispatch(args []string, std stdio) int {
	if len(args) == 0 {
		usage(std.err)
		return exitUsage
	}
	switch args[0] {
	case "run": // called at every event: the table is not made for it
		run := command{name: "run", args: "-- PROGRAM", tool: func() tool { return new(runFlags) }}
		return run.call(args[1:], std)
	case cmdline.GuardWord:
		guard := command{name: cmdline.GuardWord, args: "RULE...", tool: func() tool { return new(guardFlags) }}
		return guard.call(args[1:], std)
	case "help":
		return helpCommand(args[1:], std)
	case bridge.AsyncCommand: // not for people: hookbridge starts itself so
		return asyncCommand(std)
	case "-h", "--help", "-help":
		usage(std.out)
		return exitOK
	case "-v", "--version":
		return commandNamed("version").call(nil, std)
	}
	if c := commandNamed(args[0]); c != nil {
		return c.call(args[1:], std)
	}
	fmt.Fprintf(std.err, "hookbridge: %s\nsee hookbridge help\n", noCommand(args[0]))
	return exitUsage
}

func asyncCommand(std stdio) int {
	job, err := io.ReadAll(std.in)
	if err == nil {
		err = bridge.RunAsync(job, os.Environ(), time.Now)
	}
	if err != nil {
		fmt.Fprintln(std.err, "hookbridge:", err)
		return exitFail
	}
	return exitOK
}

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
		printHelp(std.out, c.name)
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

func commandNamed(name string) *command {
	return lists.Find(commands(), func(c *command) bool { return c.name == name })
}

func commandNames() []string {
	return each(commands(), func(c command) string { return c.name })
}

// noCommand says that there is no command of that name, and which was meant.
func noCommand(name string) string {
	return "no command \"" + name + "\"" + suggest.Question(name, commandNames())
}

const exitLoss = 3 // written, but something is lost or weaker

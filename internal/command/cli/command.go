// Package cli is the basis of every command: flags, help, exit statuses, terminals, tables, paths as people read them,
// and the only place that reads the environment.
package cli

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

// Exit statuses are part of the interface: hosts and scripts branch on them. None is 2, which means "block" to the
// hosts. Only run and guard end with 2, for a host that reads nothing else.
const (
	OK         = 0
	Failed     = 1  // hookbridge failed; the reason is on stderr
	WrongUsage = 64 // the command line is wrong
)

// FailIf returns the exit status of a command that did its work, Failed if it found a fault.
func FailIf(fault bool) int {
	if fault {
		return Failed
	}
	return OK
}

// IO has the streams of a command.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
}

// AnswersHost reports whether a host calls the command and reads its output.
func AnswersHost(command string) bool { return command == "run" || command == cmdline.GuardWord }

// A Command is one word after hookbridge. Help, completion, the manual page and the suggestions for typos are generated
// from it.
type Command struct {
	Name, Summary string
	// Args follows the flags in the usage line. A part in capitals is a placeholder, a part with | is a choice.
	Args     string
	About    string // paragraphs, lines broken as they are printed
	Exits    string // the exit statuses that it has, besides 64 for wrong usage
	Examples []Example
	Looks    bool        // it only reads files, so it must end within lookLimit
	Tool     func() Tool // nil for help, which reads its arguments itself
}

// A Tool is one call of a command.
type Tool interface {
	Define(*Flags)
	// Run gets the arguments that aren't flags. A UsageError is a mistake on the command line. Any other error ends the
	// command.
	Run(fs *Flags, rest []string, std IO) (code int, err error)
}

// lookLimit ends a command that only reads: no repository may keep CI from a verdict.
const lookLimit = time.Minute

// Plain is a command without flags of its own.
type Plain func(rest []string, std IO) (code int, err error)

func (Plain) Define(*Flags) {}

func (p Plain) Run(_ *Flags, rest []string, std IO) (int, error) { return p(rest, std) }

// Call parses a command line, runs the command and returns its exit status. Errors go to std.Err.
func (c *Command) Call(args []string, std IO) int {
	fs, t := NewFlags(c.Name), c.Tool()
	fs.line = args
	t.Define(fs)
	rest, err := fs.parse(args)
	if err == nil && c.Args == "" && len(rest) > 0 {
		err = UsageError{"unexpected argument " + strconv.Quote(rest[0]) + fs.meant(rest[0])}
	}

	code := OK
	if c.Looks {
		defer time.AfterFunc(lookLimit, func() {
			const late = "hookbridge %s: gave up after %s; please report the files that it reads\n"
			fmt.Fprintf(std.Err, late, c.Name, lookLimit)
			os.Exit(Failed)
		}).Stop()
	}

	if err == nil {
		code, err = t.Run(fs, rest, std)
	}

	switch {
	case err == nil:
		return code
	case errors.Is(err, flag.ErrHelp):
		c.PrintHelp(std.Out)
		return OK
	}

	text := err.Error()
	if !AnswersHost(c.Name) { // its host has neither folder
		text = Spoken(text)
	}

	fmt.Fprintf(std.Err, "hookbridge %s: %s\n", c.Name, schema.Printable(text))
	if errors.As(err, new(UsageError)) {
		fmt.Fprintf(std.Err, "see hookbridge %s --help\n", c.Name)
		return WrongUsage
	}

	return Failed
}

// An Example is a command line, and what it does.
type Example struct{ Line, Says string }

// Flags documents the flags of the command. It is nil if --color is the only one.
func (c *Command) Flags() []FlagDoc {
	f := NewFlags(c.Name)
	if c.Tool != nil {
		c.Tool().Define(f)
	}
	switch n := len(f.List); {
	case n < 2:
		return nil // every command has --color
	case f.List[0].Name == "color": // comes last in help
		f.List = append(f.List[1:n:n], f.List[0])
	}
	return f.List
}

const Lossy = 3 // written, but something is lost or weaker

// Named returns the command with that name, or nil.
func Named(all []Command, name string) *Command {
	return lists.Find(all, func(c *Command) bool { return c.Name == name })
}

// Names lists the names of commands.
func Names(all []Command) []string {
	return lists.Map(all, func(c Command) string { return c.Name })
}

// NoCommand reports that a command doesn't exist, and suggests a similar name.
func NoCommand(all []Command, name string) string {
	return "no command \"" + name + "\"" + suggest.Question(name, Names(all))
}

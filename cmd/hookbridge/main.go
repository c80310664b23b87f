// Hookbridge runs the hooks of one coding agent under another, unchanged.
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/help"
	"github.com/hookbridge/hookbridge/internal/command/run"
	_ "github.com/hookbridge/hookbridge/internal/startstack"
	"github.com/hookbridge/hookbridge/schema"
)

func main() {
	std := standard(os.Args[1:], os.Stdin, cli.Steady{File: os.Stdout, Fd: 1}, cli.Steady{File: os.Stderr, Fd: 2})
	os.Exit(recovered(os.Args[1:], std, dispatch))
}

// standard returns the streams of a command line. A host gets its answer without colors.
func standard(args []string, in io.Reader, out, errs cli.Steady) cli.IO {
	if len(args) > 0 && cli.AnswersHost(args[0]) {
		return cli.IO{In: in, Out: out, Err: cli.NewTerminal(errs, "auto")}
	}
	color := cli.ColorMode(args)
	return cli.IO{In: in, Out: cli.NewTerminal(out, color), Err: cli.NewTerminal(errs, color)}
}

// recovered runs a command and turns a fault of the program into a report: a panic would end it with status 2, which
// hosts take for a decision. An answer that is already written stays the answer.
func recovered(args []string, std cli.IO, command func([]string, cli.IO) int) (code int) {
	out := &countingWriter{w: std.Out}
	run := len(args) > 0 && cli.AnswersHost(args[0])
	if run {
		std.Out = out
	}
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		fmt.Fprintf(std.Err, "hookbridge: internal error: %s; please report it with this command line\n",
			schema.Printable(fmt.Sprint(v)))
		code = cli.Failed
		if run && out.n > 0 {
			code = cli.OK
		} else if answer := refusalFor(args); run && answer != nil {
			out.w.Write(append(answer, '\n'))
			code = cli.OK
		}
	}()
	return command(args, std)
}

// refusalFor returns the denial that a command line of run requires if hookbridge fails, or nil.
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

type countingWriter struct {
	w io.Writer
	n int
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += n
	return n, err
}

func dispatch(args []string, std cli.IO) int {
	if len(args) == 0 {
		help.Usage(std.Err, commands())
		return cli.WrongUsage
	}

	switch args[0] {
	case "run": // called at every event: doesn't build the table
		run := run.Command()
		return run.Call(args[1:], std)
	case cmdline.GuardWord:
		guard := run.Guard()
		return guard.Call(args[1:], std)
	case bridge.AsyncCommand: // not for people: hookbridge starts itself so
		return asyncCommand(std)
	}

	all := commands()
	switch args[0] {
	case "-h", "--help", "-help":
		help.Usage(std.Out, all)
		return cli.OK
	case "-v", "--version":
		args = []string{"version"}
	}

	if c := cli.Named(all, args[0]); c != nil {
		return c.Call(args[1:], std)
	}

	fmt.Fprintf(std.Err, "hookbridge: %s\nsee hookbridge help\n", cli.NoCommand(all, args[0]))
	return cli.WrongUsage
}

func asyncCommand(std cli.IO) int {
	job, err := io.ReadAll(std.In)
	if err == nil {
		err = bridge.RunAsync(job, os.Environ(), time.Now)
	}
	if err != nil {
		fmt.Fprintln(std.Err, "hookbridge:", err)
		return cli.Failed
	}
	return cli.OK
}

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
	"github.com/hookbridge/hookbridge/schema"
)

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
		usage(std.err, commands())
		return exitUsage
	}
	switch args[0] {
	case "run": // called at every event: the table is not made for it
		run := rowRun()
		return run.call(args[1:], std)
	case cmdline.GuardWord:
		guard := rowGuard()
		return guard.call(args[1:], std)
	case bridge.AsyncCommand: // not for people: hookbridge starts itself so
		return asyncCommand(std)
	}
	all := commands()
	switch args[0] {
	case "-h", "--help", "-help":
		usage(std.out, all)
		return exitOK
	case "-v", "--version":
		args = []string{"version"}
	}
	if c := commandNamed(all, args[0]); c != nil {
		return c.call(args[1:], std)
	}
	fmt.Fprintf(std.err, "hookbridge: %s\nsee hookbridge help\n", noCommand(all, args[0]))
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

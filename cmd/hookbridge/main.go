// Hookbridge runs the hooks of one coding agent under another, unchanged.
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
)

// Exit statuses are part of the interface: hosts and scripts branch on them.
// None is 2, which means "block" to the hosts.
const (
	exitOK    = 0
	exitFail  = 1  // the bridge failed; the reason is on stderr
	exitUsage = 64 // the command line is wrong
)

// stdio is what a command talks to.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	os.Exit(dispatch(os.Args[1:], stdio{os.Stdin, steady{os.Stdout, 1}, steady{os.Stderr, 2}}))
}

func dispatch(args []string, std stdio) int {
	if len(args) == 0 {
		usage(std.err)
		return exitUsage
	}
	if args[0] == "run" { // called at every event: the table is not made for it
		return runCommand(args[1:], std)
	}
	if c := commandNamed(args[0]); c != nil {
		return c.run(args[1:], std)
	}
	switch args[0] {
	case adapter.AsyncCommand: // not for people: the bridge starts itself so
		return asyncCommand(std)
	case "-h", "--help", "-help":
		usage(std.out)
		return exitOK
	case "-v", "--version":
		return versionCommand(nil, std)
	}
	fmt.Fprintf(std.err, "hookbridge: %s\nhookbridge help lists the commands\n", noCommand(args[0]))
	return exitUsage
}

// asyncCommand runs one asynchronous hook to its end.
func asyncCommand(std stdio) int {
	job, err := io.ReadAll(std.in)
	if err == nil {
		err = adapter.RunAsync(job, os.Environ(), time.Now)
	}
	if err != nil {
		fmt.Fprintln(std.err, "hookbridge:", err)
		return exitFail
	}
	return exitOK
}

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

type command struct {
	name, help string
	run        func(args []string, io stdio) int
}

// commands lists the commands in the order in which help shows them.
func commands() []command {
	return []command{
		{"run", "answer one event of a host with the hooks of another agent", runCommand},
		{"install", "put the bridge into a host's hook file", installCommand},
		{"uninstall", "take it out again, byte for byte", uninstallCommand},
		{"status", "tell whether it is there and up to date", statusCommand},
		{"doctor", "tell for every hook whether it is reached, weaker, fires twice or never", doctorCommand},
		{"trust", "allow a project's hooks for entries that demand trust", trustCommand},
		{"untrust", "take that back", untrustCommand},
		{"convert", "turn a configuration of one agent's hooks into another's", convertCommand},
		{"translate", "rewrite one payload or answer for another agent", translateCommand},
		{"matrix", "tell what carries from one agent to another", matrixCommand},
		{"explain", "tell what a diagnostic code means", explainCommand},
		{"version", "print the version", versionCommand},
	}
}

func main() {
	os.Exit(dispatch(os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}))
}

func dispatch(args []string, std stdio) int {
	if len(args) > 0 {
		for _, c := range commands() {
			if c.name == args[0] {
				return c.run(args[1:], std)
			}
		}
		switch args[0] {
		case adapter.AsyncCommand: // not for people: the bridge starts itself so
			return asyncCommand(std)
		case "help", "-h", "--help":
			usage(std.out)
			return exitOK
		}
		fmt.Fprintf(std.err, "hookbridge: no command %q\n", args[0])
	}
	usage(std.err)
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: hookbridge COMMAND [ARGUMENT...]")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-9s  %s\n", c.name, c.help)
	}
	fmt.Fprintln(w, "hookbridge COMMAND --help tells more.")
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

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

func helpCommand(args []string, std stdio) int {
	switch {
	case len(args) == 0:
		usage(std.out)
		return exitOK
	case len(args) == 1 && slices.Contains([]string{"-h", "--help", "help"}, args[0]):
		printHelp(std.out, "help")
		return exitOK
	case len(args) == 1 && commandNamed(args[0]) != nil:
		printHelp(std.out, args[0])
		return exitOK
	}
	fmt.Fprintf(std.err, "hookbridge help: %s\nsee hookbridge help\n", noCommand(args[0]))
	return exitUsage
}

// usage lists the commands.
func usage(w io.Writer) {
	fmt.Fprint(w, "usage: hookbridge COMMAND [ARGUMENT...]\n\nRuns the hooks of one coding agent under another, unchanged.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-11s  %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\nSee hookbridge COMMAND --help for details and examples.\n\n"+
		"To start, in a repository that has hooks:\n"+
		"  hookbridge init      find agents and hooks, show the change, ask, install and test\n"+
		"  hookbridge doctor    whether each hook runs, and where\n"+
		"  hookbridge test --init && hookbridge test\n"+
		"                       test the hooks under every agent\n"+
		"  hookbridge fire --host cursor --event pre-tool --input '{\"command\":\"rm -rf /\"}'\n"+
		"                       what happens at one event, step by step\n")
}

// printHelp describes one command.
func printHelp(w io.Writer, name string) {
	c := commandNamed(name)
	if c == nil {
		usage(w)
		return
	}
	fmt.Fprintf(w, "usage: hookbridge %s\n\n%s\n", synopsis(c), c.about)
	if list := c.flags(); len(list) > 0 {
		fmt.Fprintln(w, "\nFlags:")
		for _, f := range list {
			printFlag(w, f)
		}
		if hasArg(list, "D") {
			fmt.Fprintf(w, "\nD is %s.\n", dialectWords())
		}
	}
	fmt.Fprintln(w, "\nExamples:")
	for _, e := range c.examples {
		fmt.Fprintf(w, "  %s\n      %s\n", e.line, e.says)
	}
	fmt.Fprintf(w, "\nExit codes: %s, 64 wrong usage.\n", c.exits)
}

// dialectWords lists the dialects and how a version is written.
func dialectWords() string {
	return either(dialectNames()) + "; a version or a program of the agent may follow, as in cursor@2.4 or qoder@ide"
}

func hasArg(list []flagDoc, arg string) bool {
	for _, f := range list {
		if f.arg == arg {
			return true
		}
	}
	return false
}

// synopsis is the usage line without the program's name.
func synopsis(c *command) string {
	s := c.name
	if c.flags() != nil {
		s += " [FLAG...]"
	}
	if c.args != "" {
		s += " " + c.args
	}
	return s
}

const flagColumn = 26

func printFlag(w io.Writer, f flagDoc) {
	head := strings.TrimRight("  "+f.dashed()+" "+f.arg, " ")
	if len(head) >= flagColumn {
		fmt.Fprintln(w, head)
		head = ""
	}
	for _, line := range strings.Split(f.help, "\n") {
		fmt.Fprintf(w, "%-*s%s\n", flagColumn, head, line)
		head = ""
	}
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
)

func (c *command) printHelp(w io.Writer) {
	fmt.Fprintf(w, "usage: hookbridge %s\n\n%s\n", c.synopsis(), c.about)
	if list := c.flags(); len(list) > 0 {
		fmt.Fprintln(w, "\nFlags:")
		for _, f := range list {
			printFlag(w, f)
		}
		if slices.ContainsFunc(list, func(f flagDoc) bool { return f.arg == "AGENT" }) {
			fmt.Fprintf(w, "\nAGENT is one of %s.\n", dialectWords())
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
	hosts := adapter.NamesOf(adapter.Where(func(d adapter.Dialect) bool { return d.Profile().HostOnly != "" }))
	return either(adapter.Names()) + "; a version or a program of the agent may follow, as in cursor@2.4 or " +
		"qoder@ide. Nobody writes hooks for " + either(hosts) + ", so they only run those of other agents"
}

func (c *command) synopsis() string {
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

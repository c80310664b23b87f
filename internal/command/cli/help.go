package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
)

// PrintHelp writes what --help shows.
func (c *Command) PrintHelp(w io.Writer) {
	fmt.Fprintf(w, "usage: hookbridge %s\n\n%s\n", c.Synopsis(), c.About)
	if list := c.Flags(); len(list) > 0 {
		fmt.Fprintln(w, "\nFlags:")
		for _, f := range list {
			printFlag(w, f)
		}
		if slices.ContainsFunc(list, func(f FlagDoc) bool { return f.Arg == "AGENT" }) {
			fmt.Fprintf(w, "\nAGENT is one of %s.\n", DialectWords())
		}
	}
	fmt.Fprintln(w, "\nExamples:")
	for _, e := range c.Examples {
		fmt.Fprintf(w, "  %s\n      %s\n", e.Line, e.Says)
	}
	fmt.Fprintf(w, "\nExit codes: %s, 64 wrong usage.\n", c.Exits)
}

// DialectWords lists the dialects and how a version is written.
func DialectWords() string {
	hosts := adapter.NamesOf(adapter.Where(func(d adapter.Dialect) bool { return d.Profile().HostOnly != "" }))
	return Either(adapter.Names()) + "; a version or a program of the agent may follow, as in cursor@2.4 or " +
		"qoder@ide. Nobody writes hooks for " + Either(hosts) + ", so they only run those of other agents"
}

// Synopsis is the command line of the command, with placeholders.
func (c *Command) Synopsis() string {
	s := c.Name
	if c.Flags() != nil {
		s += " [FLAG...]"
	}
	if c.Args != "" {
		s += " " + c.Args
	}
	return s
}

const flagColumn = 26

func printFlag(w io.Writer, f FlagDoc) {
	head := strings.TrimRight("  "+f.Dashed()+" "+f.Arg, " ")
	if len(head) >= flagColumn {
		fmt.Fprintln(w, head)
		head = ""
	}
	for _, line := range strings.Split(f.Help, "\n") {
		fmt.Fprintf(w, "%-*s%s\n", flagColumn, head, line)
		head = ""
	}
}

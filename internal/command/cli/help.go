package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
)

// PrintHelp writes the output of --help.
func (c *Command) PrintHelp(w io.Writer) {
	PrintWrapped(w, "usage: ", "hookbridge "+c.Synopsis())
	fmt.Fprintln(w)
	printAbout(w, c.About)
	if list := c.Flags(); len(list) > 0 {
		fmt.Fprintln(w, "\nFlags:")
		for _, f := range list {
			printFlag(w, f)
		}
		if slices.ContainsFunc(list, func(f FlagDoc) bool { return f.Arg == "AGENT" }) {
			fmt.Fprintln(w)
			PrintWrapped(w, "", "AGENT is one of "+DialectWords()+".")
		}
	}
	fmt.Fprintln(w, "\nExamples:")
	for _, e := range c.Examples {
		PrintCommand(w, "  ", e.Line)
		PrintWrapped(w, "      ", e.Says)
	}
	fmt.Fprintln(w)
	PrintWrapped(w, "", "Exit codes: "+c.Exits+", 64 wrong usage.")
}

// printAbout fits paragraphs to the terminal. Lines that begin with blanks are a list with words in a column, or the
// text of a file.
func printAbout(w io.Writer, about string) {
	for i, paragraph := range strings.Split(about, "\n\n") {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if !strings.Contains("\n"+paragraph, "\n ") {
			PrintWrapped(w, "", strings.ReplaceAll(paragraph, "\n", " "))
			continue
		}
		for _, line := range strings.Split(paragraph, "\n") {
			text := strings.TrimLeft(line, " ")
			lead := len(line) - len(text)
			if gap := strings.LastIndex(text, "  "); gap > 0 && lead > 0 {
				lead += gap + 2
			}
			PrintWrapped(w, line[:lead], line[lead:])
		}
	}
}

// DialectWords lists the dialects and describes how to write a version.
func DialectWords() string {
	hosts := adapter.NamesOf(adapter.Where(func(d adapter.Dialect) bool { return d.Profile().HostOnly != "" }))
	return Either(adapter.Names()) + "; a version or a program of the agent may follow, as in cursor@2.4 or " +
		"qoder@ide. Nobody writes hooks for " + Either(hosts) + ", so they only run those of other agents"
}

// Synopsis returns the command line of the command, with placeholders.
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
	PrintWrapped(w, fmt.Sprintf("%-*s", flagColumn, head), strings.ReplaceAll(f.Help, "\n", " "))
}

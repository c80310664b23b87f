package help

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
)

func helpCommand(all []cli.Command, args []string, std cli.IO) (int, error) {
	switch {
	case len(args) == 0:
		Usage(std.Out, all)
		return cli.OK, nil
	case len(args) == 1 && cli.Named(all, args[0]) != nil:
		cli.Named(all, args[0]).PrintHelp(std.Out)
		return cli.OK, nil
	}
	fmt.Fprintf(std.Err, "hookbridge help: %s\nsee hookbridge help\n", cli.NoCommand(all, args[0]))
	return cli.WrongUsage, nil
}

// groups are the parts of the list of commands. The last group has every command that isn't in another one.
var groups = []struct {
	title string
	names []string
}{
	{"Start, in a repository that has hooks", []string{"init", "install", "uninstall", "status"}},
	{"Look", []string{"doctor", "matrix", "explain", "log"}},
	{"Test", []string{"test", "fire", "check", "canary"}},
	{"Convert", []string{"convert", "plugin", "translate"}},
	{"Advanced", nil},
}

// calledByAgents are the commands that people don't type. They come last.
var calledByAgents = []string{"run", "guard"}

// grouped lists the commands of a group.
func grouped(all []cli.Command, names []string) (list []cli.Command) {
	if names != nil {
		return lists.Map(names, func(name string) cli.Command { return *cli.Named(all, name) })
	}
	var last []cli.Command
	for _, c := range all {
		switch {
		case slices.Contains(calledByAgents, c.Name):
			last = append(last, c)
		case !named(c.Name):
			list = append(list, c)
		}
	}
	return append(list, last...)
}

// named reports whether a group names a command.
func named(command string) bool {
	for _, g := range groups {
		if slices.Contains(g.names, command) {
			return true
		}
	}
	return false
}

// usage is the output of hookbridge without a command, without the list of commands.
//
//go:embed usage.txt
var usage string

// Usage writes the output of hookbridge without a command.
func Usage(w io.Writer, all []cli.Command) {
	head, tail, _ := strings.Cut(usage, "COMMANDS\n")
	fmt.Fprint(w, head)
	for _, g := range groups {
		fmt.Fprintf(w, "\n%s:\n", g.title)
		for _, c := range grouped(all, g.names) {
			cli.PrintWrapped(w, fmt.Sprintf("  %-11s  ", c.Name), c.Summary)
		}
	}
	fmt.Fprint(w, "\n"+tail)
}

// page is the manual page without its list of agents and its commands.
//
//go:embed hookbridge.1
var page string

func manCommand(all []cli.Command, _ []string, std cli.IO) (int, error) {
	var commands strings.Builder
	for _, c := range all {
		manOf(&commands, &c)
	}
	_, err := strings.NewReplacer("AGENTS", roff(cli.DialectWords()), "COMMANDS\n.SH", commands.String()+".SH").
		WriteString(std.Out, page)
	return cli.OK, err
}

func manOf(w io.Writer, c *cli.Command) {
	fmt.Fprintf(w, ".SS \"hookbridge %s\"\n%s.\n.PP\n%s\n", roff(c.Synopsis()), roff(c.Summary),
		roff(strings.ReplaceAll(c.About, "\n\n", "\n.PP\n")))
	for _, f := range c.Flags() {
		fmt.Fprintf(w, ".TP\n\\fB%s\\fR", roff(f.Dashed()))
		if f.Arg != "" {
			fmt.Fprintf(w, " \\fI%s\\fR", roff(f.Arg))
		}
		fmt.Fprintf(w, "\n%s\n", roff(f.Help))
	}
	fmt.Fprintf(w, ".PP\nExit codes: %s.\n", roff(c.Exits))
	for _, e := range c.Examples {
		fmt.Fprintf(w, ".PP\n%s:\n.PP\n.nf\n.RS\n%s\n.RE\n.fi\n", roff(e.Says), roff(e.Line))
	}
}

// roff escapes what the formatter would interpret. A line that begins with .PP is intended.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "'") || strings.HasPrefix(l, ".") && l != ".PP" {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
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

func usage(w io.Writer) {
	fmt.Fprint(w, "usage: hookbridge COMMAND [ARGUMENT...]\n\nRuns the hooks of one coding agent under another, "+
		"unchanged.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-11s  %s\n", c.name, c.summary)
	}
	fmt.Fprint(w, "\nSee hookbridge COMMAND --help for details and examples.\n\n"+
		"To start, in a repository that has hooks:\n"+
		"  hookbridge init      find agents and hooks, show the change, ask, install and test\n"+
		"  hookbridge doctor    whether each hook runs, and where\n"+
		"  hookbridge test --init && hookbridge test\n"+
		"                       test the hooks under every agent\n"+
		"  hookbridge fire --host cursor shell \"rm -rf /\"\n"+
		"                       what happens with one call, step by step\n")
}

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

func manCommand(_ []string, std stdio) (int, error) {
	w := std.out
	fmt.Fprint(w, ".TH HOOKBRIDGE 1 \"\" hookbridge \"User Commands\"\n"+
		".SH NAME\nhookbridge \\- run the hooks of one coding agent under another, unchanged\n"+
		".SH SYNOPSIS\n.B hookbridge\n.I COMMAND\n.RI [ ARGUMENT ...]\n"+
		".SH DESCRIPTION\nRuns hooks written for one coding agent under another, unchanged, and reports everything "+
		"that can't be translated.\n"+
		"AGENT is one of "+roff(dialectWords())+".\n"+
		"Each finding has a code; \\fBhookbridge explain\\fR says what it means and what to do.\n.SH COMMANDS\n")
	for _, c := range commands() {
		manOf(w, &c)
	}
	fmt.Fprint(w, ".SH \"EXIT STATUS\"\nEvery command exits with 64 for a mistake on the command line. No command "+
		"exits with 2, which\nagents read as a denial.\n"+
		".SH ENVIRONMENT\n.TP\n.B HOOKBRIDGE_STATE_DIR\nFolder for session files, which let a later event deliver "+
		"what an earlier one couldn't.\nDefault: a private folder in XDG_RUNTIME_DIR or in the system's folder for "+
		"temporary files.\n"+
		".TP\n.B XDG_CONFIG_HOME\nThe list of trusted projects is hookbridge/trusted in this folder. Default: "+
		"~/.config.\n"+
		".TP\n.B NO_COLOR\nSwitches colors off, except for --color always.\n"+
		".TP\n.B FORCE_COLOR\nSwitches colors on where the output isn't a terminal.\n")
	return exitOK, nil
}

func manOf(w io.Writer, c *command) {
	fmt.Fprintf(w, ".SS \"hookbridge %s\"\n%s.\n.PP\n%s\n", roff(synopsis(c)), roff(c.summary),
		roff(strings.ReplaceAll(c.about, "\n\n", "\n.PP\n")))
	for _, f := range c.flags() {
		fmt.Fprintf(w, ".TP\n\\fB%s\\fR", roff(f.dashed()))
		if f.arg != "" {
			fmt.Fprintf(w, " \\fI%s\\fR", roff(f.arg))
		}
		fmt.Fprintf(w, "\n%s\n", roff(f.help))
	}
	fmt.Fprintf(w, ".PP\nExit codes: %s.\n", roff(c.exits))
	for _, e := range c.examples {
		fmt.Fprintf(w, ".PP\n%s:\n.PP\n.nf\n.RS\n%s\n.RE\n.fi\n", roff(e.says), roff(e.line))
	}
}

// roff guards what the formatter would take for its own; a line that begins
// with .PP is meant so.
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

func schemaCommand(rest []string, std stdio) (int, error) {
	switch len(rest) {
	case 0:
		for _, name := range schema.Documents() {
			fmt.Fprintln(std.out, name)
		}
		return exitOK, nil
	case 1:
	default:
		return 0, errUsage{"takes one name"}
	}
	name, version, dated := strings.Cut(strings.TrimSuffix(rest[0], ".json"), "@")
	text, err := schema.Document(name, version)
	if dated && version == "" {
		err = fmt.Errorf("no version after @ in %q", rest[0])
	}
	if err != nil {
		question := ""
		if !slices.Contains(schema.Documents(), name) {
			question = suggest.Question(name, schema.Documents())
		}
		fmt.Fprintf(std.err, "hookbridge schema: %v%s\nsee hookbridge schema\n", err, question)
		return exitFail, nil
	}
	std.out.Write(text)
	return exitOK, nil
}

type versionFlags struct{ json, clients bool }

func (f *versionFlags) define(fs *flags) {
	fs.yes(&f.json, "json", "the version as a JSON object")
	fs.yes(&f.clients, "clients", "the versions of the agents that the tables were checked with too")
}

func (f *versionFlags) run(_ *flags, _ []string, std stdio) (int, error) {
	checked := map[string]string{}
	for _, d := range adapter.Dialects() {
		if p := d.Profile(); f.clients && len(p.Known) > 0 {
			checked[p.Name] = p.Known[0]
		}
	}
	if f.json && f.clients {
		printJSON(std.out, map[string]any{"version": versionText(), "clients": checked})
		return exitOK, nil
	}
	if f.json {
		printJSON(std.out, map[string]string{"version": versionText()})
		return exitOK, nil
	}
	fmt.Fprintln(std.out, "hookbridge", versionText())
	for _, name := range slices.Sorted(maps.Keys(checked)) {
		fmt.Fprintf(std.out, "%-10s %s\n", name, checked[name])
	}
	return exitOK, nil
}

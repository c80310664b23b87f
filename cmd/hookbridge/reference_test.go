package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/explain"
	"github.com/hookbridge/hookbridge/internal/command/matrix"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/schema"
)

// TestReferenceMatrix compares docs/matrix.md with the dialects' tables.
func TestReferenceMatrix(t *testing.T) {
	var w strings.Builder
	fmt.Fprint(&w, "# Matrix: every event, every direction\n\n"+
		"Generated from the dialects' tables (`hookbridge matrix`). `--format json` has all details, and\n"+
		"`hookbridge matrix --from AGENT --to AGENT` prints one pair. "+
		"The guides have a page for each host: [docs](README.md).\n\n")
	matrix.GlanceMarkdown(&w, allPairs(t))
	byName(&w)
	golden.File(t, "../../docs/matrix.md", w.String())
}

// byName writes the table of the agents without a dialect.
func byName(w *strings.Builder) {
	fmt.Fprint(w, "\n## Agents known by name\n\nhookbridge doesn't run the hooks of these agents and puts none into "+
		"them. `doctor`, `check`, `init` and `convert` report\ntheir hook files. `~` is the home folder. The date is "+
		"that of the source.\n\n"+
		"| agent | hook files | events at which a hook can refuse | source | date |\n|---|---|---|---|---|\n")
	for _, a := range adapter.KnownByName() {
		files := slices.Clone(a.Files)
		for _, f := range a.Home {
			files = append(files, "~/"+f)
		}
		if files == nil {
			files = a.Folders
		}
		guards := strings.Join(strings.Fields(a.Guards), ", ")
		if a.Never != "" {
			guards = "none: " + a.Never
		}
		fmt.Fprintf(w, "| %s | `%s` | %s | %s | %s |\n", a.Title, strings.Join(files, "`, `"), cellText(guards),
			cellText(a.Source), a.Date)
	}
}

// TestReferenceCLI compares docs/cli.md with the table of commands.
func TestReferenceCLI(t *testing.T) {
	var w strings.Builder
	fmt.Fprint(&w, "# Commands\n\nGenerated from the program (`hookbridge help COMMAND`).\n\n"+
		"Every command exits with 64 for a mistake on the command line. Only `run` and `guard` exit "+
		"with 2, and only for an agent that needs it for a denial, such as Auggie.\n\n"+
		"AGENT is one of "+cli.DialectWords()+".\n\n| command | |\n|---|---|\n")
	for _, c := range commands() {
		fmt.Fprintf(&w, "| [%s](#%s) | %s |\n", c.Name, c.Name, c.Summary)
	}
	for _, c := range commands() {
		fmt.Fprintf(&w, "\n## %s\n\n    hookbridge %s\n\n%s\n", c.Name, c.Synopsis(), paragraphs(c.About))
		if list := c.Flags(); len(list) > 0 {
			fmt.Fprint(&w, "\n| flag | |\n|---|---|\n")
			for _, f := range list {
				head := strings.TrimRight(f.Dashed()+" "+f.Arg, " ")
				fmt.Fprintf(&w, "| `%s` | %s |\n", cellText(head), cellText(f.Help))
			}
		}
		fmt.Fprint(&w, "\nExamples:\n\n")
		for _, e := range c.Examples {
			fmt.Fprintf(&w, "    # %s\n    %s\n", e.Says, e.Line)
		}
		fmt.Fprintf(&w, "\nExit codes: %s.\n", c.Exits)
	}
	golden.File(t, "../../docs/cli.md", w.String())
}

// paragraphs puts those paragraphs of a help text that are laid out by hand into code blocks.
func paragraphs(about string) string {
	list := strings.Split(about, "\n\n")
	for i, p := range list {
		if strings.Contains("\n"+p, "\n  ") || strings.Contains(p, "   ") {
			list[i] = "```\n" + p + "\n```"
		}
	}
	return strings.Join(list, "\n\n")
}

func cellText(s string) string { return strings.NewReplacer("\n", " ", "|", "\\|").Replace(s) }

// TestReferenceCodes compares docs/codes.md with the tables that explain prints.
func TestReferenceCodes(t *testing.T) {
	var w strings.Builder
	fmt.Fprint(&w, "# Codes\n\nEach finding of hookbridge has one of these codes. Generated from the program "+
		"(`hookbridge explain CODE`).\n\n"+
		"The first digit says where a finding comes from: 0 the syntax of an input, 1 the hook file, 2 the agent "+
		"that runs the hooks, 3 a hook call.\n\n"+
		"| severity | meaning |\n|---|---|\n"+
		"| note | nothing is lost: the same thing in another form |\n"+
		"| loss | information was dropped |\n"+
		"| weaker | a guard or a decision no longer holds |\n"+
		"| error | there is no result |\n\n| code | usual severity | |\n|---|---|---|\n")
	for _, info := range schema.Codes() {
		fmt.Fprintf(&w, "| [%s](#%s) | %s | %s |\n", info.Code, strings.ToLower(string(info.Code)), info.Severity,
			info.Title)
	}
	for _, info := range schema.Codes() {
		fmt.Fprintf(&w, "\n## %s\n\n**%s** (usually %s)\n\n%s\n\nWhat to do: %s\n\n", info.Code, info.Title,
			info.Severity, info.Text, info.Do)
		for _, l := range explain.Meanings(info.About) {
			fmt.Fprintf(&w, "- %s: %s\n", l.Agent, l.Text)
		}
		if info.About != 0 {
			fmt.Fprintln(&w)
		}
		fmt.Fprintf(&w, "| example | write instead, or what you get |\n|---|---|\n| %s | %s |\n",
			quotedCell(info.Before), quotedCell(info.After))
	}
	golden.File(t, "../../docs/codes.md", w.String())
}

// quotedCell quotes a text for a table cell, which an unescaped bar would end.
func quotedCell(s string) string {
	return "`` " + strings.ReplaceAll(s, "|", "\\|") + " ``"
}

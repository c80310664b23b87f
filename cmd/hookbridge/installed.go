package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/schema"
)

// printInstalled writes the results: a line for each file, or a diff.
func printInstalled(std stdio, name string, results []install.Result, json bool, err error) {
	if json {
		printJSON(std.out, each(results, installedDoc))
		return
	}
	p := painterFor(std.out)
	said := map[string]bool{}
	say := func(line string) {
		if !said[line] {
			fmt.Fprintln(std.err, "hookbridge: "+spoken(line))
		}
		said[line] = true
	}
	for _, r := range results {
		for _, d := range r.Found {
			say(d.String())
		}
		for _, n := range r.Notes {
			say("note: " + schema.Printable(n))
		}
	}
	for _, r := range results {
		if r.Pending() {
			if out := std.raw(); out == std.out {
				fmt.Fprint(out, coloredDiff(p, r.Diff))
			} else { // for git apply, whatever FORCE_COLOR says
				fmt.Fprint(out, r.Diff)
			}
			continue
		}
		line := p.paint(colorOf(r.State, faint), r.State) + "  " + shown(r.File) // the terminal escapes it
		switch {
		case r.Needed():
			line += "  (" + counted(r.Entries, "entry") + " needed" + forHooks(results, &r)
			if r.State == "stale" || r.State == "edited" {
				line += "; hookbridge install --host " + r.Host + " --scope " + r.Scope + " updates the file"
			}
			line += ")"
		case r.State == "installed":
			line += "  (" + counted(r.Entries, "entry") + ")"
		}
		fmt.Fprintln(std.out, line)
	}
	if len(results) == 0 && name != "install" && err == nil {
		fmt.Fprintln(std.out, "absent  no agent's hook file here calls hookbridge")
	}
}

// notesOn writes what the survey says besides: agents that no command counts, agents that load nothing of the project
// when they are started in a folder of it, and plugins that aren't installed here. A nil survey says nothing of agents.
func notesOn(w io.Writer, at schema.Places, s *survey.Survey, hosts []adapter.Dialect, here string) {
	var notes []string
	if s != nil {
		notes = s.Notes()
	}
	for _, d := range hosts {
		if why := survey.NotFrom(d, at.Project, here); here != "" && why != "" {
			notes = append(notes, why)
		}
	}
	notes = append(append(notes, survey.MissingPlugins(at)...), onlyIf(hosts)...)
	for _, note := range notes {
		fmt.Fprintln(w, schema.Printable("hookbridge: note: "+spoken(note)))
	}
}

// onlyIf is what has to hold before one of the hosts runs any hook, and hookbridge can't check.
func onlyIf(hosts []adapter.Dialect) (notes []string) {
	for _, d := range hosts {
		if what := d.Profile().Unseen.OnlyIf; what != "" {
			notes = append(notes, d.Profile().Title+" runs hooks only if "+what+"; hookbridge can't check that")
		}
	}
	return notes
}

// unseen notes, for agents that have files of an administrator here, the settings that no
// file shows.
func unseen(w io.Writer, p schema.Places, hosts []adapter.Dialect) {
	for _, d := range hosts {
		managed := func(s schema.Source) bool { return s.Scope == schema.ScopeManaged && hookfile.HoldsFile(s) }
		if what := d.Profile().Unseen.Managed; what != "" && slices.ContainsFunc(d.Locate(p), managed) {
			fmt.Fprintln(w, "hookbridge: note: "+d.Profile().Title+" also reads "+what+
				"; hookbridge can't see what they switch off")
		}
	}
}

// forHooks says whose hooks a line is about, where there are several for one file.
func forHooks(results []install.Result, r *install.Result) string {
	if len(r.Hooks) > 1 {
		return " for the hooks of " + strings.Join(r.Hooks, ", ")
	}
	for _, other := range results {
		if other.File == r.File && strings.Join(other.Hooks, ",") != strings.Join(r.Hooks, ",") {
			return " for the hooks of " + strings.Join(r.Hooks, ", ")
		}
	}
	return ""
}

// writtenStates are those of a file that a command has changed.
var writtenStates = []string{"installed", "uninstalled", "changed", "written", "removed"}

func installedDoc(r install.Result) install.Result {
	r.Written = !r.Pending() && slices.Contains(writtenStates, r.State)
	r.Hooks, r.Notes, r.Found = array(r.Hooks), array(r.Notes), findingDocs(r.Found)
	return r
}

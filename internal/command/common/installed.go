package common

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// PrintInstalled writes the results: a line for each file, or a diff.
func PrintInstalled(std cli.IO, name string, results []install.Result, json bool, err error) {
	if json {
		cli.PrintJSON(std.Out, lists.Map(results, InstalledDoc))
		return
	}

	p := cli.PainterFor(std.Out)
	said := map[string]bool{}
	say := func(line string) {
		if !said[line] {
			fmt.Fprintln(std.Err, "hookbridge: "+cli.Spoken(line))
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
			if out := std.Raw(); out == std.Out {
				fmt.Fprint(out, cli.ColoredDiff(p, r.Diff))
			} else { // for git apply, whatever FORCE_COLOR says
				fmt.Fprint(out, r.Diff)
			}
			continue
		}
		line := p.Paint(cli.ColorOf(r.State, cli.Faint), r.State) + "  " + cli.Shown(r.File) // the terminal escapes it
		switch {
		case r.Needed():
			line += "  (" + cli.Counted(r.Entries, "entry") + needed(&r) + forHooks(results, &r) + remedy(&r) + ")"
		case r.Fails: // the launcher
			line += "  (to write it again: hookbridge install)"
		case r.State == "installed":
			line += "  (" + cli.Counted(r.Entries, "entry") + ")"
		}
		fmt.Fprintln(std.Out, line)
	}

	if len(results) == 0 && name != "install" && err == nil {
		fmt.Fprintln(std.Out, "absent  no agent's hook file here calls hookbridge")
	}
}

// needed says of entries that they aren't there as they should be.
func needed(r *install.Result) string {
	if r.State == "current" {
		return ""
	}
	return " needed"
}

// remedy is the command that writes the entries that a file lacks, "" if it lacks none.
func remedy(r *install.Result) string {
	scope := ""
	if r.Scope != schema.ScopeProject.String() {
		scope = " --scope " + r.Scope
	}
	switch r.State {
	case "absent":
		return "; to write: hookbridge install --host " + r.Host + scope
	case "stale", "edited":
		return "; to update: hookbridge install --host " + r.Host + scope
	}
	return ""
}

// NotesOn writes what the survey says besides: agents that no command counts, agents that load nothing of the project
// when they are started in a folder of it, and plugins that aren't installed here. A nil survey says nothing of agents.
func NotesOn(w io.Writer, at schema.Places, s *survey.Survey, hosts []adapter.Dialect, here string) {
	var notes []string
	if s != nil {
		notes = s.Notes()
	}
	NoteStarted(w, hosts, at.Project, here)
	notes = append(append(notes, survey.MissingPlugins(at)...), OnlyIf(hosts)...)
	cli.Notes(w, "hookbridge", notes...)
}

// NoteStarted names the hosts that load nothing of the project when they are started here, in a folder of it; "" is the
// project itself.
func NoteStarted(w io.Writer, hosts []adapter.Dialect, project, here string) {
	for _, d := range hosts {
		if why := survey.NotFrom(d, project, here); here != "" && why != "" {
			cli.Notes(w, "hookbridge", why)
		}
	}
}

// Apart names the agents of the project, and of the machine, that are made from one of the hosts and read none of its
// files.
func Apart(s *survey.Survey, hosts []adapter.Dialect) (notes []string) {
	for _, a := range s.Agents {
		p := a.Host.Profile()
		origin := lists.Find(hosts, func(d *adapter.Dialect) bool { return (*d).Profile().Name == p.Apart })
		if p.Apart != "" && origin != nil && a.By > survey.None && !adapter.Has(hosts, a.Host) {
			notes = append(notes, p.Title+" reads none of "+(*origin).Profile().Title+"'s files, so these entries do "+
				"nothing there: "+plan.Command("install", a.Host))
		}
	}
	return notes
}

// OnlyIf is what has to hold before one of the hosts runs any hook, and hookbridge can't check; and which of them it
// knows from reports.
func OnlyIf(hosts []adapter.Dialect) (notes []string) {
	for _, d := range hosts {
		if proviso := d.Profile().Proviso(); proviso != "" {
			notes = append(notes, strings.TrimSuffix(proviso, "."))
		}
		if what := d.Profile().Unseen.OnlyIf; what != "" {
			notes = append(notes, d.Profile().Title+" runs hooks only if "+what+"; hookbridge can't check that")
		}
	}
	return notes
}

// Unseen notes, for agents that have files of an administrator here, the settings that no
// file shows.
func Unseen(w io.Writer, p schema.Places, hosts []adapter.Dialect) {
	for _, d := range hosts {
		managed := func(s schema.Source) bool { return s.Scope == schema.ScopeManaged }
		if what := d.Profile().Unseen.Managed; what != "" && survey.Files(d, p, managed) != nil {
			cli.Notes(w, "hookbridge", d.Profile().Title+" also reads "+what+
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

func InstalledDoc(r install.Result) install.Result {
	r.Written = !r.Pending() && slices.Contains(writtenStates, r.State)
	r.Hooks, r.Notes, r.Found = cli.Array(r.Hooks), cli.Array(r.Notes), cli.FindingDocs(r.Found)
	return r
}

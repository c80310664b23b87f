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
			} else { // for git apply, regardless of FORCE_COLOR
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

// needed returns a word for entries that are missing or outdated.
func needed(r *install.Result) string {
	if r.State == "current" {
		return ""
	}
	return " needed"
}

// remedy returns the command that writes the missing entries of a file, or "".
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

// NotesOn writes the other notes of the survey: uncounted agents, agents that load nothing of the project when started
// in a folder of it, and plugins that aren't installed here. Without a survey it writes nothing about agents.
func NotesOn(w io.Writer, at schema.Places, s *survey.Survey, hosts []adapter.Dialect, here string) {
	var notes []string
	if s != nil {
		notes = s.Notes()
	}
	NoteStarted(w, hosts, at.Project, here)
	notes = append(append(notes, survey.MissingPlugins(at)...), OnlyIf(hosts)...)
	cli.Notes(w, "hookbridge", notes...)
}

// NoteStarted names the hosts that load nothing of the project when started in here, a folder of the project. "" is the
// project itself.
func NoteStarted(w io.Writer, hosts []adapter.Dialect, project, here string) {
	for _, d := range hosts {
		if why := survey.NotFrom(d, project, here); here != "" && why != "" {
			cli.Notes(w, "hookbridge", why)
		}
	}
}

// Apart names the agents of the project and of the machine that derive from one of the hosts but read none of its
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

// OnlyIf lists conditions for hooks of a host to run that hookbridge can't check. It also names hosts known only from
// reports.
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

// Unseen notes settings that aren't in any file, for agents with administrator's files here.
func Unseen(w io.Writer, p schema.Places, hosts []adapter.Dialect) {
	for _, d := range hosts {
		managed := func(s schema.Source) bool { return s.Scope == schema.ScopeManaged }
		if what := d.Profile().Unseen.Managed; what != "" && survey.Files(d, p, managed) != nil {
			cli.Notes(w, "hookbridge", d.Profile().Title+" also reads "+what+
				"; hookbridge can't see what they switch off")
		}
	}
}

// forHooks names the agent of the hooks in a line if a file has several lines.
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

// writtenStates are the states of a file that a command has changed.
var writtenStates = []string{"installed", "uninstalled", "changed", "written", "removed"}

func InstalledDoc(r install.Result) install.Result {
	r.Written = !r.Pending() && slices.Contains(writtenStates, r.State)
	r.Hooks, r.Notes, r.Found = cli.Array(r.Hooks), cli.Array(r.Notes), cli.FindingDocs(r.Found)
	return r
}

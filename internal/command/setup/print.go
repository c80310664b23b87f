package setup

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

func (x *setup) printf(format string, args ...any) { fmt.Fprintf(x.out, format, args...) }

func (x *setup) heading(text string) {
	x.printf("\n%s\n", cli.PainterFor(x.out).Paint(cli.Strong, text))
}

func (x *setup) printFound() {
	x.printf("Project: %s\n", x.base.Places.Project)
	x.heading("Hooks in the project")
	for _, o := range x.owners {
		x.wrapped(fmt.Sprintf("  %-14s ", o.Owner.Profile().Title), cli.Counted(o.Count, "hook")+" in "+
			strings.Join(lists.Map(o.Files, cli.Shown), ", "))
	}
	for _, f := range survey.NamedFiles(x.base.Places) {
		x.wrapped(fmt.Sprintf("  %-14s ", f.Agent.Title), f.Message(x.base.Places.Project))
	}
	for _, dir := range survey.Below(x.base.Places) {
		x.wrapped(fmt.Sprintf("  %-14s ", "not covered:"), dir+" has hooks of its own; hookbridge init --project "+
			cli.Pasted(filepath.Join(x.base.Places.Project, dir)))
	}
}

func (x *setup) pick() {
	x.heading("Which agents should run them? Those with [x]; type a number or a name to switch one.")
	show := func() {
		for i, c := range x.hosts {
			mark := "[ ]"
			if c.Chosen {
				mark = "[x]"
			}
			x.printf("  %d %s %-14s %s\n", i+1, mark, c.Host.Profile().Title,
				cli.PainterFor(x.out).Paint(cli.Faint, c.Found))
		}
	}
	x.talk.Toggle(show, lists.Map(x.hosts, func(c install.Candidate) string { return c.Agent }), func(i int) {
		x.hosts[i].Chosen = !x.hosts[i].Chosen
	})
}

// wrapped writes a text in lines that fit. The first begins with lead.
func (x *setup) wrapped(lead, text string) {
	cli.PrintWrapped(x.out, lead, cli.Spoken(text))
}

// printPlan shows the changes as a diff if nothing is written, or else the files, and then the effect on the hooks.
func (x *setup) printPlan() {
	if !x.upToDate() {
		x.heading("Changes")
		diffs := x.diffs()
		if x.talk == nil && (!x.flags.yes || x.flags.Dry) {
			x.printDiffs(diffs)
		} else {
			lines := 0
			for _, d := range diffs {
				x.printf("  %s\n", d.file)
				lines += d.lines
			}
			x.printf("  %s, %s\n", cli.Counted(len(diffs), "file"), cli.Counted(lines, "line"))
		}
	}
	x.printOutlook()
}

// A fileDiff is the change of a file, and the number of lines it adds or removes.
type fileDiff struct {
	file, text string
	lines      int
}

func (x *setup) diffs() (list []fileDiff) {
	add := func(file, text string) {
		d := fileDiff{file: cli.Shown(file), text: text}
		for line := range strings.Lines(text) {
			changed := strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")
			if changed && !strings.HasPrefix(line, "+++ ") && !strings.HasPrefix(line, "--- ") {
				d.lines++
			}
		}
		list = append(list, d)
	}
	for _, r := range x.results {
		if r.Host == "" && r.Diff != "" { // the launcher, whose text is always the same
			add(r.File, "")
		} else if r.Diff != "" {
			add(r.File, r.Diff)
		}
	}
	if x.agents.after != nil {
		add(projectfile.Name, install.Diff(projectfile.Name, x.agents.before, x.agents.after))
	}
	return list
}

func (x *setup) printDiffs(diffs []fileDiff) {
	for _, d := range diffs {
		if d.text == "" {
			x.printf("written  %s\n", d.file)
		}
		x.printf("%s", cli.ColoredDiff(cli.PainterFor(x.out), d.text))
	}
}

// agreed asks whether to write the changes, and offers the diff first.
func (x *setup) agreed() bool {
	x.printf("\n")
	for {
		switch x.talk.Choose("Write this? (d shows the diff)", "y", "n", "d") {
		case "y":
			return true
		case "d":
			x.printDiffs(x.diffs())
		default:
			return false
		}
	}
}

// printOutlook writes a table with a row for each hook and a column for each host, then the differences from the hook's
// own agent.
func (x *setup) printOutlook() {
	x.heading("What the hooks will do")
	row := func(f *inspect.Finding) string {
		return strings.TrimSpace(common.MatchedEvent(f) + "  " + common.ShortCommand(f))
	}
	table := common.HookTable{Label: row, Key: row, Word: (*inspect.Finding).Word}
	table.Print(x.out, cli.PainterFor(x.out), x.outlook)
	x.printReasons()
}

// printReasons explains why hooks do less than under their own agent, each reason once.
func (x *setup) printReasons() {
	type reason struct{ line, fix string }
	var reasons []reason
	hosts := map[reason][]string{}
	for i := range x.outlook {
		f := &x.outlook[i]
		for _, problem := range f.Problems {
			if f.Word() == inspect.Works || problem.Status == inspect.Pending {
				continue
			}
			r := reason{fmt.Sprintf("%s (%s)", problem.Why, problem.Code), problem.Fix}
			reasons, hosts[r] = lists.With(reasons, r), lists.With(hosts[r], f.Host)
		}
	}

	for i, r := range reasons {
		if i == 0 {
			x.printf("\n")
		}
		cli.PrintWrapped(x.out, "  ", cli.Spoken(strings.Join(hosts[r], ", ")+": "+r.line))
		if r.fix != "" {
			cli.PrintWrapped(x.out, "    ", common.ToFix(cli.Spoken(r.fix)))
		}
	}
}

// askImports asks once whether a host's import of other agents' hook files is off, and writes the answer down, because
// it isn't in any file.
func (x *setup) askImports() {
	for _, t := range x.targets {
		if x.talk == nil || !t.ImportsOwn() || x.job.File.Fact(t.Host.Profile().Name, inspect.ImportFact) != "" {
			continue
		}
		title := t.Host.Profile().Title
		x.printf("\n%s can import these hooks by itself (%s) and would then run them twice.\n", title,
			t.Host.Abilities().Imports.ImportSwitch())
		if x.talk.Yes("Is that import switched off?", false) {
			x.state(t)
		}
	}
}

// state writes into hookbridge.yaml that a host doesn't import.
func (x *setup) state(t *install.Target) {
	before, after, err := x.stating("facts", install.StatedOff(t.Host))
	if err == nil && after == nil {
		x.printf("Add to hookbridge.yaml: %s\n", install.StatedOff(t.Host))
		return
	}
	if err == nil {
		err = x.writeProjectFile(before, after)
	}
	if err != nil {
		x.printf("%s\n", schema.Printable(err.Error()))
	}
}

func (x *setup) todo() (list []string) {
	if x.agents.add != "" {
		list = append(list, "List the project's agents in hookbridge.yaml: "+x.agents.add)
	}

	list = append(list, x.elsewhere...)
	for _, t := range x.targets {
		host := t.Host.Profile()
		if keeper := t.Host.Abilities().Trust; keeper != nil &&
			slices.Contains(t.Notes, keeper.Review()) {
			list = append(list, host.Title+": "+keeper.Review())
		}
		list = append(append(list, common.OnlyIf([]adapter.Dialect{t.Host})...), t.Repeated...)
		if t.ImportsOwn() && x.job.File.Fact(host.Name, inspect.ImportFact) == "" {
			list = append(list, host.Title+": switch off its import of other agents' hooks ("+
				t.Host.Abilities().Imports.ImportSwitch()+
				"), or they run twice. Then add to hookbridge.yaml: "+install.StatedOff(t.Host))
		}
		if host.LoginShell {
			list = append(list, host.Title+" starts hooks by a login shell: check that it finds hookbridge: "+
				cmp.Or(os.Getenv("SHELL"), "sh")+" -lc 'command -v hookbridge'")
		}
	}

	if !inspect.InPath("hookbridge", x.base.Places.Env.Get("PATH")) {
		list = append(list, "hookbridge is not in your PATH. Until it is, no hook runs under these agents. "+
			pathAdvice(common.Self()))
	}

	if x.base != nil {
		hosts := lists.Map(x.targets, func(t *install.Target) adapter.Dialect { return t.Host })
		list = append(append(list, survey.OwnRules(x.base.Places, hosts)...),
			inspect.EditingServers(x.base.Places, hosts)...)
	}

	if x.agents.launcher != "" {
		list = append(list, "State the launcher in hookbridge.yaml: "+x.agents.launcher)
	}

	if x.job.HasLauncher() {
		list = append(list, "Everyone who works with these files needs hookbridge, in their PATH or where npm, "+
			"Homebrew or Go put it.")
	} else {
		list = append(list, "Everyone who works with these files needs hookbridge in their PATH. Without it most "+
			"agents let every call proceed; hookbridge init --launcher makes them refuse.")
	}

	if x.written {
		if files := x.toCommit(); len(files) > 0 && hookfile.Exists(filepath.Join(x.base.Places.Project, ".git")) {
			list = append(list, "Commit the files: git add "+strings.Join(files, " "))
		}
		list = append(list, "Start a new session in each agent: some read their hook files only then.")
	}

	return list
}

// pathAdvice explains how to add the running program to the PATH.
func pathAdvice(self string) string {
	if self == "" || strings.Contains(self, string(filepath.Separator)+"go-build") { // started by go run
		return "Install it with go install, into a folder of your PATH."
	}
	return "In the profile of your shell, add its folder: " + filepath.Dir(self)
}

// toCommit returns the files that were written, each once, except users' personal files.
func (x *setup) toCommit() (files []string) {
	personal := map[string]bool{}
	for _, d := range adapter.Dialects() {
		for _, s := range survey.Files(d, x.base.Places, isPersonal) {
			personal[s.File] = true
		}
	}
	for _, r := range x.results {
		if slices.Contains([]string{"installed", "changed", "written"}, r.State) && !personal[r.File] &&
			!slices.Contains(files, cli.Shown(r.File)) {
			files = append(files, cli.Shown(r.File))
		}
	}
	if x.stated {
		files = append(files, projectfile.Name)
	}
	return files
}

func isPersonal(s schema.Source) bool { return s.Scope == schema.ScopeLocal }

// Doc is the plan of init and its result, in the form that --json prints.
type Doc struct {
	Project string              `json:"project"`
	Hooks   []install.OwnHooks  `json:"hooks"`
	Hosts   []install.Candidate `json:"hosts"`
	Agents  []string            `json:"agents"` // as in hookbridge.yaml
	Files   []install.Result    `json:"files"`
	Outlook []outlookDoc        `json:"outlook"`
	Written bool                `json:"written"`
	Trials  []trial             `json:"trials"`
	Todo    []string            `json:"todo"`
}

type outlookDoc struct {
	Host     string              `json:"host"`
	Hooks    string              `json:"hooks"`
	File     string              `json:"file"`
	Line     int                 `json:"line"`
	Event    string              `json:"event"`
	Command  string              `json:"command"`
	Outlook  string              `json:"outlook"`
	Problems []common.ProblemDoc `json:"problems"`
}

func (x *setup) doc() Doc {
	return Doc{
		Project: x.base.Places.Project,
		Hooks:   cli.Array(x.owners),
		Hosts:   cli.Array(x.hosts),
		Agents:  cli.Array(x.agents.names),
		Files:   lists.Map(x.results, common.InstalledDoc),
		Outlook: lists.Map(x.outlook, func(f inspect.Finding) outlookDoc {
			return outlookDoc{f.Host, f.Hooks, cli.Relative(x.base.Places.Project, "", f.File), f.Line,
				common.MatchedEvent(&f), common.CommandOf(&f), f.Word(), common.ProblemDocs(&f, nil)}
		}),
		Written: x.written,
		Trials: lists.Map(x.trials, func(t trial) trial {
			t.Found = cli.FindingDocs(t.Found)
			return t
		}),
		Todo: cli.Array(x.todo()),
	}
}

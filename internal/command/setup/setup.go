// Package setup is the command init.
package setup

import (
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed init.txt
var help string

// Command is the command init.
func Command() cli.Command { return cli.Documented[flags](help) }

type flags struct {
	common.InstallFlags
	yes bool
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Many(&f.Hosts, "host")
	fs.Many(&f.Owners, "hooks")
	fs.Yes(&f.yes, "yes")
	fs.Yes(&f.Dry, "dry-run")
	fs.EntryRows(&f.Call)
	f.DefineLauncher(fs)
	fs.Yes(&f.Json, "json")
	f.DefinePlaces(fs)
}

type setup struct {
	flags  *flags
	set    *cli.Flags
	job    *install.Job
	base   *bridge.Bridge
	std    cli.IO
	out    io.Writer   // for people; with --json everything is in the object
	talk   *cli.Dialog // nil: no one to ask
	owners []install.OwnHooks
	hosts  []install.Candidate

	// elsewhere has the steps for chosen agents without a hook file in the project.
	elsewhere []string

	targets []*install.Target
	outlook []inspect.Finding
	results []install.Result
	trials  []trial
	agents  agentList
	written bool
	stated  bool // hookbridge.yaml was written
}

func (f *flags) Run(fs *cli.Flags, _ []string, std cli.IO) (int, error) {
	x := &setup{flags: f, std: std, out: std.Out, set: fs}
	if f.Json {
		x.out = io.Discard
	}
	err := x.prepare()
	if errors.As(err, new(cli.UsageError)) {
		return 0, err
	}
	var mistakes schema.Diagnostics // hooks that can't be installed
	if err == nil {
		mistakes = inspect.Mistakes(x.base.Places, schema.Loss)
		cli.PrintDiagnostics(std.Err, "hookbridge init: ", mistakes)
		err = x.run()
	}
	if f.Json {
		if x.base == nil { // hookbridge.yaml can't be read
			x.base = &bridge.Bridge{}
		}
		cli.PrintJSON(std.Out, x.doc())
	}
	if err != nil {
		return 0, err
	}
	failed := slices.ContainsFunc(x.trials, func(t trial) bool { return t.Failed != "" })
	return cli.FailIf(failed || mistakes.Max() >= schema.Weaker || slices.ContainsFunc(x.outlook, guardNeverRuns)), nil
}

// guardNeverRuns reports whether a finding is about a guard that never runs under a host.
func guardNeverRuns(f inspect.Finding) bool {
	return f.Status() == inspect.Never && slices.ContainsFunc(f.Problems, f.Fails)
}

func (x *setup) prepare() error {
	var err error
	if x.job, x.base, err = x.flags.Job(x.set, install.Install); err != nil {
		return err
	}
	x.job.EveryOwner = true
	if !x.flags.yes && !x.flags.Json && !x.flags.Dry {
		x.talk = cli.NewDialog(x.std)
	}
	if x.owners = x.job.ProjectHooks(); len(x.owners) == 0 {
		msg := "found no hooks in " + x.base.Places.Project +
			"; write some for one agent first, or name the project with --project DIR"
		if own, _ := survey.Owners(x.base.Places, schema.ScopeUser); len(own) > 0 {
			msg += ". For your own hooks and those of plugins: hookbridge install --host AGENT --hooks " +
				own[0].Profile().Name + " --scope user"
		}
		return common.NoHooks(x.base.Places, msg)
	}
	x.hosts, err = x.job.Candidates(x.owners)
	return err
}

func (x *setup) run() error {
	x.printFound()
	if x.talk != nil && len(x.flags.InstallFlags.Hosts) == 0 {
		x.pick()
	}

	x.offerLauncher()
	if err := x.plan(); err != nil || len(x.targets) == 0 {
		return err
	}

	x.printPlan()
	switch {
	case x.upToDate():
		x.printf("\nThe entries are installed and up to date.\n")
	case x.flags.yes && !x.flags.Dry || x.talk != nil && x.agreed():
		if err := x.write(); err != nil {
			return err
		}
	case x.talk != nil:
		x.printf("Nothing was written.\n")
		return nil
	case x.flags.Dry || x.flags.Json:
		x.printf("\nNothing was written. To write it: %s\n", x.again())
		return nil
	default:
		return errors.New("nothing was written: this isn't a terminal, so hookbridge can't ask. To write it: " +
			x.again())
	}

	x.askImports()
	x.try()
	x.heading("What is left to do")
	for _, line := range x.todo() {
		x.wrapped("  - ", line)
	}

	x.printf("\n")
	x.wrapped("", "hookbridge doctor checks all of it again; hookbridge test --init writes tests for the hooks.")
	return nil
}

func (x *setup) plan() error {
	named := x.job.Hosts
	x.job.Hosts = nil
	for _, c := range x.hosts {
		switch {
		case !c.Chosen:
		case install.FileOf(c.Host, x.base.Places, x.job.Scope) == "":
			x.elsewhere = append(x.elsewhere, c.Host.Profile().Title+" has no hook file in a project: hookbridge "+
				"install --host "+c.Agent+" --scope user, then hookbridge trust")
		default:
			x.job.Hosts = append(x.job.Hosts, c.Host)
		}
	}

	for _, line := range x.elsewhere {
		x.printf("  %-14s %s\n", "not covered:", line)
	}

	if len(x.job.Hosts) == 0 {
		if len(x.elsewhere) > 0 {
			return errors.New(x.elsewhere[0])
		}
		if x.talk != nil {
			return errors.New("no agent is chosen, so nothing was written")
		}
		o := x.owners[0]
		if adapter.Has(named, o.Owner) {
			return fmt.Errorf("the only hooks in %s are those of %s (%s), which runs them by itself. For the hooks "+
				"of another folder add --project DIR; "+
				"for these hooks name another agent with --host", x.base.Places.Project, o.Owner.Profile().Title,
				strings.Join(lists.Map(o.Files, cli.Shown), ", "))
		}
		return errors.New("found no other agent that could run these hooks; name one: hookbridge init --host " +
			x.hosts[0].Agent)
	}

	targets, err := x.job.Targets()
	if err != nil {
		return err
	}

	for _, t := range targets {
		imports, err := inspect.StatedImports(x.job.File, t.Host)
		if err != nil {
			return err
		}
		what := inspect.Examined{Assumed: true, Program: true, Imports: imports, Evaluator: x.flags.Text("evaluator"),
			Policy: x.flags.Policy(), File: x.job.File}
		for _, d := range t.Owners() {
			what.Hooks = d.Profile().Name
			res, _ := survey.ForEntry(d, x.base.Places, nil)
			ofProject := survey.ProjectHooks(d, x.base.Places, res.Configs)
			for _, f := range inspect.Examine(t.Host, x.base.Places, what) {
				if f.Hook == nil || ofProject(f.Hook) {
					x.outlook = append(x.outlook, f)
				}
			}
		}
	}

	x.targets = targets
	if x.results, err = x.job.Change(targets); err != nil {
		return err
	}
	if err := x.listAgents(); err != nil {
		return err
	}

	return x.stateLauncher()
}

func (x *setup) upToDate() bool {
	return x.agents.after == nil &&
		!slices.ContainsFunc(x.results, func(r install.Result) bool { return r.State != "current" })
}

// write installs. It leaves a file alone if its only missing entries are for hooks of a teammate.
func (x *setup) write() error {
	var err error
	if x.results, err = install.Write(x.results); err != nil {
		return err
	}
	x.written = true
	for _, r := range x.results {
		x.printf("%s  %s\n", r.State, cli.Shown(r.File))
	}
	if x.agents.after != nil {
		return x.writeProjectFile(x.agents.before, x.agents.after)
	}
	return nil
}

// again returns the command line that writes the changes shown.
func (x *setup) again() string {
	line := "hookbridge init --yes"
	if len(x.job.Hosts) > 0 {
		line += " --host " + strings.Join(lists.Map(x.job.Hosts, adapter.NameOf), ",")
	}
	x.set.Set.Visit(func(given *flag.Flag) {
		switch value := given.Value.String(); {
		case slices.Contains([]string{"host", "yes", "dry-run", "json", "color"}, given.Name):
		case given.Name == "project":
			line += " --project " + shell.Quote(x.base.Places.Project)
		case value == "true":
			line += " --" + given.Name
		case value == "false":
			line += " --" + given.Name + "=false"
		default:
			line += " --" + given.Name + " " + shell.Quote(value)
		}
	})
	return line
}

// A trial is one event sent through hookbridge after the files were written: a shell command that changes nothing and
// that only the hooks see.
type trial struct {
	Host   string             `json:"host"`
	Hooks  string             `json:"hooks"`
	Ran    int                `json:"ran"`
	Answer string             `json:"answer"`
	MS     float64            `json:"ms"`
	Failed string             `json:"failed"`      // why, or "" if it succeeded
	Found  schema.Diagnostics `json:"diagnostics"` // what kept a hook from answering
}

// tried is the command that the hooks get.
const tried = "git status"

// try sends an event of each host to the hooks of each agent.
func (x *setup) try() {
	x.heading("Self-test: each host sends the shell command `git status`")
	progress := cli.StartProgress(&x.std, "init")
	defer progress.End()
	for _, t := range x.targets {
		for _, d := range t.Owners() {
			progress.At(t.Host.Profile().Title + " with the hooks of " + d.Profile().Title)
			one := x.send(t.Host, d)
			color, said := cli.Good, cli.Counted(one.Ran, "hook")+" ran: "+opinion(one.Answer)
			switch {
			case len(one.Found) > 0:
				one.Failed = one.Found.Worst().Message
			case one.Answer == simulate.Failed:
				one.Failed = "hookbridge failed"
			case one.Ran == 0:
				said = "no hook matches this call"
			}
			if one.Failed != "" {
				color, said = cli.Bad, one.Failed
			}
			x.trials = append(x.trials, one)

			lead := fmt.Sprintf("  %-14s hooks of %-14s ", t.Host.Profile().Title, d.Profile().Title)
			said = fmt.Sprintf("%s (%d ms)", schema.Printable(said), int64(one.MS))
			for _, line := range cli.Wrapped(said, cli.Columns(x.out)-cli.Width(lead)) {
				x.printf("%s%s\n", lead, cli.PainterFor(x.std.Out).Paint(color, line))
				lead = strings.Repeat(" ", cli.Width(lead))
			}
		}
	}
}

// opinion returns an answer for people: "no opinion", or the decision's name.
func opinion(answer string) string {
	if answer == schema.NoOpinion.String() {
		return "no opinion"
	}
	return answer
}

// send has the host make the call as currently installed.
func (x *setup) send(host, hooks adapter.Dialect) (t trial) {
	t = trial{Host: host.Profile().Name, Hooks: hooks.Profile().Name, Answer: simulate.Failed}
	ctx, listen := cli.UntilAsked()
	listen()
	start := time.Now()
	input := ordjson.NewWriter(nil)
	input.String(schema.RoleCommand.String(), tried)
	out, err := simulate.Simulate(ctx, common.HostIn(host, x.base.Places),
		simulate.Action{Event: schema.PreTool, Tool: schema.Shell.String(), Input: input.Bytes()})
	if err != nil {
		t.Found.Add(schema.CodeState, "", err.Error())
		return t
	}

	t.MS, t.Answer = cli.Milliseconds(time.Since(start)), out.Decision
	for i := range out.Steps {
		for _, run := range out.Steps[i].Runs {
			call, _ := cmdline.Parse(run.Hook.Command, run.Hook.Args)
			if !call.RunsHooksOf(hooks.Profile().Name) {
				continue
			}
			t.Found = append(t.Found, run.Faults...)
			if in := run.Inside; in != nil {
				t.Ran += len(in.Report.Runs)
				t.Found = append(t.Found, slices.DeleteFunc(slices.Clone(in.Report.Diagnostics),
					func(d schema.Diagnostic) bool {
						return !broken(d.Code) && (d.Severity != schema.Error || t.Answer != simulate.Failed)
					})...)
			}
		}
	}

	return t
}

// broken reports whether a finding means that a hook didn't work, regardless of the call.
func broken(c schema.Code) bool {
	return slices.Contains([]schema.Code{schema.CodeNotStarted, schema.CodeTimedOut, schema.CodeBadAnswer,
		schema.CodeBadSchema, schema.CodeHookFailed, schema.CodeModule}, c)
}

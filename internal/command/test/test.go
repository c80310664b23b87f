// Package test is the command test.
package test

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/command/story"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed test.txt
var help string

// Command is the command test.
func Command() cli.Command { return cli.Documented[flags](help) }

type flags struct {
	common.RunFlags
	common.Started
	report      cli.Report
	hosts       cli.ListFlag
	junit, only string
	init        bool
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Many(&f.hosts, "host")
	fs.Text(&f.only, "run", "")
	f.report.Define(fs)
	fs.Text(&f.junit, "junit", "")
	f.Started.Define(fs)
	fs.Yes(&f.init, "init")
	fs.Row(&f.Call, "evaluator", "")
	f.DefinePlaces(fs)
}

func (f *flags) Run(_ *cli.Flags, rest []string, std cli.IO) (int, error) {
	b, err := f.Ready()
	if err != nil {
		return 0, err
	}

	at := b.Places
	t, err := newTester(at, f, b.Trusted)
	if err == nil && f.init {
		return cli.OK, t.init(rest, std)
	}

	var list []scenario.Scenario
	if err == nil {
		list, err = t.load(rest)
	}

	if err != nil {
		if (f.report.JSON()) && !errors.As(err, new(cli.UsageError)) {
			cli.PrintJSON(std.Out, (&tester{}).doc())
		}
		return 0, err
	}

	cli.PrintDiagnostics(std.Err, "hookbridge test: ", inspect.Mistakes(at, schema.Weaker))
	for _, f := range inspect.Unread(at) {
		cli.PrintDiagnostics(std.Err, "hookbridge test: ", schema.Diagnostics{common.DiagnosticOf(&f, &f.Problems[0],
			f.Problems[0].Why)})
	}

	t.progress = cli.StartProgress(&std, "test")
	for i := range list {
		if strings.Contains(list[i].Name, f.only) {
			t.try(&list[i])
		}
	}

	if err == nil && !f.Assume {
		err = t.entries()
	}

	t.progress.End()
	if err != nil {
		return 0, err
	}

	common.NoteStarted(std.Err, t.hosts, at.Project, f.Here)
	return t.report(std)
}

type tester struct {
	flags   *flags
	at      schema.Places
	file    *projectfile.File
	survey  *survey.Survey
	trusted trust.Records
	review  common.Review
	hosts   []adapter.Dialect // agents that call
	owners  []adapter.Dialect // agents whose hooks the project has
	results []testResult
	probes  simulate.Probes

	progress *cli.Progress
}

func newTester(at schema.Places, f *flags, trusted trust.Records) (*tester, error) {
	t := &tester{flags: f, at: at, trusted: trusted, review: common.Review{At: at}}
	var err error
	if t.file, err = common.LoadProjectFile(at.Project); err != nil {
		return nil, err
	}
	if t.hosts, err = common.DialectsNamed("--host", f.hosts); err != nil {
		return nil, err
	}
	if err = t.review.ReadProject(t.file); err != nil {
		return nil, err
	}
	if t.survey, err = survey.Take(at, t.file); err != nil {
		return nil, err
	}
	if len(t.hosts) == 0 {
		t.hosts = slices.DeleteFunc(t.survey.Hosts(), t.declined)
	}

	for _, d := range t.hosts {
		if err := f.Set(&simulate.Host{Dialect: d}); err != nil {
			return nil, err
		}
	}

	for _, d := range adapter.Dialects() {
		res, _ := survey.LoadScope(d, at, schema.ScopeProject)
		if slices.ContainsFunc(res.Hooks, func(h schema.Hook) bool { return !cmdline.FindsHooks(h.Command, h.Args) }) {
			t.owners = append(t.owners, d)
		}
	}

	return t, nil
}

// load reads the scenarios of files and folders, by default those of the project.
func (t *tester) load(paths []string) (list []scenario.Scenario, err error) {
	if len(paths) == 0 {
		paths = []string{t.folder()}
	}

	if len(t.owners) == 0 {
		const none = "no agent has hooks in this project; --project DIR names another"
		return nil, common.NoHooks(t.at, none+ownHint(t.at))
	}

	for _, path := range paths {
		files, err := common.ScenarioFiles(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := discover.Read(file)
			if err != nil {
				return nil, err
			}
			some, err := scenario.Parse(cli.Relative(t.at.Project, "", file), text)
			if err != nil {
				return nil, err
			}
			list = append(list, some...)
		}
	}

	if len(list) == 0 {
		return nil, errors.New("no scenarios in " + strings.Join(paths, ", ") + "; hookbridge test --init writes some")
	}

	return list, common.CheckAgents(list)
}

// ownHint returns a hint about testing the user's own hooks, if there are any.
func ownHint(p schema.Places) string {
	if own, _ := survey.Owners(p, schema.ScopeUser); len(own) == 0 {
		return ""
	}
	return "; to try your own hooks and those of plugins: hookbridge fire"
}

func (t *tester) folder() string {
	return filepath.Join(t.at.Project, filepath.FromSlash(cmp.Or(t.file.Tests, common.DefaultTests)))
}

// declined reports whether only a folder indicates the agent, the agent runs none of the project's guards, and the team
// has accepted that.
func (t *tester) declined(d adapter.Dialect) bool {
	if t.survey.Of(d).By != survey.Folder {
		return false
	}
	found, accepted, err := t.review.Unguarded(d, t.file, t.trusted)
	return err == nil && accepted && len(found) == 0
}

// entries adds a failure for each agent under which guards of the project never run, regardless of the scenarios.
func (t *tester) entries() error {
	for _, host := range t.hosts {
		found, _, err := t.review.Unguarded(host, t.file, t.trusted)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		first := &found[0]
		r := testResult{host: host.Profile().Name, everyGuard: true, guards: found}
		r.scenario = &scenario.Scenario{Name: "every guard runs",
			File: cli.Relative(t.at.Project, t.at.Home, first.File), Line: first.Line, Col: first.Col}
		for i := range found {
			f, p := &found[i], &found[i].Problems[0]
			line := fmt.Sprintf("%s  %s: %s: %s: %s", common.MatchedEvent(f), common.CommandOf(f), p.Status, p.Code,
				p.Why)
			if p.Fix != "" {
				line += "; " + common.ToFix(p.Fix)
			}
			r.fix = p.Remedy()
			r.wrong = append(r.wrong, cli.Spoken(line))
		}
		t.results = append(t.results, r)
	}
	return nil
}

type testResult struct {
	scenario *scenario.Scenario
	host     string
	skipped  string   // why it was not run, or ""
	wrong    []string // the unexpected results; empty: passed
	outcome  string   // what the host does with the call
	fix      string   // what to do; "": the code's advice
	show     story.Show

	everyGuard bool              // about the entries, not about a scenario
	guards     []inspect.Finding // guards that never run
}

func (t *tester) try(s *scenario.Scenario) {
	for _, host := range t.hosts {
		want, ok := s.For(host.Profile().Name)
		if !ok {
			continue
		}
		t.progress.At(s.Name + " (" + host.Profile().Name + ")")
		t.results = append(t.results, t.under(host, s, want))
	}
}

// under simulates a scenario under one agent and compares the result.
func (t *tester) under(host adapter.Dialect, s *scenario.Scenario, want scenario.Expect) testResult {
	r := testResult{scenario: s, host: host.Profile().Name, show: story.Show{Host: common.HostIn(host, t.at)}}
	r.show.Host.Evaluator, r.show.Host.Probes = t.flags.Text("evaluator"), &t.probes
	if t.flags.Assume {
		common.AssumeInstalled(r.show.Host, t.flags.Flags)
	}
	action, why, err := common.ActionOf(host, s.Call)
	if err == nil {
		err = t.flags.Set(r.show.Host)
	}
	if err == nil && why == "" {
		ctx, listen := cli.UntilAsked()
		listen()
		r.show.Out, err = simulate.Simulate(ctx, r.show.Host, action)
	}
	switch r.skipped = why; {
	case err != nil:
		r.wrong = []string{err.Error()}
	case why == "":
		r.outcome = r.show.Out.Decision
		r.wrong = compare(want, r.show.Out)
	}
	return r
}

func compare(want scenario.Expect, out *simulate.Outcome) (wrong []string) {
	if want.Decision != "" && want.Decision != out.Decision {
		wrong = append(wrong, "expected "+want.Decision+", got "+out.Decision)
	}
	reason, context := texts(out)
	for _, c := range []struct{ name, pattern, text string }{
		{"reason", want.Reason, reason},
		{"context", want.Context, context},
	} {
		if !scenario.Matches(c.pattern, c.text) {
			wrong = append(wrong, fmt.Sprintf("expected %s %q, got %q", c.name, c.pattern, c.text))
		}
	}
	for _, d := range out.Faults {
		wrong = append(wrong, d.Message)
	}
	return wrong
}

// texts returns the reason of an outcome and the context that the agent gets, for comparison with scenarios.
func texts(out *simulate.Outcome) (reason, context string) {
	reply := out.Reply()
	join := func(texts ...string) string { return strings.TrimSpace(strings.Join(texts, "\n")) }
	return join(reply.Reason, reply.KeepGoing, reply.EndReason), join(reply.Context, reply.Feedback, out.Later())
}

func (t *tester) report(std cli.IO) (int, error) {
	if len(t.results) == 0 {
		return 0, errors.New("no scenario was run: none matches --run, or none is for these agents")
	}
	var err error
	if t.flags.junit != "" {
		err = cli.WriteReport(t.flags.junit, t.junit())
	}
	switch {
	case t.flags.report.JSON():
		cli.PrintJSON(std.Out, t.doc())
	case cli.Formatted(std.Out, t.flags.report.Format, t.failures()):
		fmt.Fprintln(std.Err, t.summary())
	default:
		t.text(std.Out)
	}
	return cli.FailIf(slices.ContainsFunc(t.results, func(r testResult) bool { return len(r.wrong) > 0 })), err
}

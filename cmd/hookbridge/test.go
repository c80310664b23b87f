package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/schema"
)

// defaultTests is the folder of scenarios where hookbridge.yaml names none.
const defaultTests = "hook-tests"

type testFlags struct {
	runFlags
	hosts               listFlag
	format, junit, only string
	json, init          bool
}

func (f *testFlags) define(fs *flags) {
	fs.many(&f.hosts, "host", "D", "test under this agent only; may be repeated\n(default: every agent with a hook file in the project)")
	fs.text(&f.only, "run", "", "TEXT", "run the scenarios whose name contains this text")
	fs.text(&f.format, "format", "text", judgeFormats, judgeFormatsHelp)
	fs.yes(&f.json, "json", "results as one JSON object, like --format json")
	fs.text(&f.junit, "junit", "", "FILE", "also write a JUnit XML report")
	fs.yes(&f.init, "init", "write scenarios from what the hooks of the project answer today")
	fs.row(&f.Call, "evaluator", "program for prompt and agent hooks; see run")
	f.definePlaces(fs)
}

func (f *testFlags) run(_ *flags, rest []string, std stdio) (int, error) {
	b, err := f.ready()
	if err != nil {
		return 0, err
	}
	t, err := newTester(b, f)
	if err == nil && f.init {
		return exitOK, t.init(rest, std)
	}
	var list []scenario.Scenario
	if err == nil {
		list, err = t.load(rest)
	}
	if err != nil {
		if (f.json || f.format == "json") && !errors.As(err, new(errUsage)) {
			printJSON(std.out, (&tester{}).doc())
		}
		return 0, err
	}
	printDiagnostics(std.err, "hookbridge test: ", brokenFiles(b.Places))
	t.progress = startProgress(&std, "test")
	for i := range list {
		if strings.Contains(list[i].Name, f.only) {
			t.try(&list[i])
		}
	}
	t.progress.end()
	return t.report(std)
}

type tester struct {
	flags   *testFlags
	base    *bridge.Bridge // places and settings that every run shares
	file    *projectfile.File
	hosts   []adapter.Dialect // agents that call
	owners  []adapter.Dialect // agents that hooks were written for
	results []testResult

	progress *progress
}

func newTester(b *bridge.Bridge, f *testFlags) (*tester, error) {
	t := &tester{flags: f, base: b}
	var err error
	if t.file, err = loadProjectFile(b.Places.Project); err != nil {
		return nil, err
	}
	if t.hosts, err = dialectsNamed("--host", f.hosts); err == nil && len(t.hosts) == 0 {
		t.hosts, err = agentsStated(t.file)
	}
	if err != nil {
		return nil, err
	}
	named := len(t.hosts) > 0
	for _, d := range adapter.Dialects() {
		res, ds := plan.LoadScope(d, b.Places, schema.ScopeProject)
		if !named && (len(res.Configs) > 0 || len(ds) > 0) {
			t.hosts = append(t.hosts, d)
		}
		if slices.ContainsFunc(res.Hooks, func(h schema.Hook) bool { return !cmdline.FindsHooks(h.Command) }) {
			t.owners = append(t.owners, d)
		}
	}
	return t, nil
}

// load reads the scenarios of files and folders; none are those of the project.
func (t *tester) load(paths []string) (list []scenario.Scenario, err error) {
	if len(paths) == 0 {
		paths = []string{t.folder()}
	}
	if len(t.owners) == 0 {
		return nil, noHooks(t.base.Places, "no agent has hooks in this project; --project names another")
	}
	for _, path := range paths {
		files, err := scenarioFiles(path)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := discover.Read(file)
			if err != nil {
				return nil, err
			}
			some, err := scenario.Parse(relative(t.base.Places.Project, file), text)
			if err != nil {
				return nil, err
			}
			list = append(list, some...)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("no scenarios in " + strings.Join(paths, ", ") + "; hookbridge test --init writes some")
	}
	return list, checkAgents(list)
}

func (t *tester) folder() string {
	return filepath.Join(t.base.Places.Project, filepath.FromSlash(cmp.Or(t.file.Tests, defaultTests)))
}

// scenarioFiles lists the YAML files of a folder, or the one that path is.
func scenarioFiles(path string) (files []string, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New(path + " doesn't exist; hookbridge test --init writes scenarios for the hooks it finds")
	case err != nil:
		return nil, err
	case !info.IsDir():
		return []string{path}, nil
	}
	err = filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		if ext := filepath.Ext(file); err == nil && e.Type().IsRegular() && (ext == ".yaml" || ext == ".yml") {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

// checkAgents refuses names that no agent has: such a test would never run.
func checkAgents(list []scenario.Scenario) error {
	for i := range list {
		s := &list[i]
		names := slices.AppendSeq(slices.Clone(s.Agents), maps.Keys(s.Differ))
		slices.Sort(names)
		for _, name := range names {
			if _, err := findDialect("agents:", name); err != nil {
				return &frontmatter.Error{File: s.File, Line: s.Line, Col: s.Col, Msg: err.Error()}
			}
		}
	}
	return nil
}

type testResult struct {
	scenario *scenario.Scenario
	host     string
	skipped  string   // why it was not run; "": it was
	wrong    []string // what is not as expected; empty: passed
	outcome  string
	stories  []*story
}

func (t *tester) try(s *scenario.Scenario) {
	for _, host := range t.hosts {
		want, ok := s.For(host.Profile().Name)
		if !ok {
			continue
		}
		t.progress.at(s.Name + " (" + host.Profile().Name + ")")
		t.results = append(t.results, t.under(host, s, want))
	}
}

// under runs a scenario under one agent and compares the answer.
func (t *tester) under(host adapter.Dialect, s *scenario.Scenario, want scenario.Expect) testResult {
	r := testResult{scenario: s, host: host.Profile().Name}
	event := cmp.Or(s.Call.Event, defaultEvent)
	row := adapter.EventNamed(host, event)
	if row == nil {
		r.skipped = host.Profile().Title + " has no event " + event
		return r
	}
	sample := inspect.Sample{Event: row.Native, Tool: s.Call.Tool, Input: s.Call.Input, Output: s.Call.Output,
		Server: s.Call.Server, Project: t.base.Places.Project, Session: "test"}
	payload, err := inspect.Synthesize(host, inspect.ForHost(host, sample))
	if err != nil {
		r.wrong = []string{err.Error()}
		return r
	}
	for _, owner := range t.owners {
		r.stories = append(r.stories, t.run(host, owner, payload))
	}
	r.outcome = strictest(r.stories)
	r.wrong = compare(want, &r)
	return r
}

// run sends a payload to the hooks of one agent, through the bridge as hosts do.
func (t *tester) run(host, owner adapter.Dialect, payload []byte) *story {
	b := *t.base
	b.Host, b.Hooks, b.OwnHooks, b.Scope = host, owner, true, schema.ScopeProject
	s, _ := send(&b, payload, "", "test")
	return s
}

// defaultEvent is the event of a call that names none.
const defaultEvent = "pre-tool"

// strictness orders outcomes, the strictest first.
var strictness = []string{"failed", "deny", "ask", "end-turn", "keep-going", "allow"}

// strictest is the outcome of several answers to one event.
func strictest(stories []*story) string {
	for _, word := range strictness {
		if slices.ContainsFunc(stories, func(s *story) bool { return s.outcome == word }) {
			return word
		}
	}
	return "none"
}

func compare(want scenario.Expect, r *testResult) (wrong []string) {
	var reasons, contexts []string
	for _, s := range r.stories {
		reply := &s.report.Reply
		reasons = append(reasons, reply.Reason, reply.KeepGoing, reply.EndReason)
		contexts = append(contexts, reply.Context, reply.Feedback)
	}
	if want.Decision != "" && want.Decision != r.outcome {
		wrong = append(wrong, "expected "+want.Decision+", got "+r.outcome)
	}
	for _, c := range []struct {
		name, pattern string
		texts         []string
	}{{"reason", want.Reason, reasons}, {"context", want.Context, contexts}} {
		text := strings.TrimSpace(strings.Join(c.texts, "\n"))
		if !scenario.Matches(c.pattern, text) {
			wrong = append(wrong, fmt.Sprintf("expected %s %q, got %q", c.name, c.pattern, text))
		}
	}
	return wrong
}

func (t *tester) report(std stdio) (int, error) {
	if len(t.results) == 0 {
		return 0, errors.New("no scenario was run: none matches --run, or none is for these agents")
	}
	var err error
	if t.flags.junit != "" {
		err = os.WriteFile(t.flags.junit, t.junit(), 0o644)
	}
	switch {
	case t.flags.json || t.flags.format == "json":
		printJSON(std.out, t.doc())
	case formatted(std.out, t.flags.format, t.failures()):
		fmt.Fprintln(std.err, t.summary())
	default:
		t.text(std.out)
	}
	return failIf(slices.ContainsFunc(t.results, func(r testResult) bool { return len(r.wrong) > 0 })), err
}

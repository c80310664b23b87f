package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

type doctorFlags struct {
	runFlags
	hosts          listFlag
	json, open     bool
	verbose        bool
	writeAccept    bool
	seen           bool
	accept, format string
	only           string
}

func (f *doctorFlags) define(fs *flags) {
	fs.many(&f.hosts, "host", "AGENT", "the hosts to examine, such as cursor,codex (default: the agents that "+
		"hookbridge.yaml lists,\nor else those with a hook file or a folder in the project, or a user-level file that "+
		"calls hookbridge)")
	fs.text(&f.only, "hooks", "", "AGENT", "only the hooks of this agent (default: of every one)")
	fs.yes(&f.json, "json", "the findings as a JSON array, like --format json")
	fs.yes(&f.verbose, "verbose", "a line for each hook and agent, as accepted findings name them, in place of "+
		"the table")
	fs.yes(&f.open, "fail-open", "also list the guards that fail open: the call proceeds if they crash or time out")
	fs.yes(&f.seen, "seen", "also say when each entry with --seen was called last, and what it answered")
	fs.text(&f.format, "format", "text", reportFormats, reportFormatsHelp)
	fs.row(&f.Call, "config", "another file of the host, loaded with the ones that it finds: for qoder-sdk, its "+
		"options\nas JSON; may be repeated")
	fs.row(&f.Call, "module", "examine the callbacks of a Qoder Agent SDK module too; it is loaded by node")
	fs.text(&f.accept, "accept", "", "FILE", "accepted findings, a line each as --verbose prints them:\nSTATUS HOST "+
		"FILE EVENT COMMAND. hookbridge.yaml may list them too")
	fs.yes(&f.writeAccept, "write-accept", "ask for a reason for each problem that fails the check, a line of stdin "+
		"each, and\nwrite the findings that got one into hookbridge.yaml; Enter leaves a problem as it is")
	f.definePlaces(fs)
}

type doctor struct {
	review
	flags    *doctorFlags
	bridge   *bridge.Bridge
	file     *projectfile.File
	hosts    []adapter.Dialect
	survey   *survey.Survey // nil: the command line names the hosts
	found    []inspect.Finding
	progress *progress
	userToo  bool // there is no project; the user's own hooks are examined
}

func (f *doctorFlags) run(_ *flags, _ []string, std stdio) (int, error) {
	if f.writeAccept && (f.json || f.format != "text") {
		return 0, errUsage{"--write-accept asks, so it goes with neither --json nor --format"}
	}
	x := &doctor{flags: f, progress: startProgress(&std, "doctor")}
	defer x.progress.end()
	err := x.examine()
	if errors.As(err, new(errUsage)) {
		return 0, err
	}
	switch {
	case err == nil && f.writeAccept:
		return x.writeAccept(std)
	case f.json || f.format == "json":
		printJSON(std.out, each(x.found, x.doc))
	case formatted(std.out, f.format, x.diagnostics()):
		if err == nil {
			x.printCounts(std.err)
		}
	case err == nil:
		x.print(std.out)
		if f.seen {
			x.printSeen(std.out)
		}
	}
	if err != nil {
		return 0, err
	}
	x.printStale(std.err)
	notesOn(std.err, x.bridge.Places, x.survey, x.hosts, f.here)
	unseen(std.err, x.bridge.Places, x.hosts)
	for _, note := range survey.OwnRules(x.bridge.Places, x.hosts) {
		fmt.Fprintln(std.err, schema.Printable("hookbridge doctor: note: "+spoken(note)))
	}
	noteLogs(std.err, x.bridge.Places, x.hosts)
	askClients(x.hosts, x.bridge.Places).note(std.err, x.hosts)
	return failIf(slices.ContainsFunc(x.found, x.fails)), nil
}

func (x *doctor) examine() (err error) {
	f := x.flags
	if err = projectIsThere(f.Text("project")); err == nil {
		x.bridge, err = f.bridge()
	}
	if err == nil {
		x.file, err = loadProjectFile(x.bridge.Places.Project)
	}
	if err == nil {
		x.at = x.bridge.Places
		err = x.readProject(x.file)
	}
	if err == nil && f.accept != "" {
		err = x.readFile(f.accept)
	}
	if err == nil && f.only != "" {
		var only adapter.Dialect
		if only, err = findDialect("--hooks", f.only); err == nil {
			f.only = only.Profile().Full()
		}
	}
	if err == nil {
		err = x.chooseHosts()
	}
	if err != nil {
		return err
	}
	for _, d := range x.hosts {
		x.progress.at(d.Profile().Name)
		if err := x.host(d); err != nil {
			return err
		}
	}
	if !x.userToo && f.only == "" {
		x.found = append(x.found, inspect.Unread(x.bridge.Places)...)
	}
	if why := cmdline.TooOld(x.file.Requires.Version, versionText()); why != "" {
		name, at := x.hosts[0].Profile().Name, x.file.Requires
		x.found = append(x.found, inspect.Finding{Host: name, Hooks: name, File: x.file.Path, Line: at.Line,
			Col: at.Col, Problems: []inspect.Problem{{Status: inspect.Weaker, Code: schema.CodeTooOld,
				Severity: schema.Weaker, Why: why}}})
	}
	if len(x.found) == 0 {
		return noHooks(x.bridge.Places, "found no hooks in "+x.bridge.Places.Project+
			" or in the user's folder; name the project with --project DIR")
	}
	return nil
}

func (x *doctor) host(d adapter.Dialect) error {
	what := inspect.Examined{Given: x.flags.All("config"), Hooks: x.flags.only, Trusted: x.bridge.Trusted,
		UserToo: x.userToo, Version: versionText()}
	what.From, _ = os.Getwd()
	var err error
	if what.Imports, err = inspect.StatedImports(x.file, d); err != nil {
		return err
	}
	x.found = append(x.found, inspect.Examine(d, x.bridge.Places, what)...)
	if x.flags.Text("module") != "" {
		cfg, ds := readModule(x.bridge.Hooks, x.flags.Text("module"), x.bridge.Places.Project)
		x.found = append(x.found, inspect.ExamineModule(d, x.bridge.Hooks, cfg, ds, x.bridge.Places)...)
	}
	return nil
}

// chooseHosts finds the hosts that the command line doesn't name: the project's
// agents, or else those with hook files of the user's.
func (x *doctor) chooseHosts() (err error) {
	if len(x.flags.hosts) > 0 {
		x.hosts, err = dialectsNamed("--host", x.flags.hosts)
		return err
	}
	if x.survey, err = survey.Take(x.bridge.Places, x.file); err != nil {
		return err
	}
	x.hosts = x.survey.Hosts()
	if x.userToo = len(x.survey.Project()) == 0; x.userToo {
		x.hosts = x.survey.UserHosts()
	}
	return nil
}

// printStale reports accepted findings that are not found any more.
func (x *doctor) printStale(w io.Writer) {
	if x.flags.only != "" {
		return
	}
	for i := range x.found {
		for j := range x.found[i].Problems {
			x.accepts(&x.found[i], &x.found[i].Problems[j])
		}
	}
	for _, a := range x.lines {
		examined := slices.ContainsFunc(x.hosts, func(d adapter.Dialect) bool { return d.Profile().Name == a.host })
		if _, err := adapter.Find(a.host); !a.used && (examined || err != nil) {
			fmt.Fprintln(w, schema.Printable("hookbridge doctor: note: "+a.place+": matches no finding: "+
				a.text+"; copy the line that doctor --verbose prints, or remove it"))
		}
	}
}

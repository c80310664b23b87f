// Package doctor is the command doctor.
package doctor

import (
	_ "embed"
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
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed doctor.txt
var help string

// Command is the command doctor.
func Command() cli.Command { return cli.Looking[flags](help) }

type flags struct {
	common.RunFlags
	hosts        cli.ListFlag
	report       cli.Report
	open         bool
	verbose      bool
	writeAccept  bool
	seen         bool
	accept, only string
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Many(&f.hosts, "host")
	fs.Text(&f.only, "hooks", "")
	f.report.Define(fs)
	fs.Yes(&f.verbose, "verbose")
	fs.Yes(&f.open, "fail-open")
	fs.Yes(&f.seen, "seen")
	fs.Row(&f.Call, "config", "")
	fs.Row(&f.Call, "module", "")
	fs.Text(&f.accept, "accept", "")
	fs.Yes(&f.writeAccept, "write-accept")
	f.DefinePlaces(fs)
}

type doctor struct {
	common.Review
	flags    *flags
	bridge   *bridge.Bridge
	file     *projectfile.File
	hosts    []adapter.Dialect
	survey   *survey.Survey // nil: the command line names the hosts
	found    []inspect.Finding
	progress *cli.Progress
	userToo  bool // there is no project; the user's own hooks are examined
}

func (f *flags) Run(_ *cli.Flags, _ []string, std cli.IO) (int, error) {
	if f.writeAccept && (f.report.JSON() || f.report.Format != "text") {
		return 0, cli.Usage("--write-accept asks, so it goes with neither --json nor --format")
	}

	x := &doctor{flags: f, progress: cli.StartProgress(&std, "doctor")}
	defer x.progress.End()
	err := x.examine()
	if errors.As(err, new(cli.UsageError)) {
		return 0, err
	}

	switch {
	case err == nil && f.writeAccept:
		return x.writeAccept(std)
	case f.report.JSON():
		cli.PrintJSON(std.Out, lists.Map(x.found, x.doc))
	case cli.Formatted(std.Out, f.report.Format, x.diagnostics()):
		if err == nil {
			x.printCounts(std.Err)
		}
	case err == nil:
		x.print(std.Out)
		if f.seen {
			x.printSeen(std.Out)
		}
	}

	if err != nil {
		return 0, err
	}

	x.printStale(std.Err)
	common.NotesOn(std.Err, x.bridge.Places, x.survey, x.hosts, f.Here)
	common.Unseen(std.Err, x.bridge.Places, x.hosts)
	cli.Notes(std.Err, "hookbridge doctor", survey.OwnRules(x.bridge.Places, x.hosts)...)
	common.NoteLogs(std.Err, x.bridge.Places, x.hosts)
	common.AskClients(x.hosts, x.bridge.Places).Note(std.Err, x.hosts)
	return cli.FailIf(slices.ContainsFunc(x.found, x.Fails)), nil
}

func (x *doctor) examine() (err error) {
	f := x.flags
	if err = cli.ProjectIsThere(f.Text("project")); err == nil {
		x.bridge, err = f.Bridge()
	}
	if err == nil {
		x.file, err = common.LoadProjectFile(x.bridge.Places.Project)
	}

	if err == nil {
		x.At = x.bridge.Places
		err = x.ReadProject(x.file)
	}

	if err == nil && f.accept != "" {
		err = x.ReadFile(f.accept)
	}

	if err == nil && f.only != "" {
		var only adapter.Dialect
		if only, err = cli.FindDialect("--hooks", f.only); err == nil {
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
		x.progress.At(d.Profile().Name)
		if err := x.host(d); err != nil {
			return err
		}
	}

	if !x.userToo && f.only == "" {
		x.found = append(x.found, inspect.Unread(x.bridge.Places)...)
		x.found = append(x.found, inspect.IdleChoices(x.file, x.bridge.Places)...)
		x.found = append(x.found, inspect.ImportsLeftOn(x.file, x.bridge.Places, x.hosts)...)
	}

	if why := cmdline.TooOld(x.file.Requires.Version, cli.VersionText()); why != "" {
		name, at := x.hosts[0].Profile().Name, x.file.Requires
		x.found = append(x.found, inspect.Finding{Host: name, Hooks: name, File: x.file.Path, Line: at.Line,
			Col: at.Col, Problems: []inspect.Problem{{Status: inspect.Weaker, Code: schema.CodeTooOld,
				Severity: schema.Weaker, Why: why}}})
	}

	if len(x.found) == 0 {
		return common.NoHooks(x.bridge.Places, "found no hooks in "+x.bridge.Places.Project+
			" or in the user's folder; name the project with --project DIR")
	}

	return nil
}

func (x *doctor) host(d adapter.Dialect) error {
	what := inspect.Examined{Given: x.flags.All("config"), Hooks: x.flags.only, Trusted: x.bridge.Trusted,
		UserToo: x.userToo, Version: cli.VersionText(), File: x.file}
	what.From, _ = os.Getwd()
	var err error
	if what.Imports, err = inspect.StatedImports(x.file, d); err != nil {
		return err
	}
	x.found = append(x.found, inspect.Examine(d, x.bridge.Places, what)...)
	if x.flags.Text("module") != "" {
		cfg, ds := common.ReadModule(x.bridge.Hooks, x.flags.Text("module"), x.bridge.Places.Project)
		x.found = append(x.found, inspect.ExamineModule(d, x.bridge.Hooks, cfg, ds, x.bridge.Places)...)
	}
	return nil
}

// chooseHosts chooses the hosts if the command line names none: the project's agents, or else those with hook files of
// the user.
func (x *doctor) chooseHosts() (err error) {
	if len(x.flags.hosts) > 0 {
		x.hosts, err = common.DialectsNamed("--host", x.flags.hosts)
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

// printStale reports accepted findings that no longer occur.
func (x *doctor) printStale(w io.Writer) {
	if x.flags.only != "" {
		return
	}
	for i := range x.found {
		for j := range x.found[i].Problems {
			x.Accepts(&x.found[i], &x.found[i].Problems[j])
		}
	}
	for _, a := range x.Lines {
		examined := slices.ContainsFunc(x.hosts, func(d adapter.Dialect) bool { return d.Profile().Name == a.Host })
		if _, err := adapter.Find(a.Host); !a.Used && (examined || err != nil) {
			fmt.Fprintln(w, schema.Printable("hookbridge doctor: note: "+a.Place+": matches no finding: "+
				a.Text+"; copy the line that doctor --verbose prints, or remove it"))
		}
	}
}

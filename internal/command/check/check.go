// Package check is the command check.
package check

import (
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed check.txt
var help string

// Command is the command check.
func Command() cli.Command { return cli.Looking[flags](help) }

type flags struct {
	common.RunFlags
	hosts   cli.ListFlag
	report  cli.Report
	agent   string
	strict  bool
	scripts bool
	fix     bool
	dry     bool
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Text(&f.agent, "dialect", "")
	fs.Many(&f.hosts, "host")
	f.report.Define(fs)
	fs.Yes(&f.scripts, "scripts")
	fs.Yes(&f.fix, "fix")
	fs.Yes(&f.dry, "dry-run")
	fs.Yes(&f.strict, "strict")
	f.DefinePlaces(fs)
}

type checked struct {
	name    string
	dialect adapter.Dialect
	hooks   int
	found   schema.Diagnostics
}

func (f *flags) Run(fs *cli.Flags, names []string, std cli.IO) (int, error) {
	c := &fileChecker{named: fs.Given("project"), stdin: std.In, scripts: f.scripts, fix: f.fix}
	if f.dry && !f.fix {
		return 0, cli.Usage("--dry-run goes with --fix")
	}
	if f.fix && slices.Contains(names, "-") {
		return 0, cli.Usage("--fix changes files, and - is none")
	}
	b, err := f.Ready()
	if err == nil && f.agent != "" {
		c.given, err = cli.FindDialect("--dialect", f.agent)
	}
	if err == nil {
		c.hosts, err = common.DialectsNamed("--host", f.hosts)
	}
	if err != nil {
		return 0, err
	}

	c.places = b.Places
	if len(names) == 0 {
		names = []string{b.Places.Project}
	}

	p := cli.StartProgress(&std, "check")
	for _, name := range names {
		p.At(name)
		c.path(name)
	}

	gone, err := f.write(c.changes, c.places.Project)
	if err != nil {
		p.End()
		return 0, err
	}
	entries := c.entries(b.Trusted)
	p.End()
	f.printChanges(c.changes, gone, std)
	cli.Notes(std.Err, "hookbridge", append(c.assumed, entries...)...)

	if c.survey != nil {
		common.NotesOn(std.Err, c.places, c.survey, nil, "")
		common.NoteStarted(std.Err, c.survey.Hosts(), c.places.Project, f.Here)
	}

	var all schema.Diagnostics
	for _, file := range c.files {
		all = append(all, file.found...)
	}
	all = lists.Unique(all) // two agents may read one file

	switch {
	case f.report.JSON():
		cli.PrintJSON(std.Out, Doc{lists.Map(c.files, checked.doc), cli.FindingDocs(all), c.scriptDocs(), gone})
	case !cli.Formatted(std.Out, f.report.Format, all):
		read := slices.DeleteFunc(slices.Clone(c.files), func(f checked) bool { return discover.IsFolder(f.name) })
		printChecked(std, len(read), all)
		c.printScripts(std.Out)
	}

	worst := all.Max()
	noted := worst == schema.Note || len(entries) > 0
	return cli.FailIf(worst > schema.Note || noted && f.strict), nil
}

// Doc is the report of check, in the form that --json prints.
type Doc struct {
	Files       []fileDoc           `json:"files"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
	Scripts     []scriptDoc         `json:"scripts,omitempty"` // with --scripts
	Fixed       []schema.Diagnostic `json:"fixed,omitempty"`   // with --fix: the findings that are gone
}

// write makes the changes, except for a trial, and returns the findings that are gone.
func (f *flags) write(changes []change, project string) (gone schema.Diagnostics, err error) {
	for _, c := range changes {
		err = errors.Join(err, cli.Inside(project, c.name))
	}
	if err != nil {
		return nil, err
	}

	for _, c := range changes {
		if !f.dry {
			err = errors.Join(err, jsonedit.WriteFile(cli.Absolute(c.name), c.before, c.after))
		}
		for _, d := range c.gone {
			d.File = c.name
			gone = append(gone, d)
		}
	}
	return gone, err
}

func (f *flags) printChanges(changes []change, gone schema.Diagnostics, std cli.IO) {
	if f.report.JSON() || f.report.Format != "text" {
		return
	}
	done := "fixed "
	if f.dry {
		done = "to fix "
		for _, c := range changes {
			fmt.Fprint(std.Out, install.Diff(filepath.ToSlash(c.name), c.before, c.after))
		}
	}
	for _, d := range gone {
		fmt.Fprintln(std.Out, done+d.String())
	}
}

type fileDoc struct {
	File  string `json:"file"`
	Agent string `json:"dialect,omitempty"`
	Hooks int    `json:"hooks"`
}

func (f checked) doc() fileDoc {
	doc := fileDoc{File: f.name, Hooks: f.hooks}
	if f.dialect != nil {
		doc.Agent = f.dialect.Profile().Name
	}
	return doc
}

func printChecked(std cli.IO, files int, all schema.Diagnostics) {
	for i := range all { // a finding about a whole file is on its first line
		if all[i].Code != schema.CodeUnreadable {
			all[i].Line = max(all[i].Line, 1)
		}
	}
	cli.PrintDiagnostics(std.Out, "", all)
	if files > 0 {
		fmt.Fprintf(std.Err, "%s, %s\n", cli.Counted(files, "file"), cli.Counted(len(all), "finding"))
	}
	if len(all) > 0 {
		fmt.Fprintln(std.Err, "see hookbridge explain CODE for what a code means and what to do")
	}
}

func (c *fileChecker) ownFiles(dir string) {
	folder := common.DefaultTests
	if name := filepath.Join(dir, projectfile.Name); hookfile.Exists(name) {
		if file := c.projectFile(cli.Shown(name)); file != nil && file.Tests != "" {
			folder = file.Tests
		}
	}

	folder = filepath.Join(dir, filepath.FromSlash(folder))
	if !hookfile.Exists(folder) {
		return
	}

	files, err := common.ScenarioFiles(folder)
	if err != nil {
		c.unreadable(cli.Shown(folder), err)
	}

	for _, name := range files {
		f := checked{name: cli.Shown(name)}
		text, err := discover.Read(name)
		var list []scenario.Scenario
		if err == nil {
			list, err = scenario.Parse(f.name, text)
		}
		if err == nil {
			err = common.CheckAgents(list)
		}
		f.mistake(err)
		c.files = append(c.files, f)
	}
}

// projectFile checks hookbridge.yaml. It returns nil if the file can't be read.
func (c *fileChecker) projectFile(name string) *projectfile.File {
	f := checked{name: name}
	text, err := discover.Read(name)
	var file *projectfile.File
	if err == nil {
		file, err = projectfile.Parse(name, text)
	}
	if file != nil {
		for _, err := range common.MistakesIn(file) {
			f.mistake(err)
		}
		p := c.places
		p.Project = filepath.Dir(cli.Absolute(name))
		for _, idle := range choice.IdleIn(file, p) {
			d := f.found.Add(schema.CodeChoice, "", idle.Why)
			d.File, d.Line, d.Col, d.Fix = f.name, idle.Choice.Line, idle.Choice.Col, idle.Fix
		}
	}
	f.mistake(err)
	c.files = append(c.files, f)
	return file
}

func (f *checked) mistake(err error) {
	var at *frontmatter.Error
	switch {
	case err == nil:
	case errors.As(err, &at):
		code := schema.CodeShape
		if at.Syntax {
			code = schema.CodeSyntax
		}
		d := f.found.Add(code, "", at.Msg)
		d.File, d.Line, d.Col = f.name, at.Line, at.Col
	default:
		f.found = append(f.found, hookfile.Unreadable(f.name, err)...)
	}
}

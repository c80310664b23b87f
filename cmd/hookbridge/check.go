package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/schema"
)

type checkFlags struct {
	runFlags
	hosts         listFlag
	agent, format string
	strict, json  bool
}

func (f *checkFlags) define(fs *flags) {
	fs.text(&f.agent, "dialect", "", "AGENT", "the agent that the file is written for (default: detected from its "+
		"path, then from its events)")
	fs.many(&f.hosts, "host", "AGENT", "also report what is lost or weaker when these agents run the hooks, such as "+
		"cursor,codex")
	fs.text(&f.format, "format", "text", reportFormats, reportFormatsHelp)
	fs.yes(&f.json, "json", "one JSON object, like --format json")
	fs.yes(&f.strict, "strict", "notes also exit with 1")
	f.definePlaces(fs)
}

type checkedFile struct {
	name    string
	dialect adapter.Dialect
	hooks   int
	found   schema.Diagnostics
}

func (f *checkFlags) run(fs *flags, names []string, std stdio) (int, error) {
	c := &fileChecker{named: fs.given("project"), stdin: std.in}
	err := projectIsThere(f.Text("project"))
	if err == nil && f.agent != "" {
		c.given, err = findDialect("--dialect", f.agent)
	}
	if err == nil {
		c.hosts, err = dialectsNamed("--host", f.hosts)
	}
	if err != nil {
		return 0, err
	}
	b, err := f.ready()
	if err != nil {
		return 0, err
	}
	c.places = b.Places
	if len(names) == 0 {
		names = []string{b.Places.Project}
	}
	p := startProgress(&std, "check")
	for _, name := range names {
		p.at(name)
		c.path(name)
	}
	entries := c.entries(b.Trusted)
	p.end()
	for _, note := range entries {
		fmt.Fprintln(std.err, schema.Printable("hookbridge: note: "+spoken(note)))
	}
	if c.survey != nil {
		notesOn(std.err, c.places, c.survey, nil, "")
	}
	var all schema.Diagnostics
	said := map[schema.Diagnostic]bool{} // two agents may read one file
	for _, file := range c.files {
		for _, d := range file.found {
			if !said[d] {
				all = append(all, d)
			}
			said[d] = true
		}
	}
	switch {
	case f.json || f.format == "json":
		printJSON(std.out, checkDoc{each(c.files, checkedFile.doc), findingDocs(all)})
	case !formatted(std.out, f.format, all):
		read := slices.DeleteFunc(slices.Clone(c.files), func(f checkedFile) bool { return discover.IsFolder(f.name) })
		printChecked(std, len(read), all)
	}
	worst := all.Max()
	noted := worst == schema.Note || len(entries) > 0
	return failIf(worst > schema.Note || noted && f.strict), nil
}

type checkDoc struct {
	Files       []fileDoc           `json:"files"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
}

type fileDoc struct {
	File  string `json:"file"`
	Agent string `json:"dialect,omitempty"`
	Hooks int    `json:"hooks"`
}

func (f checkedFile) doc() fileDoc {
	doc := fileDoc{File: f.name, Hooks: f.hooks}
	if f.dialect != nil {
		doc.Agent = f.dialect.Profile().Name
	}
	return doc
}

func printChecked(std stdio, files int, all schema.Diagnostics) {
	for i := range all { // a finding on a whole file is on its first line
		if all[i].Code != schema.CodeUnreadable {
			all[i].Line = max(all[i].Line, 1)
		}
	}
	printDiagnostics(std.out, "", all)
	if files > 0 {
		fmt.Fprintf(std.err, "%s, %s\n", counted(files, "file"), counted(len(all), "finding"))
	}
	if len(all) > 0 {
		fmt.Fprintln(std.err, "see hookbridge explain CODE for what a code means and what to do")
	}
}

func (c *fileChecker) ownFiles(dir string) {
	folder := defaultTests
	if name := filepath.Join(dir, projectfile.Name); hookfile.Exists(name) {
		if file := c.projectFile(shown(name)); file != nil && file.Tests != "" {
			folder = file.Tests
		}
	}
	folder = filepath.Join(dir, filepath.FromSlash(folder))
	if !hookfile.Exists(folder) {
		return
	}
	files, err := scenarioFiles(folder)
	if err != nil {
		c.unreadable(shown(folder), err)
	}
	for _, name := range files {
		f := checkedFile{name: shown(name)}
		text, err := discover.Read(name)
		var list []scenario.Scenario
		if err == nil {
			list, err = scenario.Parse(f.name, text)
		}
		if err == nil {
			err = checkAgents(list)
		}
		f.mistake(err)
		c.files = append(c.files, f)
	}
}

// projectFile checks hookbridge.yaml; nil if it can't be read.
func (c *fileChecker) projectFile(name string) *projectfile.File {
	f := checkedFile{name: name}
	text, err := discover.Read(name)
	var file *projectfile.File
	if err == nil {
		file, err = projectfile.Parse(name, text)
	}
	if file != nil {
		for _, err := range mistakesIn(file) {
			f.mistake(err)
		}
	}
	f.mistake(err)
	c.files = append(c.files, f)
	return file
}

func (f *checkedFile) mistake(err error) {
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

package main

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// ownFiles checks hookbridge.yaml and the scenarios of a project.
func (c *fileChecker) ownFiles(dir string) {
	folder := defaultTests
	if name := filepath.Join(dir, projectfile.Name); exists(name) {
		if file := c.projectFile(shown(name)); file != nil && file.Tests != "" {
			folder = file.Tests
		}
	}
	folder = filepath.Join(dir, filepath.FromSlash(folder))
	if !exists(folder) {
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

// mistake adds an error at its place in the file.
func (f *checkedFile) mistake(err error) {
	var own *projectfile.Error
	var its *scenario.Error
	switch {
	case err == nil:
	case errors.As(err, &own):
		d := f.found.Add(schema.CodeShape, "", own.Msg)
		d.File, d.Line, d.Col = f.name, own.Line, own.Col
	case errors.As(err, &its):
		d := f.found.Add(schema.CodeShape, "", its.Msg)
		d.File, d.Line, d.Col = f.name, its.Line, its.Col
	default:
		f.found.Add(schema.CodeUnreadable, "", discover.Reason(err)).File = f.name
	}
}

// mistakesIn lists what the commands that read the file would refuse.
func mistakesIn(file *projectfile.File) (errs []error) {
	known := installFlagSet()
	for _, s := range file.Install {
		errs = append(errs, setDefault(file, known, known, s))
	}
	if _, err := agentsStated(file); err != nil {
		errs = append(errs, err)
	}
	for _, fact := range file.Facts {
		switch _, err := adapter.Find(fact.Agent); {
		case err != nil:
			errs = append(errs, file.Mistake(fact.Line, fact.Col, "facts: "+err.Error()+suggest.Question(fact.Agent, dialectNames())))
		case fact.Name != inspect.ImportFact:
			errs = append(errs, file.Mistake(fact.Line, fact.Col, "facts: no command asks for "+fact.Name+suggest.Question(fact.Name, []string{inspect.ImportFact})))
		}
	}
	for _, d := range adapter.Dialects() {
		_, err := importsOf(file, d)
		errs = append(errs, err)
	}
	for _, a := range file.Accept {
		if _, ok := parseAccepted(a.Finding); !ok {
			errs = append(errs, file.Mistake(a.Line, a.Col, acceptedForm))
		}
	}
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

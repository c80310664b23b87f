package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/schema"
)

// checkFlags is the command line of check.
type checkFlags struct {
	runFlags
	hosts           listFlag
	dialect, format string
	strict, json    bool
}

func (f *checkFlags) define(fs *flags) {
	fs.text(&f.dialect, "dialect", "", "D", "the agent that the file is written for (default: detected from its path, then from its events)")
	fs.many(&f.hosts, "host", "D", "also report what is lost or weaker when these agents run the hooks, such as cursor,codex")
	fs.text(&f.format, "format", "text", judgeFormats, judgeFormatsHelp)
	fs.yes(&f.json, "json", "one JSON object, like --format json")
	fs.yes(&f.strict, "strict", "notes also exit with 1")
	f.definePlaces(fs)
}

// A checkedFile is one file with what was found in it.
type checkedFile struct {
	name    string
	dialect adapter.Dialect
	hooks   int
	found   schema.Diagnostics
}

func checkCommand(args []string, std stdio) int {
	f := &checkFlags{}
	fs := newFlags("check")
	f.define(fs)
	f.ask, f.hooks = "deny", dialectNames()[0]
	names, err := fs.parse(args)
	if f.json {
		f.format = "json"
	}
	if err == nil {
		err = projectIsThere(f.project)
	}
	var d adapter.Dialect
	if err == nil && f.dialect != "" {
		d, err = findDialect("--dialect", f.dialect)
	}
	var hosts []adapter.Dialect
	if err == nil {
		hosts, err = dialectsNamed("--host", f.hosts)
	}
	var b *bridge.Bridge
	if err == nil {
		b, err = f.bridge()
	}
	if err != nil {
		return failed(std, "check", err)
	}
	if len(names) == 0 {
		names = []string{b.Places.Project}
	}
	c := &fileChecker{given: d, hosts: hosts, places: b.Places, named: fs.given("project"), stdin: std.in}
	p := startProgress(&std, "check")
	for _, name := range names {
		p.at(name)
		c.path(name)
	}
	p.end()
	switch {
	case f.format == "json":
		printJSON(std.out, checkDocOf(c.files))
	case !formatted(std.out, f.format, allFound(c.files)):
		printChecked(std, c.files)
	}
	for _, file := range c.files {
		if worst := file.found.Max(); worst > schema.Note || worst == schema.Note && f.strict {
			return exitFail
		}
	}
	return exitOK
}

func printChecked(std stdio, files []checkedFile) {
	count := 0
	for _, file := range files {
		count += len(file.found)
		for i := range file.found { // a finding on a whole file is on its first line
			file.found[i].Line = max(file.found[i].Line, 1)
		}
		printDiagnostics(std.out, "", file.found)
	}
	fmt.Fprintf(std.err, "%s, %s\n", counted(len(files), "file"), counted(count, "finding"))
	if count > 0 {
		fmt.Fprintln(std.err, "see hookbridge explain CODE for what a code means and what to do")
	}
}

// allFound unites the findings on files.
func allFound(files []checkedFile) (ds schema.Diagnostics) {
	for _, f := range files {
		ds = append(ds, f.found...)
	}
	return ds
}

// counted is a number of things: "1 entry", "2 entries".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if stem, ok := strings.CutSuffix(what, "y"); ok {
		what = stem + "ie"
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// shown is a path as the user would write it here.
func shown(file string) string {
	if wd, err := os.Getwd(); err == nil {
		return relative(wd, file)
	}
	return file
}

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil && name != "-" {
		return abs
	}
	return name
}

// fromProject is a path from the current folder or from the user's own, whichever
// holds it: what lies above says nothing about a file.
func fromProject(name string) string {
	home, _ := os.UserHomeDir()
	wd, _ := os.Getwd()
	for _, dir := range []string{wd, home} {
		if rel, err := filepath.Rel(dir, absolute(name)); dir != "" && err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	dir := filepath.Dir(filepath.Dir(absolute(name)))
	rel, _ := filepath.Rel(filepath.Dir(dir), absolute(name))
	return rel
}

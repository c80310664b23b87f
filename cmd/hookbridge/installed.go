package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/schema"
)

// installed is what install, uninstall or status says about one file.
type installed struct {
	host, file, state string
	hooks             []string
	scope             schema.Scope
	entries           int
	needed            bool     // entries are those that are needed
	diff              string   // of --dry-run
	change            *rewrite // of --dry-run; nil: none
	found             schema.Diagnostics
	notes             []string
}

// install writes the entries that the parts need.
func (t *target) install(dry bool) ([]installed, error) {
	after, count, stale := t.before, 0, false
	for _, p := range t.parts {
		count += len(p.want)
		if p.state() == "current" && !p.surplus() {
			continue
		}
		stale = true
		var err error
		if after, err = t.added(after, p.in.Hooks, p.want); err != nil {
			return nil, err
		}
	}
	if stale {
		off := unheeded(t.host, after, schema.Source{File: t.file, Scope: t.call.scope})
		if off.Max() == schema.Error {
			return nil, errors.New(off[0].String())
		}
		t.parts[0].found = append(t.parts[0].found, off...)
	}
	t.unreviewed(after)
	r := t.result("installed", t.parts...)
	r.entries = count
	switch {
	case !stale:
		r.state, r.entries = "current", 0
	case dry:
		r.change = t.wouldWrite(after, false)
	default:
		if err := t.write(after); err != nil {
			return nil, err
		}
	}
	return []installed{r}, nil
}

// surplus reports whether the file has entries at events that no hook here needs.
func (p *bridged) surplus() bool { return len(p.own) > len(p.want) }

// write replaces the file. Before the first change of a file that was there before a
// backup is left beside it.
func (t *target) write(after []byte) error {
	if t.before == nil {
		return t.create(after)
	}
	if _, exists := os.Stat(t.file + backupName); errors.Is(exists, fs.ErrNotExist) && !t.hasEntries() {
		return jsonedit.WriteBackedUp(t.file, t.before, after)
	}
	return jsonedit.WriteFile(t.file, t.before, after)
}

// printInstalled writes the results: a line for each file, or a diff.
func printInstalled(std stdio, name string, results []installed, json bool, err error) {
	if json {
		printJSON(std.out, each(results, installed.doc))
		return
	}
	p := painterFor(std.out)
	said := map[string]bool{}
	say := func(line string) {
		if !said[line] {
			fmt.Fprintln(std.err, "hookbridge: "+line)
		}
		said[line] = true
	}
	for _, r := range results {
		for _, d := range r.found {
			say(d.String())
		}
		for _, n := range r.notes {
			say("note: " + schema.Printable(n))
		}
	}
	for _, r := range results {
		if r.change != nil {
			if out := std.raw(); out == std.out {
				fmt.Fprint(out, coloredDiff(p, r.diff))
			} else { // for git apply, whatever FORCE_COLOR says
				fmt.Fprint(out, r.diff)
			}
			continue
		}
		line := p.paint(stateColor(r.state), r.state) + "  " + r.file // the terminal spells out what is unprintable
		switch {
		case r.needed:
			line += "  (" + counted(r.entries, "entry") + " needed" + forHooks(results, &r)
			if r.state == "stale" || r.state == "edited" {
				line += "; hookbridge install --host " + r.host + " --scope " + r.scope.String() + " updates the file"
			}
			line += ")"
		case r.state == "installed":
			line += "  (" + counted(r.entries, "entry") + ")"
		}
		fmt.Fprintln(std.out, line)
	}
	if len(results) == 0 && name != "install" && err == nil {
		fmt.Fprintln(std.out, "absent  no agent's hook file here calls hookbridge")
	}
}

// forHooks says whose hooks a line is about, where there are several for one file.
func forHooks(results []installed, r *installed) string {
	for _, other := range results {
		if other.file == r.file && strings.Join(other.hooks, ",") != strings.Join(r.hooks, ",") {
			return " for the hooks of " + strings.Join(r.hooks, ", ")
		}
	}
	return ""
}

func stateColor(state string) string {
	switch state {
	case "installed", "current", "uninstalled", "changed":
		return good
	case "stale", "edited":
		return middle
	}
	return faint
}

// An installedDoc is what install, uninstall or status says about one file in JSON.
type installedDoc struct {
	Host        string              `json:"host"`
	Hooks       []string            `json:"hooks"`
	Scope       string              `json:"scope"`
	File        string              `json:"file"`
	State       string              `json:"state"`
	Entries     int                 `json:"entries"`
	Written     bool                `json:"written"`
	Diff        string              `json:"diff"`
	Notes       []string            `json:"notes"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
}

func (r installed) doc() installedDoc {
	written := r.change == nil && (r.state == "installed" || r.state == "uninstalled" || r.state == "changed")
	return installedDoc{r.host, array(r.hooks), r.scope.String(), r.file, r.state, r.entries, written, r.diff, array(r.notes), findingDocs(r.found)}
}

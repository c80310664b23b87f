package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/edits"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// installed is what install, uninstall or status says about one file.
type installed struct {
	Host    string             `json:"host"`
	Hooks   []string           `json:"hooks"`
	Scope   string             `json:"scope"`
	File    string             `json:"file"`
	State   string             `json:"state"`
	Entries int                `json:"entries"`
	Written bool               `json:"written"`
	Diff    string             `json:"diff"` // of a change that is not made
	Notes   []string           `json:"notes"`
	Found   schema.Diagnostics `json:"diagnostics"`

	needed bool     // entries are those that are needed
	change *rewrite // not made yet; nil: none
}

func (t *target) install() ([]installed, error) {
	after, count, stale := t.before, 0, false
	for _, p := range t.parts {
		count += len(p.want)
		if p.state() == "current" && len(p.own) <= len(p.want) { // none at events that no hook here needs
			continue
		}
		stale = true
		var err error
		if after, err = t.added(after, p.in.Hooks, p.want); err != nil {
			return nil, err
		}
	}
	if stale {
		off := unheeded(t.host, after, t.source())
		if off.Max() == schema.Error {
			return nil, errors.New(off[0].String())
		}
		t.parts[0].found = append(t.parts[0].found, off...)
	}
	t.unreviewed(after)
	r := t.result("installed", t.parts...)
	r.Entries = count
	if stale {
		r.change = t.rewrite(after, false, func() error { return t.write(after) })
	} else {
		r.State, r.Entries = "current", 0
	}
	return []installed{r}, nil
}

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
		for _, d := range r.Found {
			say(d.String())
		}
		for _, n := range r.Notes {
			say("note: " + schema.Printable(n))
		}
	}
	for _, r := range results {
		if r.change != nil {
			if out := std.raw(); out == std.out {
				fmt.Fprint(out, coloredDiff(p, r.Diff))
			} else { // for git apply, whatever FORCE_COLOR says
				fmt.Fprint(out, r.Diff)
			}
			continue
		}
		line := p.paint(colorOf(r.State, faint), r.State) + "  " + r.File // the terminal spells out what is unprintable
		switch {
		case r.needed:
			line += "  (" + counted(r.Entries, "entry") + " needed" + forHooks(results, &r)
			if r.State == "stale" || r.State == "edited" {
				line += "; hookbridge install --host " + r.Host + " --scope " + r.Scope + " updates the file"
			}
			line += ")"
		case r.State == "installed":
			line += "  (" + counted(r.Entries, "entry") + ")"
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
		if other.File == r.File && strings.Join(other.Hooks, ",") != strings.Join(r.Hooks, ",") {
			return " for the hooks of " + strings.Join(r.Hooks, ", ")
		}
	}
	return ""
}

func (r installed) doc() installed {
	r.Written = r.change == nil && (r.State == "installed" || r.State == "uninstalled" || r.State == "changed")
	r.Hooks, r.Notes, r.Found = array(r.Hooks), array(r.Notes), findingDocs(r.Found)
	return r
}

// state compares the entries for the hooks of one agent with the needed ones. Entries
// at other events are fine: a teammate may have hooks that need them.
func (p *bridged) state() string {
	if len(p.own) == 0 {
		return "absent"
	}
	at := func(e convert.OwnEntry) func(convert.Placed) bool {
		return func(w convert.Placed) bool { return w.Pointer == e.Array }
	}
	same := func(e convert.OwnEntry, w convert.Placed) bool {
		return at(e)(w) && ordjson.Equal(e.Value, w.Value)
	}
	missing := slices.ContainsFunc(p.want, func(w convert.Placed) bool {
		return !slices.ContainsFunc(p.own, func(e convert.OwnEntry) bool { return same(e, w) })
	})
	strange := false // our call in another frame
	for _, e := range p.own {
		switch {
		case slices.ContainsFunc(p.want, func(w convert.Placed) bool { return same(e, w) }):
		case !strings.Contains(string(e.Value), p.in.CommandAt(path.Base(e.Array))+`"`):
			return "edited"
		case slices.ContainsFunc(p.want, at(e)) || !e.Alone:
			strange = true
		}
	}
	switch {
	case strange && missing:
		return "edited"
	case strange || missing:
		return "stale"
	}
	return "current"
}

// status prints the state for each agent whose hooks are concerned. auto leaves out
// what is neither there nor needed.
func (t *target) status(auto bool) (results []installed) {
	for _, p := range t.parts {
		if auto && len(p.own)+len(p.want) == 0 {
			continue
		}
		r := t.result(p.state(), p)
		r.needed, r.Entries = true, len(p.want)
		results = append(results, r)
	}
	return results
}

func (t *target) result(state string, parts ...*bridged) installed {
	r := installed{Host: t.host.Profile().Name, Scope: t.call.scope.String(), File: t.file, State: state, Notes: t.notes}
	for _, p := range parts {
		r.Hooks = append(r.Hooks, p.in.Hooks.Profile().Name)
		for _, d := range p.found {
			if d.Severity > schema.Note {
				r.Found = append(r.Found, d)
			}
		}
	}
	return r
}

// create writes a file where there was none. An empty folder that was there before gets
// a mark in place of a backup, so that uninstall leaves it; one that install makes is
// removed with the file.
func (t *target) create(after []byte) error {
	kept, mark := t.emptyBefore(), ""
	err := jsonedit.MakeParent(t.file)
	if kept != "" && err == nil {
		w := ordjson.NewWriter(nil)
		w.String("hookbridge", "there was no file before the first install, and uninstall keeps this folder")
		w.String("keep", filepath.ToSlash(kept))
		mark, err = jsonedit.Backup(t.file, append(w.Bytes(), '\n'))
	}
	if err == nil {
		err = jsonedit.WriteFile(t.file, nil, after)
	}
	if err != nil && mark != "" {
		os.Remove(mark)
	}
	return err
}

// emptyBefore is the innermost folder of the file that exists, relative to the file's
// own, if nothing is in it and it isn't the root.
func (t *target) emptyBefore() string {
	own := filepath.Dir(t.file)
	for dir := own; dir != rootOf(t.file, t.bridge.Places); dir = filepath.Dir(dir) {
		list, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir) {
			continue
		}
		if rel, relErr := filepath.Rel(own, dir); err == nil && relErr == nil && len(list) == 0 {
			return rel
		}
		return ""
	}
	return ""
}

func rootOf(file string, p schema.Places) string {
	if dialect.Within(p.Project, file) {
		return p.Project
	}
	return p.Home
}

// backup is the text from before the first install, nil if there was no file; kept is
// then the folder that was there already, "" if none.
func (t *target) backup() (text []byte, kept string) {
	text, err := discover.Read(t.file + backupName)
	if err != nil {
		return nil, ""
	}
	o, err := ordjson.Members(text, 0)
	if keep, ok := o.Get("keep"); err == nil && ok && len(o) == 2 && o[0].Name == "hookbridge" {
		rel, _ := ordjson.String(keep)
		return nil, filepath.Join(filepath.Dir(t.file), filepath.FromSlash(rel))
	}
	return text, ""
}

// removeFolders removes the folders that install made for the file, and those that are
// empty without it.
func (t *target) removeFolders(kept string) {
	root := rootOf(t.file, t.bridge.Places)
	for dir := filepath.Dir(t.file); dir != root && dir != kept && !isLink(dir); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil || !dialect.Within(root, dir) {
			return
		}
	}
}

// A rewrite is a change of a file that is not made yet.
type rewrite struct {
	before, after []byte // before nil: there was no file
	remove        bool
	write         func() error
}

func (t *target) rewrite(after []byte, remove bool, write func() error) *rewrite {
	if remove {
		after = nil
	}
	t.call.pending[t.file] = after
	return &rewrite{t.before, after, remove, write}
}

// diff shows the change as git apply and patch -p1 take it in the folder that the
// file's scope belongs to.
func (c *rewrite) diff(file string, p schema.Places) string {
	name, err := filepath.Rel(rootOf(file, p), file)
	if err != nil {
		name = file
	}
	name = filepath.ToSlash(name)
	from, to := "a/"+name, "b/"+name
	if c.before == nil {
		from = "/dev/null"
	}
	if c.remove {
		to = "/dev/null"
	}
	return unifiedDiff(from, to, string(c.before), string(c.after))
}

func unifiedDiff(from, to, before, after string) string {
	if before == after {
		return ""
	}
	a, b := edits.SplitLines(before), edits.SplitLines(after)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", quotedName(from), quotedName(to))
	for list := edits.Hunks(a, b); len(list) > 0; {
		n := 1 // what is so near that the lines around would meet is shown as one
		for n < len(list) && list[n].A0-list[n-1].A1 <= 2*around {
			n++
		}
		writeHunk(&out, a, b, list[:n])
		list = list[n:]
	}
	return out.String()
}

// around is how many equal lines are shown around a change.
const around = 3

// writeHunk writes changes that are shown together.
func writeHunk(out *strings.Builder, a, b []string, list []edits.Hunk) {
	first, last := list[0], list[len(list)-1]
	lead, tail := min(around, first.A0), min(around, len(a)-last.A1)
	place := func(start, end int) string {
		n := end - start
		if n > 0 { // a hunk without lines names the line before
			start++
		}
		return fmt.Sprintf("%d,%d", start, n)
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", place(first.A0-lead, last.A1+tail), place(first.B0-lead, last.B1+tail))
	write := func(op byte, lines []string) {
		for _, l := range lines {
			out.WriteByte(op)
			out.WriteString(l)
			if !strings.HasSuffix(l, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
	at := first.A0 - lead
	for _, h := range list {
		write(' ', a[at:h.A0])
		write('-', a[h.A0:h.A1])
		write('+', b[h.B0:h.B1])
		at = h.A1
	}
	write(' ', a[at:at+tail])
}

// quotedName writes a file's name as both programs read it.
func quotedName(name string) string {
	if strings.ContainsAny(name, "\"\\\n\t") {
		name = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(name)
		return `"` + name + `"`
	}
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

package install

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Result is what install, uninstall or status says about one file.
type Result struct {
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

	// Fails: the file is there, or needed, and doesn't do what hookbridge writes it for.
	Fails  bool     `json:"-"`
	needed bool     // entries are those that are needed
	change *rewrite // not made yet; nil: none
}

// Pending reports whether the result's change isn't made yet.
func (r *Result) Pending() bool { return r.change != nil }

// Needed reports whether Entries are those that are needed, as status counts them.
func (r *Result) Needed() bool { return r.needed }

func (t *Target) install() ([]Result, error) {
	if len(t.parts) == 0 { // only its import is switched off
		return nil, nil
	}

	after, count, stale := t.before, 0, false
	for _, p := range t.parts {
		count += len(p.want)
		if t.state(p) == "current" && len(p.own) <= len(p.want) { // none at events that no hook here needs
			continue
		}
		stale = true
		var err error
		if after, err = t.added(after, entriesFor(t.Host, after, p.all...), p.want); err != nil {
			return nil, err
		}
	}

	if stale {
		off := Unheeded(t.Host, after, t.source())
		if off.Max() == schema.Error {
			return nil, errors.New(off[0].String())
		}
		if h := silenced(t.Host, t.job.Places, t.file, t.before, after); h != nil {
			return nil, errors.New(silence(t.Host, h, t.file) +
				": move its hooks into that file and install again; nothing was written")
		}
		t.parts[0].found = append(t.parts[0].found, off...)
	}

	t.unreviewed(after)
	t.noteCopies(after)
	r := t.result("installed", t.parts...)
	r.Entries = count
	if stale {
		r.change = t.rewrite(after, false, func() error { return t.write(after) })
	} else {
		r.State, r.Entries = "current", 0
	}

	return []Result{r}, nil
}

// write replaces the file and its copies.
func (t *Target) write(after []byte) error {
	if err := t.writeFile(after); err != nil {
		return err
	}
	return t.writeCopies(after)
}

// writeFile replaces the file. Before the first change of a file that was there before a
// backup is left beside it.
func (t *Target) writeFile(after []byte) error {
	if t.before == nil {
		return t.create(after)
	}
	if _, exists := os.Stat(t.file + backupName); errors.Is(exists, fs.ErrNotExist) && !t.hasEntries() {
		return jsonedit.WriteBackedUp(t.file, t.before, after)
	}
	return jsonedit.WriteFile(t.file, t.before, after)
}

// state is that of a part's entries, in a file that is as hookbridge writes it.
func (t *Target) state(p *part) string {
	s := p.state()
	if other := t.whoWrote(); other != "" {
		return other
	}
	if s == "current" && wholeFile(t.Host) != nil && !t.hasCopies() {
		return "stale"
	}
	return s
}

// whoWrote is the state of a file that hookbridge writes as a whole, where that isn't as this version writes it; "" for
// any other.
func (t *Target) whoWrote() string {
	if wholeFile(t.Host) == nil || convert.Blank(t.before) {
		return ""
	}
	text, err := document(t.Host, t.before)
	if err == nil && bytes.Equal(convert.File(t.Host, text), t.before) {
		return ""
	}
	_, found := t.Host.ParseConfig(t.before, t.source())
	if slices.ContainsFunc(found, func(d schema.Diagnostic) bool { return d.Code == schema.CodeStale }) {
		return "stale"
	}
	return "edited"
}

// state compares the entries of a part with the needed ones. Entries at other events are
// fine: a teammate may have hooks that need them.
func (p *part) state() string {
	if !slices.ContainsFunc(p.own, func(e convert.OwnEntry) bool {
		return slices.ContainsFunc(p.named, func(d adapter.Dialect) bool {
			return e.Call.RunsHooksOf(d.Profile().Name)
		})
	}) {
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
	strange, older := false, false // our call in another frame, and for the hooks of other agents
	for _, e := range p.own {
		call := p.in.CallAt(path.Base(e.Array))
		switch {
		case slices.ContainsFunc(p.want, func(w convert.Placed) bool { return same(e, w) }):
		case !slices.Equal(stated(e.Call), stated(call)) || e.Call.Path != call.Path:
			return "edited"
		case !slices.Equal(e.Call.Owners(), call.Owners()) || (e.Call.ProjectLauncher != "") != (p.in.Launch != nil),
			slices.ContainsFunc(p.want, func(w convert.Placed) bool { return at(e)(w) && p.startsOtherwise(e, w) }):
			older = true
		case slices.ContainsFunc(p.want, at(e)) || !e.Alone:
			strange = true
		}
	}

	switch {
	case strange && missing && !older:
		return "edited"
	case strange || missing || older:
		return "stale"
	}

	return "current"
}

// startsOtherwise reports whether an entry starts the launcher by other words than the wanted one, as an older
// hookbridge has written it.
func (p *part) startsOtherwise(e convert.OwnEntry, w convert.Placed) bool {
	want := convert.NewOwnEntry(p.in.Host, path.Base(w.Pointer), w.Value).Call
	sameWords := want.ProjectLauncher == e.Call.ProjectLauncher && want.Refusal == e.Call.Refusal
	return !sameWords || w.Windows != "" && !bytes.Contains(e.Value, ordjson.AppendString(nil, w.Windows))
}

// stated are the flags of a call that a user may have edited.
func stated(c cmdline.Call) []cmdline.Flag {
	return slices.DeleteFunc(slices.Clone(c.Flags), func(f cmdline.Flag) bool {
		row := cmdline.Row(f.Name)
		return f.Name == "hooks" || f.Name == "missing" || row == nil || row.Removed
	})
}

// status is the state for the hooks of each part. auto leaves out
// what is neither there nor needed.
func (t *Target) status(auto bool) (results []Result) {
	for _, p := range t.parts {
		if auto && len(p.own)+len(p.want) == 0 {
			continue
		}
		r := t.result(t.state(p), p)
		r.needed, r.Entries = true, len(p.want)
		r.Fails = t.whoWrote() != ""
		results = append(results, r)
	}
	return results
}

func (t *Target) result(state string, parts ...*part) Result {
	r := Result{Host: t.Host.Profile().Name, Scope: t.job.Scope.String(), File: t.file, State: state, Notes: t.Notes}
	for _, p := range parts {
		r.Hooks = append(r.Hooks, adapter.NamesOf(p.in.Hooks)...)
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
func (t *Target) create(after []byte) error {
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
func (t *Target) emptyBefore() string {
	own := filepath.Dir(t.file)
	for dir := own; dir != rootOf(t.file, t.job.Places); dir = filepath.Dir(dir) {
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
	for _, root := range []string{p.System, p.Project} {
		if root != "" && dialect.Within(root, file) {
			return root
		}
	}
	return p.Home
}

// backup is the text from before the first install, nil if there was no file; kept is
// then the folder that was there already, "" if none.
func (t *Target) backup() (text []byte, kept string) {
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
func (t *Target) removeFolders(kept string) {
	jsonedit.RemoveFolders(t.file, rootOf(t.file, t.job.Places), kept)
}

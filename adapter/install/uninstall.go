package install

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/projectfile"
)

// uninstall restores the state before the first install if nothing else has changed since. Otherwise it removes
// hookbridge's entries and leaves the rest. An entry that also runs other agents' hooks stays for those.
func (t *Target) uninstall() ([]Result, error) {
	if text, changed := t.job.pending[t.file.path]; changed {
		t.file.before = text
	}

	own := entriesFor(t.Host, t.file.before, t.named()...)
	t.Notes = append(t.Notes, t.file.others()...)
	r := t.result("absent", t.parts...)
	r.Hooks = adapter.NamesOf(t.named())
	if len(own) == 0 {
		return []Result{r}, nil
	}

	after, remove, err := t.file.original(own, t.named())
	if rest := alsoServed(own, t.named()); len(rest) > 0 && err == nil {
		after, remove, err = t.without(rest)
	}
	if err != nil {
		return nil, err
	}
	if !remove {
		t.note(t.file.unreviewed(after, Uninstall)...)
	}
	if t.job.File.Path != "" {
		t.note(projectfile.Name + " stays; remove it if you no longer use hookbridge here")
	}

	r.State, r.Entries, r.Notes = "uninstalled", len(own), t.Notes
	r.change = t.job.pending.rewrite(&t.file, after, remove, func() error {
		return t.file.restore(after, remove, t.named())
	})
	return []Result{r}, nil
}

// alsoServed lists the agents whose hooks the entries also run, without the named ones.
func alsoServed(own []convert.OwnEntry, named []adapter.Dialect) []adapter.Dialect {
	return adapter.Where(func(d adapter.Dialect) bool {
		return !adapter.Has(named, d) && slices.ContainsFunc(own, func(e convert.OwnEntry) bool {
			return e.Call.RunsHooksOf(d.Profile().Name)
		})
	})
}

// without returns the text with entries only for the hooks of the rest.
func (t *Target) without(rest []adapter.Dialect) (after []byte, remove bool, err error) {
	owners := slices.Concat(rest, t.named())
	p := &part{named: rest, all: rest, own: entriesFor(t.Host, t.file.before, owners...)}
	p.in = convert.Installation{Host: t.Host, Hooks: slices.Clone(rest), Scope: t.job.Scope}
	t.keep(p)
	if err := t.findWanted(p); err != nil {
		return nil, false, err
	}
	after, err = t.file.added(t.file.before, p.own, p.want)
	return after, false, err
}

// others notes the entries that also call hookbridge but were not written by install.
func (f hostFile) others() (notes []string) {
	all, _ := entries(f.host, f.before)
	for _, e := range all {
		if e.Call.FindsHooks() && !isInstalled(f.host, &e.Call) {
			notes = append(notes, f.path+e.Pointer+" calls hookbridge with a --config or --host of its own; install "+
				"didn't write it, so it stays")
		}
	}
	return notes
}

// original returns the bytes to leave behind; remove: there was no file.
func (f hostFile) original(own []convert.OwnEntry, owners []adapter.Dialect) (after []byte, remove bool, err error) {
	if wholeFile(f.host) != nil {
		text, err := document(f.host, f.before)
		if err == nil {
			text, err = removed(text, own, func(string) bool { return false })
		}
		return convert.File(f.host, text), err == nil && f.isEmpty(text), err
	}

	if w := inText(f.host, f.path); w != nil {
		after = w.WriteEntryText(f.before, f.remaining(f.before, own, nil))
		backup, _ := f.backup()
		if backup != nil && bytes.Equal(w.WriteEntryText(backup, f.remaining(f.before, nil, nil)), f.before) {
			after = backup
		}
		return after, backup == nil && convert.Blank(after), nil
	}

	backup, _ := f.backup()
	have := lists.Map(own, func(e convert.OwnEntry) convert.Placed {
		return convert.Placed{Pointer: e.Array, Value: e.Value}
	})
	base, err := f.base(backup, owners)
	if err == nil {
		if again, err := f.inserted(OrEmpty(f.host, base), have); err == nil && bytes.Equal(again, f.before) {
			return base, base == nil, nil
		}
	}

	after, err = removed(f.before, own, func(pointer string) bool { return isThere(base, pointer) })
	plain := ordjson.Check(after) == nil && ordjson.Check(base) == nil    // no comments
	if err == nil && base != nil && plain && ordjson.Equal(after, base) { // an agent has rewritten the file
		return base, false, nil
	}

	return after, err == nil && base == nil && f.isEmpty(after), err
}

// OrEmpty returns a text, or the text of a new file if there is none.
func OrEmpty(host adapter.Dialect, text []byte) []byte {
	if convert.Blank(text) {
		return (&convert.Conversion{}).Document(host)
	}
	return text
}

// base returns the backup without the entries for the owners' hooks, which an earlier version's backup may have; nil:
// there was no file.
func (f hostFile) base(backup []byte, owners []adapter.Dialect) ([]byte, error) {
	if backup == nil {
		return nil, nil
	}
	if _, err := entries(f.host, backup); err != nil {
		return nil, err
	}
	own := entriesFor(f.host, backup, owners...)
	if len(own) == 0 {
		return backup, nil
	}
	text, err := removed(backup, own, func(string) bool { return false })
	if err == nil && f.isEmpty(text) {
		return nil, nil
	}
	return text, err
}

// isEmpty reports whether the text has nothing more than a new file of install.
func (f hostFile) isEmpty(text []byte) bool {
	if ordjson.Check(text) != nil { // comments
		return false
	}
	o, err := ordjson.Parse(OrEmpty(f.host, nil))
	if err != nil {
		return false
	}
	full := ordjson.AppendCompact(nil, o.Append(nil))
	o.Take(strings.TrimPrefix(f.host.Profile().EventsAt, "/"))
	bare := ordjson.AppendCompact(nil, o.Append(nil))
	text = ordjson.AppendCompact(nil, text)
	return string(text) == "{}" || bytes.Equal(text, full) || bytes.Equal(text, bare)
}

// removed removes the handlers from the text, and an entry that has no other handlers. It also removes values that this
// leaves empty, unless keep requires them.
func removed(text []byte, own []convert.OwnEntry, keep func(pointer string) bool) ([]byte, error) {
	var err error
	for _, e := range slices.Backward(own) {
		element := e.Element()
		at := e.Pointer
		if e.Alone {
			at = element
		}
		if text, err = jsonedit.Remove(text, at); err != nil {
			return nil, err
		}
		if at != element { // the last one of several in one entry
			if empty, _ := jsonedit.Empty(text, parentOf(at)); !empty {
				continue
			}
			if text, err = jsonedit.Remove(text, element); err != nil {
				return nil, err
			}
		}
		for at := e.Array; at != "" && !keep(at); at = parentOf(at) {
			if empty, err := jsonedit.Empty(text, at); err != nil || !empty {
				break
			}
			if text, err = jsonedit.Remove(text, at); err != nil {
				return nil, err
			}
		}
	}

	return text, nil
}

// parentOf returns the JSON Pointer of the value's parent.
func parentOf(pointer string) string { return pointer[:strings.LastIndexByte(pointer, '/')] }

package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// uninstall restores what was there before the first install if nothing else has
// changed since; otherwise it removes the bridge's entries and leaves the rest.
func (t *target) uninstall() ([]installed, error) {
	own := entriesFor(t.host, t.before, t.owners()...)
	t.notes = append(t.notes, t.kept()...)
	if len(own) == 0 {
		return []installed{t.result("absent", t.parts...)}, nil
	}
	after, remove, err := t.original(own)
	if err != nil {
		return nil, err
	}
	if !remove {
		t.unreviewed(after)
	}
	r := t.result("uninstalled", t.parts...)
	r.Entries = len(own)
	r.change = t.rewrite(after, remove, func() error { return t.restore(after, remove) })
	return []installed{r}, nil
}

// restore leaves after in the file, or no file.
func (t *target) restore(after []byte, remove bool) (err error) {
	if remove {
		err = os.Remove(t.file)
	} else {
		err = jsonedit.WriteFile(t.file, t.before, after)
	}
	if err != nil {
		return err
	}
	_, kept := t.backup()
	if others, _ := convert.OwnEntries(t.host, after); len(others) == 0 || remove {
		os.Remove(t.file + backupName)
	}
	if remove {
		t.removeFolders(kept)
	}
	return nil
}

// kept names the entries that call the bridge too and were not written by install.
func (t *target) kept() (notes []string) {
	all, _ := convert.OwnEntries(t.host, t.before)
	for _, e := range all {
		hooks := e.Call.Value("hooks")
		if e.Call.FindsHooks() && !e.Call.Installed(t.host.Profile().Name, hooks) {
			notes = append(notes, t.file+e.Pointer+" calls hookbridge with a --config or --host of its own; install didn't write it, so it stays")
		}
	}
	return notes
}

// original finds the bytes to leave behind; remove says that there was no file.
func (t *target) original(own []convert.OwnEntry) (after []byte, remove bool, err error) {
	backup, _ := t.backup()
	have := each(own, func(e convert.OwnEntry) convert.Placed { return convert.Placed{Pointer: e.Array, Value: e.Value} })
	base, err := t.base(backup)
	if err == nil {
		if again, err := t.inserted(orEmpty(t.host, base), have); err == nil && bytes.Equal(again, t.before) {
			return base, base == nil, nil
		}
	}
	was := base
	if was == nil {
		was = []byte("{}")
	}
	after, err = removed(t.before, own, func(pointer string) bool {
		gone, err := jsonedit.Absent(was, pointer)
		return err == nil && gone == ""
	})
	plain := ordjson.Check(after) == nil && ordjson.Check(base) == nil    // no comments
	if err == nil && base != nil && plain && ordjson.Equal(after, base) { // an agent has written the file anew
		return base, false, nil
	}
	return after, err == nil && base == nil && t.isEmpty(after), err
}

// orEmpty is a text, or that of the file which install makes where there is none.
func orEmpty(host adapter.Dialect, text []byte) []byte {
	if convert.Blank(text) {
		return (&convert.Conversion{}).Document(host)
	}
	return text
}

// base is the backup without the bridge's entries, which one of an earlier
// version may hold; nil: there was no file.
func (t *target) base(backup []byte) ([]byte, error) {
	if backup == nil {
		return nil, nil
	}
	if _, err := convert.OwnEntries(t.host, backup); err != nil {
		return nil, err
	}
	own := entriesFor(t.host, backup, t.owners()...)
	if len(own) == 0 {
		return backup, nil
	}
	text, err := removed(backup, own, func(string) bool { return false })
	if err == nil && t.isEmpty(text) {
		return nil, nil
	}
	return text, err
}

// isEmpty reports whether the text says no more than the file that install makes
// where there is none.
func (t *target) isEmpty(text []byte) bool {
	if ordjson.Check(text) != nil { // comments
		return false
	}
	o, err := ordjson.Parse(orEmpty(t.host, nil))
	if err != nil {
		return false
	}
	full := ordjson.AppendCompact(nil, o.Append(nil))
	o.Take(strings.TrimPrefix(t.host.Profile().EventsAt, "/"))
	bare := ordjson.AppendCompact(nil, o.Append(nil))
	text = ordjson.AppendCompact(nil, text)
	return string(text) == "{}" || bytes.Equal(text, full) || bytes.Equal(text, bare)
}

// removed takes the handlers out of the text, with the entry that held nothing
// else, and then what that leaves empty unless keep wants it.
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
		if at != element { // the last of several of ours in one entry
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

// parentOf is the JSON Pointer of what holds the value at a pointer.
func parentOf(pointer string) string { return pointer[:strings.LastIndexByte(pointer, '/')] }

// An imported file holds hooks of another agent that the host would run by itself,
// beside the bridge. One more member makes the host skip the file; see
// dialect.VoidMember.

// voids reports whether install can make the host skip a file that it imports: one of
// the project, for a team's own files are not changed for one user.
func (t *target) voids(file string) bool {
	return t.host.Profile().VoidMember.Name != "" && t.call.scope == schema.ScopeProject && dialect.Within(t.bridge.Places.Project, file) && !isLink(file)
}

func (t *target) stopImports() (results []installed, err error) {
	for _, p := range t.parts {
		for _, file := range t.imported(p) {
			if !t.voids(file) {
				continue
			}
			r, err := t.changeFile(file, p.in.Hooks, t.void)
			if err != nil {
				return results, err
			}
			if r == nil { // the host knows none of its events
				continue
			}
			host := t.host.Profile()
			r.Notes = []string{
				fmt.Sprintf("%s would import %s and run its hooks a second time; %q: %s in that file makes it skip the file. %s ignores the member",
					host.Title, file, host.VoidMember.Name, host.VoidMember.Value, p.in.Hooks.Profile().Title),
				fmt.Sprintf("commit both files together: without hookbridge %s then runs no hook of %s, and %s", host.Title, file, host.VoidMember.Without),
			}
			results = append(results, *r)
		}
	}
	return results, nil
}

func (t *target) restoreImports() (results []installed, err error) {
	for _, p := range t.parts {
		for _, s := range p.in.Hooks.Locate(t.bridge.Places) {
			if s.Folder || !t.voids(s.File) {
				continue
			}
			r, err := t.changeFile(s.File, p.in.Hooks, t.unvoid)
			if err != nil {
				return results, err
			}
			if r != nil {
				results = append(results, *r)
			}
		}
	}
	return results, nil
}

// changeFile rewrites a file of another agent; nil if there is nothing to change.
func (t *target) changeFile(file string, hooks adapter.Dialect, change func([]byte, []schema.Hook) ([]byte, error)) (*installed, error) {
	text, known := t.call.pending[file]
	if !known {
		text, _ = discover.Read(file)
	}
	if text == nil {
		return nil, nil
	}
	cfg, _ := hooks.ParseConfig(text, schema.Source{File: file, Scope: schema.ScopeProject})
	after, err := change(text, cfg.Hooks)
	if err != nil || slices.Equal(after, text) {
		return nil, inFile(file, err)
	}
	its := &target{call: t.call, bridge: t.bridge, host: t.host, file: file, before: text}
	r := its.result("changed")
	r.Hooks = []string{hooks.Profile().Name}
	r.change = its.rewrite(after, false, func() error { return jsonedit.WriteFile(file, text, after) })
	return &r, nil
}

// void gives the member to the first hook by which the host skips the file: it looks at
// the events only that it knows (observed Copilot 1.0.102).
func (t *target) void(text []byte, hooks []schema.Hook) ([]byte, error) {
	m, importer := t.host.Profile().VoidMember, dialect.Ability[dialect.Importer](t.host)
	for i := range hooks {
		h := &hooks[i]
		if h.Handler != schema.HandlerCommand || h.Extra.Has(m.Name) {
			continue
		}
		marked, err := jsonedit.Set(text, h.Path+"/"+m.Name, []byte(m.Value))
		read := func(file string) ([]byte, error) {
			if file == h.Source.File {
				return marked, err
			}
			return discover.Read(file)
		}
		if err != nil || !slices.Contains(importer.Imported(t.bridge.Places, read), h.Source.File) {
			return marked, err
		}
	}
	return text, nil
}

// unvoid takes the member out of every hook that has it with the same value.
func (t *target) unvoid(text []byte, hooks []schema.Hook) (_ []byte, err error) {
	m := t.host.Profile().VoidMember
	for i := range hooks {
		if raw, ok := hooks[i].Extra.Get(m.Name); ok && string(raw) == m.Value && err == nil {
			text, err = jsonedit.Remove(text, hooks[i].Path+"/"+m.Name)
		}
	}
	return text, err
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// uninstall restores what was there before the first install if nothing else has
// changed since; otherwise it removes the bridge's entries and leaves the rest.
func (x *installer) uninstall() error {
	x.tellKept()
	if len(x.own) == 0 {
		fmt.Fprintf(x.std.out, "absent  %s\n", schema.Printable(x.file))
		return nil
	}
	after, remove, err := x.original()
	if err != nil {
		return err
	}
	if x.dry {
		return x.diff(after, remove)
	}
	if remove {
		err = os.Remove(x.file)
	} else {
		err = jsonedit.WriteFile(x.file, x.before, after)
	}
	if err != nil {
		return err
	}
	if others, _ := adapter.OwnEntries(x.b.Host, after); len(others) == 0 || remove {
		os.Remove(x.file + backupName)
	}
	if dir := filepath.Dir(x.file); remove && !isLink(dir) { // it was made for the file, or is empty all the same
		os.Remove(dir)
	}
	fmt.Fprintf(x.std.out, "uninstalled  %s\n", schema.Printable(x.file))
	return nil
}

// tellKept names the entries that call the bridge too and are not install's.
func (x *installer) tellKept() {
	all, _ := adapter.OwnEntries(x.b.Host, x.before)
	for _, e := range all {
		if e.Call.RunsHooksOf(x.b.Hooks.Profile().Name) && !e.Call.Installed(x.b.Host.Profile().Name, x.b.Hooks.Profile().Name) {
			fmt.Fprintf(x.std.err, "hookbridge: note: %s%s calls hookbridge with a --config or --host of its own; it was not written by install and stays\n",
				schema.Printable(x.file), schema.Printable(e.Pointer))
		}
	}
}

// original finds the bytes to leave behind; remove says that there was no file.
func (x *installer) original() (after []byte, remove bool, err error) {
	backup, err := discover.Read(x.file + backupName)
	if err != nil {
		backup = nil
	}
	var have []adapter.Placed
	for _, e := range x.own {
		have = append(have, adapter.Placed{Pointer: e.Array, Value: e.Value})
	}
	base, err := x.base(backup)
	if err == nil && backup != nil || backup == nil {
		if again, err := x.added(base, have); err == nil && bytes.Equal(again, x.before) {
			return base, base == nil, nil
		}
	}
	was := base
	if was == nil {
		was = []byte("{}")
	}
	after, err = x.removed(x.before, x.own, func(pointer string) bool {
		gone, err := jsonedit.Absent(was, pointer)
		return err == nil && gone == ""
	})
	return after, err == nil && base == nil && x.isEmpty(after), err
}

// base is the backup without the bridge's entries, which one of an earlier
// version may hold; nil: there was no file.
func (x *installer) base(backup []byte) ([]byte, error) {
	if backup == nil {
		return nil, nil
	}
	own, err := x.installed(backup)
	if err != nil || len(own) == 0 {
		return backup, err
	}
	text, err := x.removed(backup, own, func(string) bool { return false })
	if err == nil && x.isEmpty(text) {
		return nil, nil
	}
	return text, err
}

// isEmpty reports whether the text says no more than the file that install makes
// where there is none.
func (x *installer) isEmpty(text []byte) bool {
	if ordjson.Check(text) != nil { // comments
		return false
	}
	o, err := ordjson.Parse((&adapter.Conversion{}).Document(x.b.Host))
	if err != nil {
		return false
	}
	full := ordjson.AppendCompact(nil, o.Append(nil))
	o.Take(strings.TrimPrefix(adapter.EventsIn(x.b.Host), "/"))
	bare := ordjson.AppendCompact(nil, o.Append(nil))
	text = ordjson.AppendCompact(nil, text)
	return string(text) == "{}" || bytes.Equal(text, full) || bytes.Equal(text, bare)
}

// removed takes the handlers out of the text, with the entry that held nothing
// else, and then what that leaves empty unless keep wants it.
func (x *installer) removed(text []byte, own []adapter.OwnEntry, keep func(pointer string) bool) ([]byte, error) {
	var err error
	for _, e := range slices.Backward(own) {
		element := e.Array + "/" + strings.SplitN(strings.TrimPrefix(e.Pointer, e.Array+"/"), "/", 2)[0]
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

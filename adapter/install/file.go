package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

const backupName = ".hookbridge-backup"

// A hostFile is a host's hook file in its current state.
type hostFile struct {
	host   adapter.Dialect
	path   string
	before []byte // nil: the file doesn't exist
	places schema.Places
	scope  schema.Scope
}

// readFile reads the host's file at a path in the job's scope. A file that only status may read is an error for other
// actions.
func readFile(x *Job, host adapter.Dialect, path string) (hostFile, error) {
	f := hostFile{host: host, path: path, places: x.Places, scope: x.Scope}
	real, err := filepath.EvalSymlinks(path)
	if err == nil && x.Scope == schema.ScopeUser && hookfile.IsLink(path) {
		f.path = real // the user has linked it to a folder of dotfiles
	}
	if hookfile.IsLink(f.path) && x.Action != Status {
		return f, fmt.Errorf("%s is a symbolic link, and hookbridge changes no file behind one; put a regular file "+
			"there (nothing was written)", f.path)
	}
	text, err := discover.Read(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return f, errors.New(hookfile.Unreadable(f.path, err)[0].String())
	}
	f.before = text
	_, err = entries(host, text)
	if off := Unheeded(host, text, f.source()); err != nil && off.Max() == schema.Error { // as check reports it
		return f, errors.New(off[0].String())
	}
	return f, InFile(f.path, err)
}

func (f hostFile) source() schema.Source { return schema.Source{File: f.path, Scope: f.scope} }

// hasEntries reports whether the file already has entries of hookbridge. Then it isn't the state before the first
// install, which a backup keeps.
func (f hostFile) hasEntries() bool {
	all, _ := entries(f.host, f.before)
	return len(all) > 0
}

// whoWrote returns the state of a file that hookbridge writes as a whole, if this version would write it differently;
// "" for any other file.
func (f hostFile) whoWrote() string {
	if wholeFile(f.host) == nil || convert.Blank(f.before) {
		return ""
	}
	text, err := document(f.host, f.before)
	if err == nil && bytes.Equal(convert.File(f.host, text), f.before) {
		return ""
	}
	_, found := f.host.ParseConfig(f.before, f.source())
	if slices.ContainsFunc(found, func(d schema.Diagnostic) bool { return d.Code == schema.CodeStale }) {
		return "stale"
	}
	return "edited"
}

// write replaces the file and its copies.
func (f hostFile) write(after []byte) error {
	if err := f.writeFile(after); err != nil {
		return err
	}
	return f.writeCopies(after)
}

// writeFile replaces the file. Before the first change of an existing file it leaves a backup next to it.
func (f hostFile) writeFile(after []byte) error {
	if f.before == nil {
		return f.create(after)
	}
	if _, exists := os.Stat(f.path + backupName); errors.Is(exists, fs.ErrNotExist) && !f.hasEntries() {
		return jsonedit.WriteBackedUp(f.path, f.before, after)
	}
	return jsonedit.WriteFile(f.path, f.before, after)
}

// create writes a new file. A folder that was there before and is empty gets a mark in place of a backup, so that
// uninstall keeps the folder. A folder that install makes is removed with the file.
func (f hostFile) create(after []byte) error {
	kept, mark := f.emptyBefore(), ""
	err := jsonedit.MakeParent(f.path)
	if kept != "" && err == nil {
		w := ordjson.NewWriter(nil)
		w.String("hookbridge", "there was no file before the first install, and uninstall keeps this folder")
		w.String("keep", filepath.ToSlash(kept))
		mark, err = jsonedit.Backup(f.path, append(w.Bytes(), '\n'))
	}
	if err == nil {
		err = jsonedit.WriteFile(f.path, nil, after)
	}
	if err != nil && mark != "" {
		os.Remove(mark)
	}
	return err
}

// emptyBefore returns the file's innermost existing folder, relative to the file's own, if it is empty and isn't the
// root.
func (f hostFile) emptyBefore() string {
	own := filepath.Dir(f.path)
	for dir := own; dir != rootOf(f.path, f.places); dir = filepath.Dir(dir) {
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

// backup returns the text from before the first install, nil if there was no file. Then kept is the folder that already
// existed, "" if none.
func (f hostFile) backup() (text []byte, kept string) {
	text, err := discover.Read(f.path + backupName)
	if err != nil {
		return nil, ""
	}
	o, err := ordjson.Members(text, 0)
	if keep, ok := o.Get("keep"); err == nil && ok && len(o) == 2 && o[0].Name == "hookbridge" {
		rel, _ := ordjson.String(keep)
		return nil, filepath.Join(filepath.Dir(f.path), filepath.FromSlash(rel))
	}
	return text, ""
}

// removeFolders removes the folders that install made for the file, and those that are empty without it.
func (f hostFile) removeFolders(kept string) {
	jsonedit.RemoveFolders(f.path, rootOf(f.path, f.places), kept)
}

// restore writes after to the file, or removes the file.
func (f hostFile) restore(after []byte, remove bool, owners []adapter.Dialect) (err error) {
	if remove {
		err = os.Remove(f.path)
	} else {
		err = jsonedit.WriteFile(f.path, f.before, after)
	}
	if err == nil && remove {
		err = f.writeCopies(nil)
	} else if err == nil {
		err = f.writeCopies(after)
	}
	if err != nil {
		return err
	}
	backup, kept := f.backup()
	base, baseErr := f.base(backup, owners)
	same := bytes.Equal(backup, after) || bytes.Equal(base, after)
	// someone has edited the file since
	hooks := baseErr == nil && ordjson.At(backup, f.host.Profile().EventsAt) != nil
	if others, _ := entries(f.host, after); (kept != "" || same || hooks) && (len(others) == 0 || remove) {
		os.Remove(f.path + backupName) // a file of that name without hooks isn't hookbridge's
	}
	if remove {
		jsonedit.Sweep(filepath.Dir(f.path))
		f.removeFolders(kept)
	}
	return nil
}

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// create writes a file where there was none. An empty folder that was there before gets
// a mark in place of a backup, so that uninstall leaves it; one that install makes is
// removed with the file.
func (t *target) create(after []byte) error {
	mark := ""
	if kept := t.emptyBefore(); kept != "" {
		w := ordjson.NewWriter(nil)
		w.String("hookbridge", "there was no file before the first install, and uninstall keeps this folder")
		w.String("keep", filepath.ToSlash(kept))
		var err error
		if err = jsonedit.MakeParent(t.file); err == nil {
			mark, err = jsonedit.Backup(t.file, append(w.Bytes(), '\n'))
		}
		if err != nil {
			return err
		}
	}
	err := jsonedit.MakeParent(t.file)
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
	for dir := own; dir != t.root(); dir = filepath.Dir(dir) {
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

// root is the folder that the file's scope belongs to.
func (t *target) root() string {
	places := t.bridge.Places
	if rel, err := filepath.Rel(places.Project, t.file); err == nil && filepath.IsLocal(rel) {
		return places.Project
	}
	return places.Home
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
	root := t.root()
	for dir := filepath.Dir(t.file); dir != root && dir != kept && !isLink(dir); dir = filepath.Dir(dir) {
		if rel, err := filepath.Rel(root, dir); os.Remove(dir) != nil || err != nil || !filepath.IsLocal(rel) {
			return
		}
	}
}

package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
)

// copyNames lists the further files of the folder that need a text, of a host that finds hooks by the names of files.
func (t *Target) copyNames(text []byte) []string {
	c := t.Host.Abilities().Copies
	if c == nil || text == nil {
		return nil
	}
	return slices.DeleteFunc(c.Copies(filepath.Dir(t.file), text), func(name string) bool {
		return name == filepath.Base(t.file)
	})
}

// hasCopies reports whether all further files that the text needs have it.
func (t *Target) hasCopies() bool {
	return !slices.ContainsFunc(t.copyNames(t.before), func(name string) bool {
		text, err := discover.Read(filepath.Join(filepath.Dir(t.file), name))
		return err != nil || !bytes.Equal(text, t.before)
	})
}

// noteCopies names the further files that get a text.
func (t *Target) noteCopies(after []byte) {
	for _, name := range t.copyNames(after) {
		t.note(filepath.Join(filepath.Dir(t.file), name) + " gets the same text: " + t.Host.Profile().Title +
			" finds a hook by the name of its file")
	}
}

// writeCopies gives the further files the text after, nil for none, and removes those that had the text before and
// aren't needed.
func (t *Target) writeCopies(after []byte) error {
	if t.Host.Abilities().Copies == nil {
		return nil
	}
	dir := filepath.Dir(t.file)
	names := t.copyNames(after)
	for _, name := range names {
		file := filepath.Join(dir, name)
		if hookfile.IsLink(file) {
			return fmt.Errorf("%s is a symbolic link, and hookbridge changes no file behind one", file)
		}
		text, err := discover.Read(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			text = nil
		case err != nil:
			return err
		default:
			if _, err := document(t.Host, text); err != nil {
				return InFile(file, err)
			}
		}
		if err := errors.Join(jsonedit.WriteFile(file, text, after), os.Chmod(file, executable)); err != nil {
			return err
		}
	}

	list, _ := os.ReadDir(dir)
	for _, e := range list {
		file := filepath.Join(dir, e.Name())
		needed := e.Name() == filepath.Base(t.file) || slices.Contains(names, e.Name())
		if text, err := discover.Read(file); err == nil && !needed && t.before != nil && bytes.Equal(text, t.before) {
			os.Remove(file)
		}
	}
	if after == nil {
		return nil
	}
	return os.Chmod(t.file, executable)
}

const executable = 0o755

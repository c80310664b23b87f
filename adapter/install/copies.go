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
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
)

// CopyNames lists the names of all files that need a host's text, including the given one; nil unless the host finds
// hooks by the names of files.
func CopyNames(host adapter.Dialect, file string, text []byte) []string {
	if host == nil || host.Abilities().Copies == nil || text == nil {
		return nil
	}
	return host.Abilities().Copies.Copies(filepath.Dir(file), text)
}

// copyNames lists the other files that need a host's text.
func copyNames(host adapter.Dialect, file string, text []byte) []string {
	return slices.DeleteFunc(CopyNames(host, file, text), func(name string) bool { return name == filepath.Base(file) })
}

// hasCopies reports whether all other files that need the text have it.
func (f hostFile) hasCopies() bool {
	return !slices.ContainsFunc(copyNames(f.host, f.path, f.before), func(name string) bool {
		text, err := discover.Read(filepath.Join(filepath.Dir(f.path), name))
		return err != nil || !bytes.Equal(text, f.before)
	})
}

// copyNotes notes the other files that get a text.
func (f hostFile) copyNotes(after []byte) (notes []string) {
	for _, name := range copyNames(f.host, f.path, after) {
		notes = append(notes, filepath.Join(filepath.Dir(f.path), name)+" gets the same text: "+f.host.Profile().Title+
			" finds a hook by the name of its file")
	}
	return notes
}

// CheckCopies returns an error for the first of those files that hookbridge didn't write or that is a link.
func CheckCopies(host adapter.Dialect, main string, text []byte) error {
	for _, name := range copyNames(host, main, text) {
		file := filepath.Join(filepath.Dir(main), name)
		if hookfile.IsLink(file) {
			return fmt.Errorf("%s is a symbolic link, and hookbridge changes no file behind one", file)
		}
		before, err := discover.Read(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			_, err = document(host, before)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

func (f hostFile) writeCopies(after []byte) error {
	return WriteCopies(f.host, f.path, f.before, after)
}

// WriteCopies writes the text after to the other files that a host needs, nil for none. It removes files that have the
// text before and are no longer needed. A file that hookbridge didn't write is an error.
func WriteCopies(host adapter.Dialect, main string, before, after []byte) error {
	if host == nil || host.Abilities().Copies == nil {
		return nil
	}
	dir := filepath.Dir(main)
	names := copyNames(host, main, after)
	if err := CheckCopies(host, main, after); err != nil {
		return err
	}
	for _, name := range names {
		file := filepath.Join(dir, name)
		text, _ := discover.Read(file)
		if err := errors.Join(jsonedit.WriteFile(file, text, after), os.Chmod(file, executable)); err != nil {
			return err
		}
	}

	list, _ := os.ReadDir(dir)
	for _, e := range list {
		file := filepath.Join(dir, e.Name())
		needed := e.Name() == filepath.Base(main) || slices.Contains(names, e.Name())
		if text, err := discover.Read(file); err == nil && !needed && before != nil && bytes.Equal(text, before) {
			os.Remove(file)
		}
	}
	if after == nil {
		return nil
	}
	return os.Chmod(main, executable)
}

const executable = 0o755

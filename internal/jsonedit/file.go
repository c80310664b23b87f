// Package jsonedit changes a user's JSON file, or JSON file with comments and trailing commas, without rewriting it.
//
// [Insert], [Set] and [Remove] add or remove a value, and every byte outside that place stays: comments, order,
// spacing, line ends, byte order mark. New text has the layout of its surroundings. Remove undoes Insert and Set byte
// for byte:
//
//	Remove(Insert(src, "/hooks/Stop", v), "/hooks/Stop/2") == src
//
// if the array existed and had two elements. If parents had to be created, removing the element leaves them empty;
// remove the outermost created one instead, which [Absent] returns beforehand.
//
// [WriteFile] replaces the file with the result, unless it has changed in the meantime, and [Backup] keeps a copy.
//
// It is the only package that imports the library that parses JSON with comments, and it guards the library: it checks
// the size, the nesting, the encoding and repeated names. It reads every edit back before it returns it.
package jsonedit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tailscale/hujson"

	"github.com/hookbridge/hookbridge/internal/swap"
)

// ErrChanged is wrapped in the error of WriteFile if the file is not what the
// caller read.
var ErrChanged = errors.New("the file has changed in the meantime")

// WriteFile replaces the content of the file at path with after, all of it or nothing: it writes a temporary file in
// the same folder, syncs it and renames it. The file keeps its permissions; a new one has 0644. The folder must exist,
// see MakeParent.
//
// before is what the caller read from the file, nil if there was none. The file is compared with it just before the
// rename, and isn't changed if it differs. If the system can exchange two files, it is compared once more afterwards
// and put back, so that an edit made in between isn't lost. WriteFile rejects symbolic links, whatever their target,
// other things that aren't regular files, and files without write permission: a rename would put something else in
// their place.
func WriteFile(path string, before, after []byte) (err error) {
	mode, err := current(path, before)
	if err != nil {
		return err
	}

	Sweep(filepath.Dir(path))
	temp, err := os.CreateTemp(filepath.Dir(path), tempName+"*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, because(err))
	}

	name := temp.Name()
	defer func() {
		var kept *keptError
		if err != nil && !errors.As(err, &kept) {
			os.Remove(name)
		}
	}()
	if err := fill(temp, after, mode); err != nil {
		return err
	}
	if _, err := current(path, before); err != nil {
		return err
	}
	if err := replace(name, path, before, after); err != nil {
		return err
	}

	// The rename itself is permanent once the folder is synced; not every system can do that.
	if dir, err := os.Open(filepath.Dir(path)); err == nil {
		dir.Sync()
		dir.Close()
	}
	return nil
}

// tempName begins the name of a temporary file, before digits.
const tempName = ".hookbridge-"

// abandoned is the age at which a temporary file is removed: another run may still use a younger one.
const abandoned = time.Minute

// Sweep removes the temporary files that killed runs have left in a folder.
func Sweep(dir string) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		digits, ok := strings.CutPrefix(e.Name(), tempName)
		if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" || !e.Type().IsRegular() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// A keptError keeps the temporary file, because it contains a user's text.
type keptError struct{ error }

// keep renames the temporary file so that it stays.
func keep(temp, format, path string) error {
	kept := temp + "-kept"
	if os.Rename(temp, kept) != nil {
		kept = temp
	}
	return &keptError{fmt.Errorf(format, path, kept)}
}

// replace replaces the content of the file at path with temp, which contains after, if it is still before. A new file
// is linked, which fails if there is one by now.
func replace(temp, path string, before, after []byte) error {
	if before == nil {
		if err := os.Link(temp, path); err == nil {
			return os.Remove(temp)
		} else if errors.Is(err, fs.ErrExist) {
			return &fs.PathError{Op: "can't replace", Path: path, Err: ErrChanged}
		}
		return swap.Patiently(func() error { return os.Rename(temp, path) }) // no links here
	}
	if swap.Exchange(temp, path) != nil {
		return swap.Patiently(func() error { return os.Rename(temp, path) })
	}
	if _, err := current(temp, before); err != nil {
		if back := swap.Exchange(temp, path); back != nil {
			return keep(temp, "%s has changed meanwhile; its last content is in %s", path)
		}
		if _, edited := current(temp, after); edited != nil { // changed once more, after the first exchange
			return keep(temp, "%s has changed twice meanwhile; one of its contents is in %s", path)
		}
		return &fs.PathError{Op: "can't replace", Path: path, Err: ErrChanged}
	}
	return os.Remove(temp)
}

// MakeParent creates the missing parent folders of path, with permissions 0755.
func MakeParent(path string) error {
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err != nil {
		err = fmt.Errorf("%s cannot be written: %w", path, because(err))
	}
	return err
}

// Replaceable returns why WriteFile would reject the file at path, nil if no reason is known.
func Replaceable(path string, before []byte) error {
	_, err := current(path, before)
	return err
}

// current checks that the file at path may be replaced and is before, and returns the permissions for the new one.
func current(path string, before []byte) (fs.FileMode, error) {
	refuse := func(err error) (fs.FileMode, error) {
		return 0, &fs.PathError{Op: "can't replace", Path: path, Err: err}
	}

	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if before != nil {
			return refuse(ErrChanged)
		}
		return 0o644, nil
	case err != nil:
		return 0, err
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse(errors.New("a symbolic link"))
	case !info.Mode().IsRegular():
		return refuse(errors.New("not a regular file"))
	case before == nil:
		return refuse(ErrChanged)
	case info.Mode()&0o200 == 0:
		return refuse(fs.ErrPermission)
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	now, err := io.ReadAll(io.LimitReader(f, int64(len(before))+1))
	if err != nil {
		return 0, err
	}
	if !bytes.Equal(now, before) {
		return refuse(ErrChanged)
	}

	return info.Mode().Perm(), nil
}

func fill(f *os.File, text []byte, mode fs.FileMode) error {
	_, err := f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// Backup writes text to a new file next to path and returns its name: path with ".hookbridge-backup" added, and then
// ".1", ".2" and so on if that is taken. It never overwrites a file. The copy has the permissions of the file at path,
// 0600 if there is none.
func Backup(path string, text []byte) (string, error) {
	mode := fs.FileMode(0o600)
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		mode = info.Mode().Perm()
	}
	base := path + ".hookbridge-backup"
	for i := range 1000 {
		name := base
		if i > 0 {
			name += "." + strconv.Itoa(i)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if err := fill(f, text, mode); err != nil {
			os.Remove(name)
			return "", err
		}
		return name, nil
	}
	return "", &fs.PathError{Op: "back up", Path: path, Err: errors.New("too many backups")}
}

// WriteBackedUp is WriteFile after Backup. If the file can't be written, no backup is left either.
func WriteBackedUp(path string, before, after []byte) error {
	backup, err := Backup(path, before)
	if err != nil {
		return err
	}
	if err := WriteFile(path, before, after); err != nil {
		os.Remove(backup)
		return err
	}
	return nil
}

// because removes a file name that only we use from an error.
func because(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// Standard returns src as standard JSON of the same length. Every value keeps its offset and line: comments and
// trailing commas become blanks. Byte order marks stay.
func Standard(src []byte) ([]byte, error) {
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	return append(slices.Clip(d.marks), d.standard()...), nil
}

// standard changes d's tree. The result is as long as the text.
func (d *doc) standard() []byte {
	d.root.Standardize()
	return d.root.Pack()[:len(d.text)]
}

// Elements returns the elements of the array at path, a JSON Pointer, as standard JSON, spaced as in src. Without a
// value there it returns nil; a value of another type is an error.
func Elements(src []byte, path string) ([][]byte, error) {
	d, s, err := find(src, path)
	if err != nil || len(s.rest) > 0 {
		return nil, err
	}
	arr, ok := s.v.Value.(*hujson.Array)
	if !ok {
		return nil, d.errorAt(s.v.StartOffset, "expected an array, got "+kindOf(s.v))
	}
	text := d.standard()
	elems := make([][]byte, len(arr.Elements))
	for i, e := range arr.Elements {
		elems[i] = text[e.StartOffset:e.EndOffset:e.EndOffset]
	}
	return elems, nil
}

// Absent returns the shortest part of path without a value: what Insert or Set would create, and what Remove must
// remove to undo that. It returns "" if there is a value at path.
func Absent(src []byte, path string) (string, error) {
	_, s, err := find(src, path)
	if err != nil || len(s.rest) == 0 {
		return "", err
	}
	for range s.rest[1:] {
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return path, nil
}

// Empty reports whether the value at path is an object or array without content, comments included.
func Empty(src []byte, path string) (bool, error) {
	d, s, err := find(src, path)
	if err != nil || len(s.rest) > 0 {
		return false, err
	}
	g := groupOf(s.v)
	return g != nil && len(g.items) == 0 && blank(d.text[g.open+1:g.shut]), nil
}

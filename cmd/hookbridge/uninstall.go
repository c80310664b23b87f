package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
)

// uninstall gives back what was there before where nothing else has changed
// since; otherwise it takes out the bridge's entries and leaves the rest.
func (x *installer) uninstall() error {
	have, places, err := x.ours(x.before)
	if x.before == nil || err == nil && len(have) == 0 {
		fmt.Fprintf(x.std.out, "absent  %s\n", x.file)
		return nil
	}
	if err != nil {
		return err
	}
	x.want = have
	after, remove, err := x.original(places)
	if err != nil {
		return err
	}
	if x.dry {
		diffLines(x.std.out, x.file, x.before, after)
		return nil
	}
	if remove {
		err = os.Remove(x.file)
	} else {
		err = jsonedit.WriteFile(x.file, x.before, after)
	}
	if err != nil {
		return err
	}
	os.Remove(x.file + backupName)
	if dir := filepath.Dir(x.file); remove && !isLink(dir) { // it was made for the file, or is empty all the same
		os.Remove(dir)
	}
	fmt.Fprintf(x.std.out, "uninstalled  %s\n", x.file)
	return nil
}

// original finds the bytes to leave behind; remove says that there was no file.
func (x *installer) original(places []string) (after []byte, remove bool, err error) {
	backup, err := discover.Read(x.file + backupName)
	if err != nil {
		backup = nil
	}
	if again, err := x.added(backup); err == nil && bytes.Equal(again, x.before) {
		return backup, backup == nil, nil
	}
	after = x.before
	for i := len(places) - 1; i >= 0; i-- {
		if after, err = jsonedit.Remove(after, places[i]); err != nil {
			return nil, false, err
		}
		array := filepath.ToSlash(filepath.Dir(places[i]))
		left, err := jsonedit.Elements(after, array)
		if err != nil {
			return nil, false, err
		}
		had, _ := jsonedit.Absent(orEmpty(backup), array)
		if len(left) == 0 && had != "" { // the array was made for the bridge
			if after, err = jsonedit.Remove(after, array); err != nil {
				return nil, false, err
			}
		}
	}
	return after, false, nil
}

func orEmpty(text []byte) []byte {
	if text == nil {
		return []byte("{}")
	}
	return text
}

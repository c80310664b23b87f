package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/schema"
)

// projectIsThere is CheckProject for what a user types.
func projectIsThere(dir string) error {
	if err := bridge.CheckProject(dir); err != nil {
		return errUsage{err.Error()}
	}
	return nil
}

// projectRoot is the project that a folder belongs to; files of another user are ignored.
func projectRoot(dir string, p schema.Places) string {
	return hookfile.Root(dir, p, ours)
}

// counted is a number of things: "1 entry", "2 entries".
func counted(n int, what string) string { return plan.Counted(n, what) }

// shown is a path as the user would write it here.
func shown(file string) string {
	d := desk()
	return relative(d.Dir, d.Home, file)
}

// spoken is a text for people with the paths in it as the user would write them here.
func spoken(t string) string {
	d, s := desk(), "\n (:=,`\"'"
	t = "\n" + t
	for _, f := range [][2]string{{d.Dir, ""}, {d.Home, "~/"}} {
		for _, at := range strings.Split(s, "") {
			if p := f[0]; p != filepath.Dir(p) && p != "" {
				t = strings.ReplaceAll(t, at+p+string(filepath.Separator), at+f[1])
			}
		}
		s = "\n (:=,`" // no shell reads a ~ in quotes
	}
	return t[1:]
}

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil && name != "-" {
		return abs
	}
	return name
}

// relative is a file as people write it: from a folder, or else from the user's own with ~.
func relative(dir, home, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if rel, err := filepath.Rel(home, file); err == nil && home != "" && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return file
}

// desk is where the user names files.
func desk() (u hookfile.Desk) {
	u.Dir, _ = os.Getwd()
	u.Home, _ = os.UserHomeDir()
	return u
}

// atLine is a place in a file; line is 0 for a callback, whose line is not known.
func atLine(file string, line int) string {
	if line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

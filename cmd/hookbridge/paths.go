package main

import (
	"os"
	"path/filepath"

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
	if wd, err := os.Getwd(); err == nil {
		return relative(wd, file)
	}
	return file
}

func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil && name != "-" {
		return abs
	}
	return name
}

func relative(project, file string) string {
	if rel, err := filepath.Rel(project, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}

// desk is where the user names files.
func desk() (u hookfile.Desk) {
	u.Dir, _ = os.Getwd()
	u.Home, _ = os.UserHomeDir()
	return u
}

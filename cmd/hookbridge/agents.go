package main

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// noHooks is the error where a project has no hooks, as far as its files can be read.
func noHooks(p schema.Places, msg string) error {
	if broken := plan.Broken(p); len(broken) > 0 {
		return errors.New("found no hooks that run: " + broken[0].String())
	}
	return errors.New(msg + hookfile.Hint(p))
}

// dialectsNamed finds the agents of a flag that takes several, separated by commas or
// given again.
func dialectsNamed(flag string, given listFlag) (list []adapter.Dialect, err error) {
	for _, part := range given {
		for _, name := range strings.Split(part, ",") {
			d, err := findDialect(flag, strings.TrimSpace(name))
			if err != nil {
				return nil, err
			}
			list = adapter.With(list, d)
		}
	}
	return list, nil
}

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

func loadProjectFile(project string) (*projectfile.File, error) {
	missing := func(err error) bool { return errors.Is(err, fs.ErrNotExist) }
	return projectfile.Load(project, discover.Read, missing)
}

// projectFile reads hookbridge.yaml before the flags are final: it states defaults of
// some.
func (f *runFlags) projectFile() (*projectfile.File, error) {
	f.settleRoot(machine())
	return loadProjectFile(f.Text("project"))
}

package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// loadProjectFile reads hookbridge.yaml in the root of a project.
func loadProjectFile(project string) (*projectfile.File, error) {
	missing := func(err error) bool { return errors.Is(err, fs.ErrNotExist) }
	return projectfile.Load(project, discover.Read, missing)
}

// projectFile reads hookbridge.yaml before the flags are final: it states defaults of
// some.
func (f *runFlags) projectFile() (*projectfile.File, error) {
	home, err := f.homeFolder()
	if err == nil {
		err = f.settleRoot(home, schema.Environ(os.Environ()))
	}
	if err != nil {
		return nil, err
	}
	return loadProjectFile(f.project)
}

// agentsStated lists the agents that hookbridge.yaml names as the project's.
func agentsStated(file *projectfile.File) (list []adapter.Dialect, err error) {
	for _, a := range file.Agents {
		d, err := findDialect("agents:", a.Name)
		if err != nil {
			return nil, file.Mistake(a.Line, a.Col, err.Error())
		}
		list = append(list, d)
	}
	return list, nil
}

package common

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/scenario"
)

// DefaultTests is the folder of scenarios unless hookbridge.yaml names one.
const DefaultTests = "hook-tests"

// ScenarioFiles lists the YAML files of a folder, or just path if it is a file.
func ScenarioFiles(path string) (files []string, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New(path + " doesn't exist; hookbridge test --init writes scenarios for the hooks it finds")
	case err != nil:
		return nil, err
	case !info.IsDir():
		return []string{path}, nil
	}
	err = filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		if ext := filepath.Ext(file); err == nil && e.Type().IsRegular() && (ext == ".yaml" || ext == ".yml") {
			files = append(files, file)
		}
		return err
	})
	return files, err
}

// CheckAgents rejects unknown names of agents, because such a test would never run.
func CheckAgents(list []scenario.Scenario) error {
	for i := range list {
		s := &list[i]
		names := slices.AppendSeq(slices.Clone(s.Agents), maps.Keys(s.Differ))
		slices.Sort(names)
		for _, name := range names {
			if _, err := cli.FindDialect("agents:", name); err != nil {
				return &frontmatter.Error{File: s.File, Line: s.Line, Col: s.Col, Msg: err.Error()}
			}
		}
	}
	return nil
}

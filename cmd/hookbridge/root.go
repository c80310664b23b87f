package main

import (
	"os"
	"path/filepath"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// projectRoot is the project that a folder belongs to: the nearest folder from there
// upward with a hook file of any agent or a hookbridge.yaml, else the root of the Git
// repository, else the folder itself. The user's own folder is a project only for
// commands that start in it, and files of another user are ignored.
func projectRoot(dir string, p schema.Places) string {
	start := dir
	for {
		if dir != start && (dir == p.Home || !ours(dir)) {
			return start
		}
		git := exists(filepath.Join(dir, ".git"))
		switch {
		case configured(dir, p):
			return dir
		case git:
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return start
		}
		dir = up
	}
}

// configured reports whether a folder has a hook file of any agent.
func configured(dir string, p schema.Places) bool {
	if exists(filepath.Join(dir, projectfile.Name)) {
		return true
	}
	p.Project = dir
	for _, d := range adapter.Dialects() {
		for _, s := range d.Locate(p) {
			if s.Scope != schema.ScopeProject && s.Scope != schema.ScopeLocal {
				continue
			}
			for _, file := range discover.Files(s) {
				if exists(file.File) {
					return true
				}
			}
		}
	}
	return false
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

package main

import (
	"os"
	"path/filepath"
	"slices"

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
		if configured(dir, p) || exists(filepath.Join(dir, ".git")) {
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
	return len(located(p, func(s schema.Source) bool { return s.OfProject() && holdsFile(s) })) > 0
}

// holdsFile reports whether a source, or a file of its folder, is there.
func holdsFile(s schema.Source) bool {
	return slices.ContainsFunc(discover.Files(s), func(file schema.Source) bool { return exists(file.File) })
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

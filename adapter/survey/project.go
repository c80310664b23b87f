package survey

import (
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// ownFolder returns an agent's own folder in a project, or another trace of it, or "".
func ownFolder(d dialect.Dialect, p schema.Places) string {
	if path := traced(d, schema.Places{Project: p.Project}); path != "" {
		return path
	}
	var dirs []string
	for _, s := range d.Locate(p) {
		dir := filepath.Dir(s.File)
		if slices.Contains(d.Profile().Shared, filepath.Base(dir)) {
			dir = s.File
		}
		if s.OfProject() && dir != p.Project {
			dirs = append(dirs, dir)
		}
	}
	for _, name := range d.Profile().Folders {
		dirs = append(dirs, filepath.Join(p.Project, filepath.FromSlash(name)))
	}
	if i := slices.IndexFunc(dirs, discover.IsFolder); i >= 0 && p.Project != "" {
		return dirs[i]
	}
	return ""
}

func traced(d dialect.Dialect, p schema.Places) string {
	if t := d.Abilities().Traces; t != nil {
		for _, path := range t.Traces(p) {
			if hookfile.Exists(path) {
				return path
			}
		}
	}
	return ""
}

// UsersFolder reports whether an agent has its own folder in the user's home.
func UsersFolder(d dialect.Dialect, p schema.Places) bool {
	user := schema.Places{Home: p.Home, Env: p.Env}
	return traced(d, user) != "" || slices.ContainsFunc(d.Locate(p), func(s schema.Source) bool {
		dir := filepath.Dir(s.File)
		return s.Scope == schema.ScopeUser && dir != p.Home && discover.IsFolder(dir)
	})
}

// Root returns the project that a folder belongs to: the nearest folder from there upward with a hook file of one of
// the agents or a hookbridge.yaml, else the root of the Git repository, else the folder itself. The user's own folder
// is a project only for commands that start in it. A folder that isn't ours ends the search.
func Root(dir string, p schema.Places, ours func(dir string) bool) string {
	start := dir
	for {
		if dir != start && (dir == p.Home || !ours(dir)) {
			return start
		}
		if configured(dir, p) || hookfile.Exists(filepath.Join(dir, ".git")) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return start
		}
		dir = up
	}
}

func configured(dir string, p schema.Places) bool {
	p.Project = dir
	return hookfile.Exists(filepath.Join(dir, projectfile.Name)) ||
		slices.ContainsFunc(adapter.Dialects(), func(d dialect.Dialect) bool {
			return slices.ContainsFunc(d.Locate(p), func(s schema.Source) bool {
				return s.OfProject() && hookfile.HoldsFile(s)
			})
		})
}

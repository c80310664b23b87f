package trust

import (
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Ground is the part of the disk whose content the repository's author may control.
type Ground struct {
	Places schema.Places
	Others []string // other folders of a repository: the roots of the workspace
}

// Foreign returns a test for sources that the repository's author controls: the project's own, files of the command
// line inside the project, and the user's hook files that a variable moves near the project.
func (g *Ground) Foreign(reads []dialect.EnvRow, given []string) func(schema.Source) bool {
	near := slices.ContainsFunc(reads, func(r dialect.EnvRow) bool {
		return r.Moves == dialect.MovesHooks && g.near(g.Places.Env.Get(r.Name))
	})
	return func(s schema.Source) bool {
		if s.OfProject() || s.Moved && (near || g.near(s.File)) {
			return true
		}
		return slices.Contains(given, s.File) && dialect.Inside(g.Places.Project, s.File)
	}
}

// inside reports whether a file or folder is in the project, in the current folder or in a root of the workspace. The
// user's own folder isn't a repository if its place has another source than the environment.
func (g *Ground) inside(file string) bool {
	return slices.ContainsFunc(g.folders(), func(dir string) bool { return g.holds(dir, file) })
}

// Owns reports whether a file is in the project or in a root of the workspace, and isn't certainly the user's own.
func (g *Ground) Owns(file string) bool {
	return slices.ContainsFunc(append([]string{g.Places.Project}, g.Others...), func(dir string) bool {
		return dir != "" && g.holds(dir, file)
	})
}

func (g *Ground) holds(dir, file string) bool {
	return dialect.Inside(dir, file) && !(g.Places.Account != "" && dialect.Inside(dir, g.Places.Account))
}

// near reports whether a file may have come with the repository: it is in one of its folders, or shares a folder with
// one of them that isn't the user's own or above that. A host that was started in a subfolder may get paths above it.
func (g *Ground) near(file string) bool {
	if file == "" {
		return false
	}
	if !filepath.IsAbs(file) || g.inside(file) {
		return true
	}
	home := g.Places.Home
	return slices.ContainsFunc(g.folders(), func(dir string) bool {
		for at := dialect.RealPath(dir); at != filepath.Dir(at); at = filepath.Dir(at) {
			if home != "" && dialect.Inside(at, home) {
				return false
			}
			if dialect.Inside(at, file) {
				return true
			}
		}
		return false
	})
}

// folders returns those of the repository, and the current one unless it contains the user's own.
func (g *Ground) folders() []string {
	all := append([]string{g.Places.Project}, g.Others...)
	if here := g.Places.Env.Get("PWD"); here != "" && (g.Places.Home == "" || !dialect.Inside(here, g.Places.Home)) {
		all = append(all, here)
	}
	return slices.DeleteFunc(all, func(dir string) bool { return dir == "" })
}

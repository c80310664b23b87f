package family

import (
	"path/filepath"

	"github.com/hookbridge/hookbridge/schema"
)

// A FileRow is a file, or a folder of them, that the agent loads hooks from. The scope
// says where: an administrator's has an absolute path, one of the user's is in the user's
// folder of the agent, the others in the project's.
type FileRow struct {
	Scope  schema.Scope
	Path   string // with slashes
	OS     string // as runtime.GOOS; "": all but Windows for an administrator's file, else every one
	Folder bool   // each *.json file in it counts
}

// Locate lists the files that may configure hooks, in the order in which they count.
func (a *Agent) Locate(p schema.Places) (out []schema.Source) {
	for _, r := range a.Files {
		path, here := filepath.FromSlash(r.Path), r.OS == "" || r.OS == p.OS
		switch {
		case r.Scope == schema.ScopeManaged:
			path, here = p.OfSystem(path), r.OS == p.OS || r.OS == "" && p.OS != "windows"
		case r.Scope == schema.ScopeUser:
			dir := a.Names.UserFolder(p)
			path, here = filepath.Join(dir, path), here && dir != ""
		default:
			path, here = filepath.Join(p.Project, a.Names.Folder, path), here && p.Project != ""
		}
		if here {
			out = append(out, schema.Source{File: path, Scope: r.Scope, Folder: r.Folder})
		}
	}
	return out
}

package family

import (
	"cmp"
	"os"
	"path/filepath"

	"github.com/hookbridge/hookbridge/schema"
)

// A FileRow is a file, or a folder of them, that the agent loads hooks from. The scope
// says where: an administrator's has an absolute path, one of the user's or a team's is in the user's
// folder of the agent, the others in the project's.
type FileRow struct {
	Scope    schema.Scope
	Path     string // with slashes
	OS       string // as runtime.GOOS; "": all but Windows for an administrator's file, else every one
	Variable string // names another file in its place, on this machine
	Folder   bool   // each *.json file in it counts
	Deep     bool   // of a folder: those in it count too
}

// Locate lists the files that may configure hooks, in the order in which they count.
func (a *Agent) Locate(p schema.Places) []schema.Source {
	return Locate(a.Files, a.Names.UserFolder(p), a.Names.ProjectFolder(p), p)
}

// Locate lists the files of rows, in their order: those that are in the user's folder of an
// agent, in the project's, and an administrator's. Those of a folder that is "" are left out.
func Locate(rows []FileRow, user, project string, p schema.Places) (out []schema.Source) {
	for i := range rows {
		file := rows[i].file(user, project, p)
		switch {
		case file == "":
		case rows[i].Deep:
			for _, dir := range folders(file) {
				out = append(out, schema.Source{File: dir, Scope: rows[i].Scope, Folder: true})
			}
		default:
			out = append(out, schema.Source{File: file, Scope: rows[i].Scope, Folder: rows[i].Folder})
		}
	}
	return out
}

// file is where the row's file is, "" if nowhere.
func (r *FileRow) file(user, project string, p schema.Places) string {
	path, dir := filepath.FromSlash(r.Path), project
	switch managed := r.Scope == schema.ScopeManaged; {
	case r.OS != "" && r.OS != p.OS, managed && r.OS == "" && p.OS == "windows":
		return ""
	case managed && p.System == "" && r.Variable != "":
		return cmp.Or(p.Env.Get(r.Variable), path)
	case managed:
		return p.OfSystem(path)
	case r.Scope == schema.ScopeUser || r.Scope == schema.ScopeTeam:
		dir = user
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, path)
}

// folders lists a folder and those in it, also behind symbolic links, each once.
func folders(root string) []string {
	out, seen := []string{root}, map[string]bool{}
	for i := 0; i < len(out) && i < 100; i++ {
		entries, _ := os.ReadDir(out[i])
		for _, e := range entries {
			dir := filepath.Join(out[i], e.Name())
			if e.Type()&os.ModeSymlink != 0 {
				target, err := filepath.EvalSymlinks(dir)
				if info, _ := os.Stat(dir); err != nil || info == nil || !info.IsDir() || seen[target] {
					continue
				}
				seen[target] = true
			} else if !e.IsDir() {
				continue
			}
			out = append(out, dir)
		}
	}
	return out
}

package survey

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// NamedFiles lists the hook files, in a project and of the user, of agents that hookbridge knows by name only. Files
// without hooks are left out.
func NamedFiles(p schema.Places) (list []hookfile.NamedFile) {
	if p.Project == "" {
		return nil
	}
	agents := append(adapter.KnownByName(), adapter.InCode()...)
	seen := map[string]bool{}
	for i := range agents {
		for _, in := range []struct {
			dir      string
			patterns []string
		}{{p.Project, agents[i].Files}, {p.Home, agents[i].Home}} {
			for _, pattern := range in.patterns {
				for _, file := range matching(in.dir, strings.Split(pattern, "/")) {
					text, err := discover.Read(file)
					f := hookfile.NamedAt(&agents[i], file, text)
					if err == nil && f.Hooks > 0 && !seen[file] && !wrote(&agents[i], text) {
						list, seen[file] = append(list, f), true
					}
				}
			}
		}
	}
	return list
}

// wrote reports whether hookbridge wrote the code of an agent's file.
func wrote(a *adapter.ByName, text []byte) bool {
	d, err := adapter.Find(a.Name)
	if !a.Code || err != nil || d.Abilities().EntryFile == nil {
		return false
	}
	_, ours := d.Abilities().EntryFile.ReadEntries(text)
	return ours
}

// matching lists the files below a folder whose path has these parts.
func matching(dir string, parts []string) (files []string) {
	if dir == "" {
		return nil
	}
	if len(parts) == 0 {
		if discover.IsFile(dir) {
			return []string{dir}
		}
		return nil
	}
	if !strings.ContainsAny(parts[0], "*[") {
		return matching(filepath.Join(dir, parts[0]), parts[1:])
	}
	entries, _ := os.ReadDir(dir) // sorted by name; a missing folder has none
	for _, e := range entries {
		if ok, _ := path.Match(parts[0], e.Name()); ok && e.Name()[0] != '.' {
			files = append(files, matching(filepath.Join(dir, e.Name()), parts[1:])...)
		}
	}
	return files
}

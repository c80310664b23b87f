package toolpath

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// maxFolders is how many folders are searched for a file: more than any client looks into.
const maxFolders = 500

// Ending lists the files below the roots that end with a path which names none, if the rules say that the tool takes
// such a file for it.
func Ending(s string, rules schema.PathRules, cwd, home string, roots []string) (files []string) {
	if !rules.Ending {
		return nil
	}
	s = path.Clean(spelled(s, rules, cwd, home))
	if s == "." || path.IsAbs(s) || exists(path.Join(cwd, s)) {
		return nil
	}

	folders := slices.Clone(roots)
	for n := 0; n < len(folders) && n < maxFolders; n++ {
		entries, _ := os.ReadDir(folders[n])
		for _, e := range entries {
			file := path.Join(folders[n], e.Name())
			switch {
			case e.IsDir() && e.Name() != ".git" && e.Name() != "node_modules":
				folders = append(folders, file)
			case e.Name() == path.Base(s) && strings.HasSuffix(file, s):
				files = append(files, file)
			}
		}
	}
	return files
}

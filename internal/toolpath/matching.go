package toolpath

import (
	"os"
	"path"
	"strings"

	"github.com/hookbridge/hookbridge/internal/wildcard"
)

// Matching lists the files that match a path with wildcards: "*", "?", "[..]", "{a,b}", and "**" for folders. It
// searches at most maxFolders folders, and ends once it has found as many files as most.
func Matching(pattern string, most int) (files []string) {
	at := strings.IndexAny(pattern, "*?[{")
	if at < 0 || !path.IsAbs(pattern) {
		return nil
	}
	base := pattern[:strings.LastIndexByte(pattern[:at], '/')+1]
	var wanted []wildcard.Path
	for _, one := range alternatives(pattern[len(base):]) {
		wanted = append(wanted, wildcard.ParsePath("./"+one, true))
	}

	folders := []string{""}
	for n := 0; n < len(folders) && n < maxFolders; n++ {
		entries, _ := os.ReadDir(base + folders[n])
		for _, e := range entries {
			name := path.Join(folders[n], e.Name())
			info, err := os.Stat(base + name) // a link counts as its target
			switch {
			case err != nil || e.Name() == ".git":
			case e.IsDir():
				folders = append(folders, name)
			case info.Mode().IsRegular() && matchesAny(wanted, name):
				if files = append(files, base+name); len(files) == most {
					return files
				}
			}
		}
	}
	return files
}

func matchesAny(patterns []wildcard.Path, name string) bool {
	for _, p := range patterns {
		if p.Match(name) {
			return true
		}
	}
	return false
}

// maxAlternatives is how many patterns one with braces may expand to.
const maxAlternatives = 64

// alternatives expands a pattern to patterns without braces.
func alternatives(pattern string) (all []string) {
	todo := []string{pattern}
	for len(todo) > 0 && len(all)+len(todo) <= maxAlternatives {
		one := todo[0]
		todo = todo[1:]
		end := strings.IndexByte(one, '}')
		begin := strings.LastIndexByte(one[:max(end, 0)], '{')
		if begin < 0 || !strings.Contains(one[begin:end], ",") {
			all = append(all, one)
			continue
		}
		for _, word := range strings.Split(one[begin+1:end], ",") {
			todo = append(todo, one[:begin]+word+one[end+1:])
		}
	}
	return append(all, todo...)
}

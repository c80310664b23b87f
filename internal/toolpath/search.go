package toolpath

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// maxFolders is how many folders are searched for a file: more than any client searches.
const maxFolders = 500

// Readings lists the files that a tool may use for a path that doesn't exist as written: the part before a suffix for a
// place in the file, the files of a list, and files below the roots that end with the path. If the path exists and
// could also be read differently, the result is only that file.
func Readings(s string, rules schema.PathRules, cwd, home string, roots []string) []string {
	f := finder{rules: rules, cwd: cwd, home: home}
	if f.find(s) {
		if strings.ContainsAny(s, rules.Places) {
			return f.files
		}
		return nil
	}
	f.look(s)
	if rules.Ending {
		f.ending(roots)
	}
	return f.files
}

// A finder looks for the files that a path may mean.
type finder struct {
	rules     schema.PathRules
	cwd, home string
	files     []string
	missing   []string // texts that name no file
}

// find reports whether a text names a file, and adds it.
func (f *finder) find(s string) bool {
	whole := Find(s, f.rules, f.cwd, f.home)
	if !path.IsAbs(whole) {
		whole = path.Join(f.cwd, whole)
	}
	if s == "" || !exists(whole) {
		return false
	}
	if !slices.Contains(f.files, whole) {
		f.files = append(f.files, whole)
	}
	return true
}

// look adds the file that a text names, or those before each character that may begin a place in a file, or those of a
// list.
func (f *finder) look(s string) {
	found, missing := f.find(s), []string{s}
	for i, r := range s {
		if !found && strings.ContainsRune(f.rules.Places, r) {
			missing = append(missing, s[:i])
		}
	}
	for _, before := range missing[1:] {
		found = f.find(before) || found
	}
	if found {
		return
	}

	f.missing = append(f.missing, missing...)
	for _, separator := range f.rules.Lists {
		list := strings.FieldsFunc(s, func(r rune) bool {
			return r == separator || separator == ' ' && patch.ScriptBlank(r)
		})
		if len(list) == 1 && len(list[0]) == len(s) {
			continue
		}
		for _, one := range list {
			f.look(unquoted(strings.TrimFunc(one, patch.ScriptBlank)))
		}
	}
}

func unquoted(s string) string {
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// Named lists the files that a path may mean for a tool. That is the file with that path. If it is missing and the
// rules have ByName, it is every file with its name below the roots, the working directory and the home folder.
func Named(s string, rules schema.PathRules, cwd, home string, roots []string) []string {
	f := finder{rules: rules, cwd: cwd, home: home}
	if f.find(s) {
		return f.files
	}

	spelled := Find(s, rules, cwd, home)
	if !path.IsAbs(spelled) {
		spelled = path.Join(cwd, spelled)
	}
	if !rules.ByName {
		return []string{spelled}
	}

	for _, folder := range []string{cwd, home} {
		if folder != "" && !slices.Contains(roots, folder) {
			roots = append(slices.Clip(roots), folder)
		}
	}
	for _, root := range roots { // each with its own limit
		below([]string{root}, func(file string) {
			if path.Base(file) == path.Base(spelled) && !slices.Contains(f.files, file) {
				f.files = append(f.files, file)
			}
		})
	}
	if f.files == nil {
		return []string{spelled}
	}
	return f.files
}

// below calls visit with the files below folders.
func below(folders []string, visit func(file string)) {
	folders = slices.Clone(folders)
	for n := 0; n < len(folders) && n < maxFolders; n++ {
		entries, _ := os.ReadDir(folders[n])
		for _, e := range entries {
			file := path.Join(folders[n], e.Name())
			switch {
			case !e.IsDir():
				visit(file)
			case e.Name() != ".git" && e.Name() != "node_modules":
				folders = append(folders, file)
			}
		}
	}
}

// ending adds the files below the roots that end with one of the missing texts.
func (f *finder) ending(roots []string) {
	ends := map[string][]string{} // by their last names
	for _, s := range f.missing {
		if s = spelled(s, f.rules, f.cwd, f.home); f.rules.LooseEnding {
			s = strings.ReplaceAll(strings.TrimSpace(s), `\`, "/")
		}
		if s = path.Clean(s); s != "." && !path.IsAbs(s) {
			ends[path.Base(s)] = append(ends[path.Base(s)], s)
		}
	}
	if len(ends) == 0 {
		return
	}
	below(roots, func(file string) {
		ending := func(s string) bool { return strings.HasSuffix(file, s) }
		if slices.ContainsFunc(ends[path.Base(file)], ending) && !slices.Contains(f.files, file) {
			f.files = append(f.files, file)
		}
	})
}

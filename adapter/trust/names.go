package trust

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// maxLooks is how many names are looked for on the disk for all commands of a
// project together, and maxLine the longest command that is read: a stranger's
// repository must not keep the bridge from answering in time.
const (
	maxLooks = 20000
	maxLine  = 128 << 10 // no system starts a longer one
)

var errTooMany = errors.New("the hooks' commands name too many files to check")

// A namedFiles finds the files of a project that its hooks' commands name. A
// command is read as loosely as a shell could take it: a file too many only
// means that its change is noticed.
type namedFiles struct {
	project string
	cwd     string // where hooks run, if that is another folder of the project; else ""
	looks   int
	err     error // errTooMany
}

// of lists the files inside the project that a hook names, each once.
func (n *namedFiles) of(h *schema.Hook) (files []string) {
	names := n.spellings(h)
	folders := []string{n.project}
	if n.cwd != "" {
		folders = append(folders, n.cwd)
	}
	for i := 0; i < len(folders); i++ { // grows by the folders that are named, as by cd
		for _, name := range names {
			for _, found := range n.expand(folders[i], strings.Split(name, "/")) {
				switch info, err := os.Stat(found); {
				case err != nil:
				case info.IsDir() && !slices.Contains(folders, found):
					folders = append(folders, found)
				case info.Mode().IsRegular() && !slices.Contains(files, found):
					files = append(files, found)
				}
			}
		}
	}
	return files
}

// spellings lists what a hook's command may name, as patterns.
func (n *namedFiles) spellings(h *schema.Hook) (names []string) {
	for _, line := range append([]string{h.Command}, h.Args...) {
		if len(line) > maxLine {
			n.err = errTooMany
			return nil
		}
		names = append(names, shell.Spellings(n.fromProject(line))...)
	}
	return names
}

// fromProject has the names of a line begin at the project, and slashes between
// folders on every system.
func (n *namedFiles) fromProject(line string) string {
	line = strings.NewReplacer("\\\r\n", "", "\\\n", "", "/proc/self/cwd/", "./", "/proc/$$/cwd/", "./", "~+/", "./").Replace(line)
	line = filepath.ToSlash(shell.PlainQuotes(line))
	for _, root := range []string{n.project, realPath(n.project)} {
		if root = filepath.ToSlash(root); root != "/" {
			line = strings.NewReplacer(root+"/", "/", root+"'/", "'/", root+`"/`, `"/`).Replace(line)
		}
	}
	return line
}

// expand lists what the parts of a name stand for below the folder.
func (n *namedFiles) expand(folder string, parts []string) (found []string) {
	if n.looks++; n.looks > maxLooks {
		n.err = errTooMany
		return nil
	}
	if len(parts) == 0 {
		if dialect.Within(n.project, folder) {
			found = append(found, folder)
		}
		return found
	}
	if !strings.ContainsAny(parts[0], "*?[") {
		if next := filepath.Join(folder, parts[0]); len(parts) == 1 || discover.IsFolder(next) {
			found = n.expand(next, parts[1:])
		}
		return found
	}
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if n.looks++; n.looks > maxLooks {
			n.err = errTooMany
			return found
		}
		if ok, _ := path.Match(parts[0], e.Name()); ok || e.Name() == parts[0] {
			found = append(found, n.expand(filepath.Join(folder, e.Name()), parts[1:])...)
		}
	}
	return found
}

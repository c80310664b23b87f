package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// attributes is the step that sets in Git the line endings of files that hookbridge writes as a whole: a checkout with
// another system's line endings would break a launcher. It removes lines that no file needs any more.
func (x *Job) attributes() ([]Result, error) {
	if x.Scope != schema.ScopeProject {
		return nil, nil
	}
	ofLauncher := lists.Map(launcher.ProjectFiles(), func(f launcher.File) string { return f.Path })
	var want []string
	if x.launched() {
		want = ofLauncher
	}
	folders := []string{}
	for _, d := range adapter.Dialects() {
		if wholeFile(d) == nil {
			continue
		}
		for _, s := range d.Locate(x.Places) {
			if s.Scope == schema.ScopeProject {
				paths := x.wholeFiles(d, s.File)
				want, folders = append(want, paths...), append(folders, filepath.Dir(s.File))
			}
		}
	}

	file := filepath.Join(x.Places.Project, launcher.AttributesFile)
	before, _ := discover.Read(file)
	after := launcher.Attributes(before, want, func(path string) bool {
		dir := filepath.Dir(filepath.Join(x.Places.Project, filepath.FromSlash(path)))
		return slices.Contains(ofLauncher, path) || slices.Contains(folders, dir)
	})
	if string(before) == string(after) && (before == nil) == (after == nil) {
		return nil, nil
	}
	r := Result{Scope: x.Scope.String(), File: file, State: "written"}
	write := func() error { return jsonedit.WriteFile(file, before, after) }
	if after == nil {
		r.State, write = "removed", func() error { return os.Remove(file) }
	}
	r.change = &rewrite{before: before, after: after, remove: after == nil, write: write}
	return []Result{r}, nil
}

// wholeFiles returns the project paths of a file that hookbridge writes as a whole, and of its copies, after the job's
// changes. Outside of a checkout it returns none: agents read such files with any line endings.
func (x *Job) wholeFiles(d adapter.Dialect, file string) (paths []string) {
	text := x.pending.text(file)
	if _, ours := wholeFile(d).ReadEntries(text); !ours || !inCheckout(x.Places.Project) {
		return nil
	}
	for _, name := range append([]string{filepath.Base(file)}, copyNames(d, file, text)...) {
		rel, err := filepath.Rel(x.Places.Project, filepath.Join(filepath.Dir(file), name))
		if err == nil && !strings.ContainsAny(rel, " \t\"*?[") && dialect.Within(x.Places.Project, file) {
			paths = append(paths, filepath.ToSlash(rel))
		}
	}
	return paths
}

// inCheckout reports whether a folder is in a Git checkout.
func inCheckout(dir string) bool {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

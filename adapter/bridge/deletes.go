package bridge

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// deletions are what a shell command deletes, each as a call of its own, for hooks
// whose agent has a tool for that where the host's model can only use a command.
func (r *question) deletions() (parts []*schema.Call) {
	if !r.deletesByCommand() || r.Hooks.Profile().ToolOfKind(schema.Delete) == nil {
		return nil
	}
	raw, _ := r.call.Tool.Input.Get(schema.RoleCommand)
	line, _ := ordjson.String(raw)
	for _, d := range shell.Deletions(line) {
		for _, path := range r.deletedPaths(d) {
			p := r.call.Clone()
			p.Tool.Whole, p.Tool.Kinds = nil, []schema.Kind{schema.Delete}
			quoted := ordjson.AppendString(nil, path)
			p.Tool.Input = schema.Args{{Role: schema.RolePath, Raw: quoted}}
			if p.Event == schema.PostTool {
				p.Tool.Output = schema.Args{{Role: schema.RolePath, Raw: quoted}, {Role: schema.RoleOK, Raw: []byte("true")}}
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// deletesByCommand reports whether the call is a shell command of a host in which
// files are deleted by such.
func (r *question) deletesByCommand() bool {
	t := &r.call.Tool
	if !slices.Contains(t.Kinds, schema.Shell) {
		return false
	}
	deletes := func(row schema.ToolRow) bool { return slices.Contains(row.Parts, schema.Delete) }
	rows := r.Host.Profile().Tools
	if i := slices.IndexFunc(rows, func(row schema.ToolRow) bool { return row.Name == t.Name }); i >= 0 {
		return deletes(rows[i])
	}
	return slices.ContainsFunc(rows, deletes)
}

// maxPattern is how many files a pattern in a command stands for at most.
const maxPattern = 100

// deletedPaths are the paths that a word of a command stands for: files that a
// pattern fits, else the word. What the command doesn't name is in its folder.
func (r *question) deletedPaths(d shell.Deletion) []string {
	dir := d.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.call.Cwd, dir)
	}
	path := d.Path.Text()
	if path == "" {
		return []string{dir}
	}
	for from, to := range map[string]string{"~": r.places.Home, "$HOME": r.places.Home, "${HOME}": r.places.Home, "$PWD": dir, "${PWD}": dir} {
		if rest, ok := strings.CutPrefix(path, from); ok && to != "" && (rest == "" || rest[0] == '/') {
			path = to + rest
		}
	}
	if isRelative(path) {
		path = filepath.Join(dir, path)
	}
	if d.Path.Pattern() {
		if found := matching(path); len(found) > 0 {
			return found
		}
	}
	return []string{path}
}

// matching lists what a pattern fits, and the pattern too where that is more than
// is looked at.
func matching(pattern string) (found []string) {
	if dir := filepath.Dir(pattern); strings.ContainsAny(dir, "*?[") {
		return []string{pattern}
	}
	entries, err := os.ReadDir(filepath.Dir(pattern))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if ok, err := filepath.Match(filepath.Base(pattern), e.Name()); ok && err == nil {
			found = append(found, filepath.Join(filepath.Dir(pattern), e.Name()))
		}
		if len(found) == maxPattern {
			return append(found, pattern)
		}
	}
	return found
}

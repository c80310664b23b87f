package bridge

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/internal/toolpath"
	"github.com/hookbridge/hookbridge/schema"
)

// fileKinds lists the tools for which an agent shows its hooks the whole path, regardless of the model's spelling
// (observed Claude Code 2.1.328, Cursor SDK 1.0.32). Qoder passes on the model's spelling, so "../secret" would slip
// past its guards.
var fileKinds = []schema.Kind{schema.Read, schema.Write, schema.Edit, schema.MultiEdit, schema.Delete, schema.Notebook}

func ofFile(k schema.Kind) bool { return slices.Contains(fileKinds, k) }

// wholePaths returns a call whose paths, including those in its result, name the files that the host's tool opens. They
// are absolute if the hooks' agent would show them so.
func wholePaths(c *schema.Call, host, hooks dialect.Dialect, home string) *schema.Call {
	var rules schema.PathRules
	t, changed, described := c.Tool, false, false
	if row := host.Profile().Tool(t.Name); row != nil {
		rules, described = row.Path, slices.ContainsFunc(row.Kinds, ofFile)
	}

	// the call's folder
	if dir := t.Input.Text(schema.RoleCwd); toolpath.Relative(dir) && host.Profile().Name != hooks.Profile().Name {
		t.Input, changed = t.Input.Set(schema.RoleCwd, "", ordjson.AppendString(nil, c.Cwd)), true
	}

	whole := slices.ContainsFunc(t.Kinds, ofFile)
	if !whole && rules == (schema.PathRules{}) && !changed { // most calls
		return c
	}

	for _, args := range []*schema.Args{&t.Input, &t.Output} {
		for i, a := range *args {
			if a.Role != schema.RolePath {
				continue
			}
			s, ok := ordjson.String(a.Raw)
			if !ok {
				continue
			}
			found := toolpath.Find(s, rules, c.Cwd, home)
			// after the tool's rules, what is left is part of a name
			relative := toolpath.Relative(found) || described && found != "" && !path.IsAbs(found)
			switch {
			case whole && relative && path.IsAbs(c.Cwd):
				found = path.Join(c.Cwd, found)
			case whole && hooks.Profile().CleansPaths && path.IsAbs(found):
				found = path.Clean(found)
			}
			if found != s {
				*args, changed = slices.Clone(*args), true
				(*args)[i].Raw = ordjson.AppendString(nil, found)
			}
		}
	}

	if changed {
		c = c.Clone()
		c.Tool = t
	}

	return c
}

// wholeArgs makes paths absolute that are relative to the working directory.
func wholeArgs(args schema.Args, cwd string) schema.Args {
	args = slices.Clone(args)
	for i, a := range args {
		s, ok := ordjson.String(a.Raw)
		if ok && a.Role == schema.RolePath && toolpath.Relative(s) && path.IsAbs(cwd) {
			args[i].Raw = ordjson.AppendString(nil, path.Join(cwd, s))
		}
	}
	return args
}

// startIn returns the working directory of a command hook. It is the one that its agent would use, unless that is the
// call's own and the hook's relative script exists only in the project. A host that gives every command its own
// directory would lose such a guard; the hook's own agent starts it in the session's directory.
func startIn(r *run, c *schema.Call, spec *process.Spec, project string) string {
	ofCall := []string{"", project, c.Project, c.Cwd}
	if r.opts.Own != nil && !slices.Contains(ofCall, spec.Dir) { // for the agent itself, no folder is replaced
		return spec.Dir
	}
	dir := folderFor(r, c, spec.Dir)
	if dir == project || project == "" || len(spec.Argv) == 0 {
		return dir
	}
	words := spec.Argv
	// a shell's line
	if n := len(words); n > 2 && strings.HasSuffix(words[n-2], "-c") || n > 2 && words[n-2] == "-Command" {
		words = shell.FirstCommand(words[n-1])
	}
	script := shell.RelativeScript(words)
	if script == "" || discover.IsFile(filepath.Join(dir, script)) || !discover.IsFile(filepath.Join(project, script)) {
		return dir
	}
	return project
}

// folderFor returns the first folder that exists: a guard must run even if the call's folder is wrong or missing.
func folderFor(r *run, c *schema.Call, wanted string) string {
	for _, dir := range []string{wanted, c.Project, r.places.Env.Get("PWD"), r.places.Home} {
		if dir != "" && discover.IsFolder(dir) {
			return dir
		}
	}
	return ""
}

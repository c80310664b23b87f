package bridge

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// fileKinds are the tools of which an agent shows its hooks the whole path,
// however the model has written it (observed Claude Code 2.1.328, Cursor SDK
// 1.0.32). Qoder passes on what the model wrote, so that "../secret" would slip
// past a guard of theirs.
var fileKinds = []schema.Kind{schema.Read, schema.Write, schema.Edit, schema.MultiEdit, schema.Delete, schema.Notebook}

// wholePaths makes the paths of a call, and of its result, those of the files that
// the host's tool finds, and absolute where the agent of the hooks would show them so.
func wholePaths(c *schema.Call, host, hooks dialect.Dialect, home string) {
	var rules schema.PathRules
	if row := host.Profile().Tool(c.Tool.Name); row != nil {
		rules = row.Path
	}
	whole := slices.ContainsFunc(c.Tool.Kinds, func(k schema.Kind) bool { return slices.Contains(fileKinds, k) })
	if !whole && rules == (schema.PathRules{}) {
		return
	}
	cleans := hooks.Profile().CleansPaths
	for _, args := range []schema.Args{c.Tool.Input, c.Tool.Output} {
		for i := range args {
			s, ok := ordjson.String(args[i].Raw)
			if !ok || args[i].Role != schema.RolePath {
				continue
			}
			found := foundPath(s, rules, home)
			switch {
			case whole && isRelative(found) && path.IsAbs(c.Cwd):
				found = path.Join(c.Cwd, found)
			case whole && cleans && path.IsAbs(found):
				found = path.Clean(found)
			}
			if found != s {
				args[i].Raw = ordjson.AppendString(nil, found)
			}
		}
	}
}

// foundPath is the path of the file that a tool with such rules looks for.
func foundPath(s string, rules schema.PathRules, home string) string {
	if rules.Trim {
		s = strings.TrimFunc(s, isScriptSpace)
	}
	if rest, ok := strings.CutPrefix(s, "~"); ok && rules.Home && home != "" && (rest == "" || strings.ContainsAny(rest[:1], `/\`)) {
		s = path.Join(home, strings.ReplaceAll(rest, `\`, "/"))
	}
	if rest, ok := strings.CutPrefix(s, rules.Prefix); ok && rules.Prefix != "" {
		s = strings.TrimLeft(rest, "/") // what remains starts from the working folder
	}
	return s
}

// isScriptSpace reports whether JavaScript's trim takes a character away.
func isScriptSpace(c rune) bool { return unicode.IsSpace(c) && c != '\u0085' || c == '\ufeff' }

// isRelative reports whether a path starts from the working folder on any system.
func isRelative(s string) bool {
	return s != "" && !strings.ContainsAny(s[:1], `/\~$`) && !(len(s) > 1 && s[1] == ':')
}

// wholeArg makes a path that starts from the working folder absolute.
func wholeArg(a schema.Arg, cwd string) schema.Arg {
	if s, ok := ordjson.String(a.Raw); ok && a.Role == schema.RolePath && isRelative(s) && path.IsAbs(cwd) {
		a.Raw = ordjson.AppendString(nil, path.Join(cwd, s))
	}
	return a
}

// startIn is the working directory of a command hook: the one that its agent would
// use, unless that is the call's own and the hook's relative script exists only in the
// project. With a host that gives every command its own directory, such a guard would
// be lost; its own agent starts it in the session's directory.
func startIn(r stage, spec *process.Spec, project string) string {
	dir := folderFor(r, spec.Dir)
	if dir == project || project == "" || len(spec.Argv) == 0 {
		return dir
	}
	words := spec.Argv
	if n := len(words); n > 2 && strings.HasSuffix(words[n-2], "-c") || n > 2 && words[n-2] == "-Command" { // a shell's line
		words = shell.FirstCommand(words[n-1])
	}
	script := shell.RelativeScript(words)
	if script == "" || discover.IsFile(filepath.Join(dir, script)) || !discover.IsFile(filepath.Join(project, script)) {
		return dir
	}
	return project
}

// folderFor returns the first folder that exists: a guard must run even if the call's
// folder is wrong or gone.
func folderFor(r stage, wanted string) string {
	for _, dir := range []string{wanted, r.call.Project, r.places.Env.Get("PWD"), r.places.Home} {
		if dir != "" && discover.IsFolder(dir) {
			return dir
		}
	}
	return ""
}

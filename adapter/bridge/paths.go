package bridge

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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

// wholePaths is a call whose paths, and those of its result, are those of the files that
// the host's tool finds, and absolute where the agent of the hooks would show them so.
func wholePaths(c *schema.Call, host, hooks dialect.Dialect, home string) *schema.Call {
	var rules schema.PathRules
	t, changed := c.Tool, false
	if row := host.Profile().Tool(t.Name); row != nil {
		rules = row.Path
	}
	// the call's folder
	if dir := t.Input.Text(schema.RoleCwd); isRelative(dir) && host.Profile().Name != hooks.Profile().Name {
		t.Input, changed = t.Input.Set(schema.RoleCwd, "", ordjson.AppendString(nil, c.Cwd)), true
	}
	whole := slices.ContainsFunc(t.Kinds, func(k schema.Kind) bool { return slices.Contains(fileKinds, k) })
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
			found := foundPath(s, rules, c.Cwd, home)
			switch {
			case whole && isRelative(found) && path.IsAbs(c.Cwd):
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

// foundPath is the path of the file that a tool with such rules looks for.
func foundPath(s string, rules schema.PathRules, cwd, home string) string {
	if rules.Trim {
		s = strings.TrimFunc(s, isScriptSpace)
	}
	if rest, ok := strings.CutPrefix(s, "~"); ok && rules.Home && home != "" &&
		(rest == "" || strings.ContainsAny(rest[:1], `/\`)) {
		s = path.Join(home, strings.ReplaceAll(rest, `\`, "/"))
	}
	if rules.Drop != "" {
		s = strings.Map(func(c rune) rune {
			if strings.ContainsRune(rules.Drop, c) {
				return -1
			}
			return c
		}, s)
	}
	if rest, ok := strings.CutPrefix(s, rules.Prefix); ok && rules.Prefix != "" && !startsThere(s, rules.Prefix, cwd) {
		s = strings.TrimLeft(rest, "/") // what remains starts from the working folder
	}
	if !rules.Percent || !strings.Contains(s, "%") {
		return s
	}
	if in, ok := percentDecoded(cwd); !ok || in != cwd && isRelative(s) { // the client decodes the whole path
		s = path.Join(cwd, s)
	}
	s, _ = percentDecoded(s)
	return s
}

// startsThere reports whether a path with a prefix, or its first name, exists as it is written.
func startsThere(s, prefix, cwd string) bool {
	first := s
	if name, _, more := strings.Cut(s, "/"); more && name != prefix {
		first = name
	}
	_, err := os.Lstat(filepath.Join(cwd, first))
	return err == nil
}

// percentDecoded decodes %XX as JavaScript's decodeURIComponent does; ok is false and the
// text unchanged if it throws.
func percentDecoded(s string) (decoded string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+3 > len(s) {
			return s, false
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return s, false
		}
		b.WriteByte(byte(n))
		i += 2
	}
	if !utf8.ValidString(b.String()) {
		return s, false
	}
	return b.String(), true
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
func startIn(r *run, c *schema.Call, spec *process.Spec, project string) string {
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

// folderFor returns the first folder that exists: a guard must run even if the call's
// folder is wrong or gone.
func folderFor(r *run, c *schema.Call, wanted string) string {
	for _, dir := range []string{wanted, c.Project, r.places.Env.Get("PWD"), r.places.Home} {
		if dir != "" && discover.IsFolder(dir) {
			return dir
		}
	}
	return ""
}

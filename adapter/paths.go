package adapter

import (
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// fileKinds are the tools of which an agent shows its hooks the whole path,
// however the model has written it (observed Claude Code 2.1.328, Cursor SDK
// 1.0.32). Qoder passes on what the model wrote, so that "../secret" would slip
// past a guard of theirs.
var fileKinds = []schema.Kind{schema.Read, schema.Write, schema.Edit, schema.MultiEdit, schema.Delete, schema.Notebook}

// wholePaths makes the paths of a call, and of its result, absolute, as the agent
// of the hooks would show them.
func wholePaths(c *schema.Call, hooks Dialect) {
	if !slices.ContainsFunc(c.Tool.Kinds, func(k schema.Kind) bool { return slices.Contains(fileKinds, k) }) {
		return
	}
	cleans := hooks.Profile().CleansPaths
	for _, args := range []schema.Args{c.Tool.Input, c.Tool.Output} {
		for i := range args {
			s, ok := ordjson.String(args[i].Raw)
			switch {
			case !ok || args[i].Role != schema.RolePath:
			case isRelative(s) && path.IsAbs(c.Cwd):
				args[i].Raw = ordjson.AppendString(nil, path.Join(c.Cwd, s))
			case cleans && path.IsAbs(s) && path.Clean(s) != s:
				args[i].Raw = ordjson.AppendString(nil, path.Clean(s))
			}
		}
	}
}

// isRelative reports whether a path starts from the working folder on any system.
func isRelative(s string) bool {
	return s != "" && !strings.ContainsAny(s[:1], `/\~$`) && !(len(s) > 1 && s[1] == ':')
}

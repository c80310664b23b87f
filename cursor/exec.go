package cursor

import (
	"cmp"
	"path/filepath"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Spec prepares a command hook as Cursor starts it (observed SDK 1.0.32): a
// login shell, in the workspace for project hooks and in ~/.cursor for the
// user's.
func (d Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	version := c.Version
	if version == "" || c.Dialect != "cursor" {
		version = d.version()
	}
	set := []schema.EnvVar{
		{Name: "CURSOR_PROJECT_DIR", Value: c.Project},
		{Name: "CURSOR_VERSION", Value: version},
		{Name: "CLAUDE_PROJECT_DIR", Value: c.Project}, // the client sets it too
	}
	if s := c.Str(schema.FieldUser); s != "" {
		set = append(set, schema.EnvVar{Name: "CURSOR_USER_EMAIL", Value: s})
	}
	if s := c.Str(schema.FieldTranscript); s != "" {
		set = append(set, schema.EnvVar{Name: "CURSOR_TRANSCRIPT_PATH", Value: s})
	}
	if s := c.RemoteFor("cursor"); s != "" {
		set = append(set, schema.EnvVar{Name: remoteVariable, Value: s})
	}
	if h.Source.Scope == schema.ScopePlugin {
		set = append(set, schema.EnvVar{Name: "CURSOR_PLUGIN_ROOT", Value: h.Source.Plugin}, schema.EnvVar{Name: "CLAUDE_PLUGIN_ROOT", Value: h.Source.Plugin})
	}
	s := process.Spec{Dir: c.Project, Env: p.Env.With(hookVariables.Has, set...)}
	switch h.Source.Scope {
	case schema.ScopeUser:
		s.Dir = filepath.Join(p.Home, ".cursor")
	case schema.ScopeManaged, schema.ScopeTeam:
		s.Dir = filepath.Dir(h.Source.File)
	case schema.ScopePlugin:
		if h.Native != "stop" && h.Native != "subagentStop" {
			s.Dir = h.Source.Plugin
		}
	}
	s.Argv = dialect.Argv(h, h.Command, cmp.Or(p.Env.Get("SHELL"), "/bin/sh"), "-lc")
	if p.OS == "windows" {
		s.Argv = dialect.Argv(h, h.Command, "powershell", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command")
	}
	return s, nil
}

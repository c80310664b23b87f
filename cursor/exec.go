package cursor

import (
	"path/filepath"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Spec prepares a command hook as Cursor starts it (observed SDK 1.0.32): a
// login shell, in the workspace for project hooks and in ~/.cursor for the
// user's.
func (d Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	version := d.version()
	if c.Dialect == name && c.Version != "" {
		version = d.versionOf(c.Version)
	}

	// The client sets Claude Code's variables too.
	set := append(schema.Vars("CURSOR_PROJECT_DIR", c.Project, "CURSOR_VERSION", version, "CLAUDE_PROJECT_DIR",
		c.Project),
		schema.GivenVars("CURSOR_USER_EMAIL", c.Str(schema.FieldUser), "CURSOR_TRANSCRIPT_PATH",
			c.Str(schema.FieldTranscript), remoteVariable, d.remote(c))...)
	if root := h.Source.Plugin; h.Source.Scope == schema.ScopePlugin {
		set = append(set, schema.Vars("CURSOR_PLUGIN_ROOT", root, "CLAUDE_PLUGIN_ROOT", root)...)
	}

	s := process.Spec{Dir: c.Project, Env: p.Env.With(profile.HostVariables.Has, set...)}
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
	s.Argv = dialect.Argv(h, h.Command, dialect.UserShell(p), "-lc")
	if p.OS == "windows" {
		s.Argv = dialect.PowerShell(h, h.Command, "powershell", "-NoProfile", "-NonInteractive", "-ExecutionPolicy",
			"Bypass", "-Command")
	}
	return s, nil
}

// remote returns a hook's value of remoteVariable, converted from other versions' form.
func (d Dialect) remote(c *schema.Call) string {
	old := oldWords(d.Version)
	switch was := oldWords(c.Version); {
	case c.Remote == "" || c.Dialect == name && (!d.Profile().Fixed() || was == old):
		return c.Remote
	case old:
		return c.Project
	}
	return "true"
}

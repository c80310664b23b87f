package cursor

import (
	"cmp"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

const defaultTimeout = 60 * time.Second // observed SDK 1.0.32: killed at 60.4 s

// Timeout returns how long a hook may run.
func (Dialect) Timeout(h *schema.Hook) time.Duration {
	if h.Timeout > 0 {
		return h.Timeout
	}
	return defaultTimeout
}

// ParseEnvFile is never asked: there is no such file.
func (Dialect) ParseEnvFile(string, schema.Environ) ([]schema.EnvVar, schema.Diagnostics) {
	return nil, nil
}

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
	if h.Args != nil { // given on the command line: hooks.json has no such form
		s.Argv = append([]string{h.Command}, h.Args...)
		return s, nil
	}
	if p.OS == "windows" {
		s.Argv = []string{"powershell", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-Command", h.Command}
		return s, nil
	}
	s.Argv = []string{cmp.Or(p.Env.Get("SHELL"), "/bin/sh"), "-lc", h.Command}
	return s, nil
}

// Key tells hooks apart. Cursor runs every entry of its own files; only an
// imported entry is dropped for an equal one, so the place is part of the key.
func (Dialect) Key(h *schema.Hook) string {
	return strings.Join([]string{h.Source.File, h.Path, h.Command, h.Prompt}, "\x00")
}

// Refusal is what a model's "no" means.
func (Dialect) Refusal(h *schema.Hook, v schema.View, reason string) schema.Reply {
	if row := rowOf(v.Event); row == nil || row.Blocks == 0 {
		return schema.Reply{}
	}
	return schema.Reply{Verdict: schema.Deny, Reason: reason}
}

// At returns the dialect at a version.
func (Dialect) At(version string) any { return Dialect{Version: version} }

package claude

import (
	"cmp"
	"errors"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// remoteVariable is "true" for hooks of sessions in the cloud (docs 2026-08).
const remoteVariable = "CLAUDE_CODE_REMOTE"

const sessionVariable = "CLAUDE_CODE_SESSION_ID"

// environmentOf returns a hook's own variables other than the project's.
func environmentOf(c *schema.Call) []schema.EnvVar {
	return append(schema.Vars("CLAUDECODE", "1", "CLAUDE_CODE_ENTRYPOINT", "hookbridge",
		"COREPACK_ENABLE_AUTO_PIN", "0", "NoDefaultCurrentDirectoryInExePath", "1"),
		schema.GivenVars(sessionVariable, c.Str(schema.FieldSession), remoteVariable, c.RemoteFor("claude"))...)
}

// Spec prepares a command hook as Claude Code starts it (observed 2.1.328). It runs /bin/sh -c for the shell form and
// the program itself for the exec form, in the session's current folder. A hook with shell "bash" gets /bin/sh too. An
// empty command fails to start, which onFailure may turn into a block.
func (d Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	if h.Command == "" {
		return process.Spec{}, errors.New(d.Data.Title + " can't start an empty command")
	}
	set := schema.Vars(d.Names.Project, c.Project)
	if d.Steps.Environment != nil {
		set = append(set, d.Steps.Environment(c)...)
	}
	s := process.Spec{Dir: c.Cwd}
	if h.Source.Plugin != "" {
		set = append(set, schema.EnvVar{Name: d.Names.Plugin + "ROOT", Value: h.Source.Plugin})
		if dir := d.Names.UserFolder(p); dir != "" && !strings.HasSuffix(h.Source.File, ".md") { // a skill has none
			s.Folders = []string{filepath.Join(dir, "plugins", "data", pluginID(h.Source.Plugin))}
			set = append(set, schema.EnvVar{Name: d.Names.Plugin + "DATA", Value: s.Folders[0]})
		}
	} else if refused := d.Data.Refuses(h); refused != "" {
		return process.Spec{}, errors.New(refused)
	}
	s.Env = p.Env.With(d.hookOnly, set...)
	if s.Argv = shellArgv(h, p.OS); h.Args != nil {
		s.Argv = dialect.Filled(h, d.placeholders(set))
	}
	return s, nil
}

// pluginID returns the name of a plugin's own data folder. The name is the plugin's with its market if the root is in
// the client's cache (cache/MARKET/NAME/VERSION), otherwise the name of the root.
func pluginID(root string) string {
	id := filepath.Base(root)
	parts := strings.Split(filepath.ToSlash(filepath.Clean(root)), "/")
	if n := len(parts); n > 4 && parts[n-4] == "cache" {
		id = parts[n-2] + "-" + parts[n-3]
	}
	return dialect.FolderName(id)
}

func shellArgv(h *schema.Hook, os string) []string {
	switch {
	case h.Shell == "powershell" && os == "windows":
		return dialect.PowerShell(h, h.Command, "powershell", "-NoProfile", "-NonInteractive", "-Command")
	case h.Shell == "powershell":
		return dialect.PowerShell(h, h.Command, "pwsh", "-NoProfile", "-NonInteractive", "-Command")
	case os == "windows":
		return []string{"bash", "-c", h.Command}
	}
	return []string{"/bin/sh", "-c", h.Command}
}

// placeholders are replaced in the exec form, where no shell expands them.
func (d Dialect) placeholders(set []schema.EnvVar) *strings.Replacer {
	var pairs []string
	for _, v := range set {
		if v.Name == d.Names.Project || d.Names.Plugin != "" && strings.HasPrefix(v.Name, d.Names.Plugin) {
			pairs = append(pairs, "${"+v.Name+"}", v.Value)
		}
	}
	return strings.NewReplacer(pairs...)
}

// hookOnly reports whether a variable describes one hook run of this agent and must not leak into another.
func (d Dialect) hookOnly(name string) bool {
	return d.Names.Leaks(name) || strings.HasPrefix(name, "OTEL_") // the agent's telemetry (docs 2026-08)
}

// key identifies a hook: of several equal keys of one event one runs. Timeout, status and async make no difference,
// copies of a plugin do (observed 2.1.328).
func key(h *schema.Hook) string {
	shell := cmp.Or(h.Shell, "bash")
	parts := []string{h.Handler.String(), h.Command, h.URL, h.Prompt, h.Server, h.ToolRef, string(h.Input), shell,
		h.Condition, h.Source.Plugin}
	if h.Args != nil {
		parts = append(append(parts, "args"), h.Args...)
	}
	return strings.Join(parts, "\x00")
}

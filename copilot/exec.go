package copilot

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Spec prepares a command hook as Copilot starts it (observed 1.0.102): bash -c in the
// root of the project, a plugin's in its own folder.
func (d Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	if h.Handler != schema.HandlerCommand {
		return process.Spec{}, errors.New("only command hooks can run outside Copilot")
	}
	dir := c.Project
	var set []schema.EnvVar
	if !d.onCode() {
		set = append(set, schema.EnvVar{Name: "COPILOT_PROJECT_DIR", Value: c.Project}, schema.EnvVar{Name: "CLAUDE_PROJECT_DIR", Value: c.Project},
			schema.EnvVar{Name: "COPILOT_CLI", Value: "1"})
		if h.Source.File != "" && kindOf(h.Source) == hooksFile {
			set = append(set, schema.EnvVar{Name: "COPILOT_HOOK_DIR", Value: filepath.Dir(h.Source.File)})
		}
	}
	if root := h.Source.Plugin; root != "" {
		dir = root
		for _, name := range []string{"PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"} {
			set = append(set, schema.EnvVar{Name: name, Value: root})
		}
	}
	s := process.Spec{Dir: d.folder(h, c, dir, p), Env: p.Env.With(profile.HostVariables.Has, set...).With(nil, h.Env...)}
	switch shell := "/bin/bash"; {
	case h.Args != nil:
		s.Argv = append([]string{h.Command}, h.Args...)
	case h.Shell == "powershell" && p.OS == "windows", p.OS == "windows":
		s.Argv = []string{"powershell", "-NoProfile", "-Command", h.Command}
	case h.Shell == "powershell":
		s.Argv = []string{"pwsh", "-NoProfile", "-Command", h.Command}
	case d.onCode():
		s.Argv = []string{"sh", "-c", h.Command}
	default:
		if _, err := os.Stat(shell); err != nil {
			shell = "bash"
		}
		s.Argv = []string{shell, "-c", h.Command}
	}
	return s, nil
}

// folder is where a hook runs: its own cwd is relative to the project's root.
func (Dialect) folder(h *schema.Hook, c *schema.Call, dir string, p schema.Places) string {
	cwd, _ := h.Extra.Text("cwd")
	switch {
	case cwd == "":
		return dir
	case filepath.IsAbs(cwd):
		return cwd
	case strings.HasPrefix(cwd, "~/") && p.Home != "":
		return filepath.Join(p.Home, cwd[2:])
	}
	return filepath.Join(c.Project, cwd)
}

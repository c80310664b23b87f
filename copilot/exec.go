package copilot

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
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
	var folders []string
	var set []schema.EnvVar
	if !d.onCode() {
		set = schema.Vars("COPILOT_PROJECT_DIR", c.Project, "CLAUDE_PROJECT_DIR", c.Project, "COPILOT_CLI", "1")
		if h.Source.File != "" && (kindOf(h.Source) == hooksFile || h.Source.Plugin != "") {
			set = append(set, schema.EnvVar{Name: "COPILOT_HOOK_DIR", Value: filepath.Dir(h.Source.File)})
		}
	}
	if root := h.Source.Plugin; root != "" {
		dir = root
		set = append(set, schema.Vars("PLUGIN_ROOT", root, "COPILOT_PLUGIN_ROOT", root, "CLAUDE_PLUGIN_ROOT", root)...)
		if data := dataFolder(root, p); data != "" {
			folders = []string{data}
			set = append(set, schema.Vars("COPILOT_PLUGIN_DATA", data, "CLAUDE_PLUGIN_DATA", data)...)
		}
	}

	s := process.Spec{Dir: d.folder(h, c, dir, p), Folders: folders, Env: p.Env.With(profile.HostVariables.Has,
		set...).With(nil, h.Env...)}
	switch {
	case p.OS == "windows":
		s.Argv = dialect.Argv(h, h.Command, "powershell", "-NoProfile", "-Command")
	case h.Shell == "powershell":
		s.Argv = dialect.Argv(h, h.Command, "pwsh", "-NoProfile", "-Command")
	case d.onCode():
		s.Argv = dialect.Argv(h, h.Command, "sh", "-c")
	default:
		s.Argv = dialect.Argv(h, h.Command, dialect.Bash(), "-c")
	}

	return s, nil
}

// dataFolder is a plugin's own folder for data: called by its marketplace and name, as
// its folder among the installed plugins is (observed 1.0.102). It is "" without a home.
func dataFolder(root string, p schema.Places) string {
	home := homeOf(p)
	if home == "" {
		return ""
	}
	market, name := filepath.Split(filepath.Clean(root))
	if market = filepath.Clean(market); filepath.Base(filepath.Dir(market)) == "installed-plugins" {
		name = filepath.Join(filepath.Base(market), name)
	} else {
		name = filepath.Join("_direct", name)
	}
	return filepath.Join(home, "plugin-data", name)
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

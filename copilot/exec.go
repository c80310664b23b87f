package copilot

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Spec prepares a command hook as Copilot starts it (observed 1.0.102): bash -c in the root of the project. A plugin's
// hook starts in the plugin's folder, which is also filled into its texts.
func (d Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	if h.Handler != schema.HandlerCommand {
		return process.Spec{}, errors.New("only command hooks can run outside Copilot")
	}

	dir, one := c.Project, *h
	for _, own := range []string{"powershell", "windows"} {
		if command, ok := h.Extra.Text(own); ok && p.OS == "windows" {
			one.Command = command
		}
	}
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
		data := dataFolder(root, p)
		if data != "" {
			folders = []string{data}
			set = append(set, schema.Vars("COPILOT_PLUGIN_DATA", data, "CLAUDE_PLUGIN_DATA", data)...)
		}
		if !d.onCode() {
			one = filled(&one, root, data)
		}
	}

	s := process.Spec{Dir: d.folder(&one, c, dir, p), Folders: folders, Env: p.Env.With(profile.HostVariables.Has,
		set...).With(nil, one.Env...)}
	switch {
	case p.OS == "windows":
		s.Argv = dialect.PowerShell(&one, one.Command, "powershell", "-NoProfile", "-Command")
	case h.Shell == "powershell":
		s.Argv = dialect.PowerShell(&one, one.Command, "pwsh", "-NoProfile", "-Command")
	case d.onCode():
		s.Argv = dialect.Argv(&one, one.Command, "sh", "-c")
	default:
		s.Argv = dialect.Argv(&one, one.Command, dialect.Bash(), "-c")
	}

	return s, nil
}

// filled returns a plugin's hook with the plugin's folders in its command, its cwd and its variables, even in single
// quotes. Other names of the folders, and names without braces, are left to the shell (observed 1.0.102).
func filled(h *schema.Hook, root, data string) schema.Hook {
	pairs := []string{"${PLUGIN_ROOT}", root, "${CLAUDE_PLUGIN_ROOT}", root}
	if data != "" {
		pairs = append(pairs, "${COPILOT_PLUGIN_DATA}", data, "${CLAUDE_PLUGIN_DATA}", data)
	}

	one, fill := *h, strings.NewReplacer(pairs...)
	argv := dialect.Filled(h, fill)
	if one.Command = argv[0]; h.Args != nil {
		one.Args = argv[1:]
	}
	one.Env = lists.Map(h.Env, func(v schema.EnvVar) schema.EnvVar {
		v.Value = fill.Replace(v.Value)
		return v
	})
	one.Extra = lists.Map(h.Extra, func(m ordjson.Member) ordjson.Member {
		if text, ok := ordjson.String(m.Value); ok && m.Name == "cwd" {
			m.Value = ordjson.AppendString(nil, fill.Replace(text))
		}
		return m
	})
	return one
}

// dataFolder returns a plugin's own folder for data, named by its marketplace and name, like its installation folder
// (observed 1.0.102). It is "" without a home.
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

// folder returns the folder in which a hook runs: its own cwd is relative to the project's root.
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

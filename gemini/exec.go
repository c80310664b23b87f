package gemini

import (
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// Spec prepares a command hook as the client starts it (observed 0.61.0): bash -c in the project. In the command's
// text, five variables are replaced by their quoted value before the shell reads it, even inside quotes.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	session := c.Str(schema.FieldSession)
	plans := filepath.Join(p.Home, folder, "tmp", filepath.Base(c.Project), session, "plans")
	set := schema.Vars("GEMINI_PROJECT_DIR", c.Project, "GEMINI_CWD", c.Project, "GEMINI_PLANS_DIR", plans,
		"GEMINI_SESSION_ID", session, claudeFolder, c.Project)
	s := process.Spec{Dir: c.Project, Env: p.Env.With(profile.HostVariables.Has, set...).With(nil, h.Env...)}
	command := h.Command
	if root := h.Source.Plugin; root != "" {
		command = strings.NewReplacer("${extensionPath}", root, "${workspacePath}", c.Project,
			"${/}", string(filepath.Separator), "${pathSeparator}", string(filepath.Separator)).Replace(command)
	}
	for _, v := range set {
		command = strings.ReplaceAll(command, "$"+v.Name, shell.Quote(v.Value))
	}
	s.Argv = dialect.Argv(h, command, "bash", "-c")
	if p.OS == "windows" {
		s.Argv = dialect.PowerShell(h, command, "powershell.exe", "-NoProfile", "-Command")
	}
	return s, nil
}

// claudeFolder is a variable that the client sets for hooks that were written for
// Claude Code.
const claudeFolder = "CLAUDE_PROJECT_DIR"

// key identifies a hook: of several with one name and one command the first runs, whatever their file or group
// (observed 0.61.0).
func key(h *schema.Hook) string { return hookName(h) + "\x00" + h.Command }

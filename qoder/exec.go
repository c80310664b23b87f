package qoder

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// checkedVersion is the version in a hook's payload if the host isn't Qoder.
const checkedVersion = "1.1.52"

// Spec prepares a command hook as the CLI starts it (observed 1.1.52). It runs bash -c for the shell form and the
// program itself for the exec form, in the session's current folder. In both forms, ${QODER_PROJECT_DIR} and similar
// variables are replaced before anything runs.
func (d Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	if refused := d.Data.Refuses(h); refused != "" {
		return process.Spec{}, errors.New(refused)
	}

	dirs := d.folders(h, c, p)
	set := slices.Concat(dirs, schema.Vars("QODER_HOOK_SOURCE", "cli", "QODER_HOOK_VERSION", d.clientVersion(),
		"QODER_SITE", cmp.Or(p.Env.Get(siteVariable), "GLOBAL")))
	switch d.on {
	case ide:
		set = ideSet(c)
	case work: // none is documented
		set = nil
	}

	env := p.Env.With(ownVariable, set...).With(nil, h.Env...) // the entry's own variables come last
	var pairs []string
	for _, v := range dirs {
		pairs = append(pairs, "${"+v.Name+"}", v.Value)
	}
	fill := strings.NewReplacer(pairs...)
	s := process.Spec{Dir: c.Cwd, Env: env}
	if data := d.dataFolder(h.Source.Plugin, p); h.Source.Plugin != "" && data != "" {
		s.Folders = []string{data}
	}
	if s.Argv = shellArgv(h, p.OS, fill); h.Args != nil {
		s.Argv = dialect.Filled(h, fill)
	}
	return s, nil
}

// folders are the folder variables of a hook, with both families of names.
func (d Dialect) folders(h *schema.Hook, c *schema.Call, p schema.Places) []schema.EnvVar {
	dirs := schema.Vars("QODER_PROJECT_DIR", c.Project, "CLAUDE_PROJECT_DIR", c.Project)
	root := h.Source.Plugin
	if root == "" {
		return dirs
	}
	data := d.dataFolder(root, p)
	return append(dirs, schema.GivenVars("QODER_PLUGIN_ROOT", root, "CLAUDE_PLUGIN_ROOT", root,
		"QODER_PLUGIN_DATA", data, "CLAUDE_PLUGIN_DATA", data)...)
}

func (d Dialect) clientVersion() string {
	if d.Data.Version != "" && d.Data.Version[0] >= '0' && d.Data.Version[0] <= '9' {
		return d.Data.Version
	}
	return checkedVersion
}

// ideSet are the variables of the IDE. The last one is the file that a tool works on (docs 2026-07).
func ideSet(c *schema.Call) []schema.EnvVar {
	return append(schema.Vars("QODER_SESSION_ID", c.Str(schema.FieldSession), "QODER_TOOL_NAME", c.Tool.Name,
		"QODER_CWD", c.Cwd, "QODER_TRANSCRIPT_PATH", c.Str(schema.FieldTranscript)),
		schema.GivenVars("QODER_TOOL_INPUT_FILE_PATH", c.Tool.Input.Text(schema.RolePath))...)
}

// shellArgv returns the command line for the shell form. PowerShell gets the command unchanged; an unknown shell is
// replaced by bash (observed 1.1.52).
func shellArgv(h *schema.Hook, os string, fill *strings.Replacer) []string {
	if h.Shell == "powershell" {
		exe := "pwsh"
		if os == "windows" {
			exe = "powershell.exe"
		}
		return []string{exe, "-NoProfile", "-NonInteractive", "-Command",
			h.Command + "; if ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }"}
	}
	return []string{"bash", "-c", fill.Replace(h.Command)}
}

// ownVariable reports whether a variable describes one hook run of this agent and must not leak into another.
func ownVariable(name string) bool {
	switch name {
	case "QODER_ENV_FILE", "QODER_PLUGIN_ROOT", "QODER_PLUGIN_DATA", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA",
		"CLAUDE_ENV_FILE", "QODER_CWD":
		return true
	}
	return slices.Contains(ideVariables(), name)
}

// key identifies a hook: equal keys of one event run once, in whatever file they are (package 1.1.52). For a prompt
// only the beginning counts, for an HTTP hook the address.
func key(h *schema.Hook) string {
	parts := []string{h.Handler.String()}
	switch h.Handler {
	case schema.HandlerCommand:
		parts = append(parts, h.Source.Plugin)
		if h.Args != nil {
			parts = append(append(parts, "exec", h.Command), h.Args...)
		} else {
			parts = append(parts, cmp.Or(h.Shell, "bash"), h.Command)
		}
	case schema.HandlerHTTP:
		parts = append(parts, h.URL)
	default:
		units := utf16.Encode([]rune(h.Prompt))
		parts = append(parts, string(utf16.Decode(units[:min(len(units), promptKey)])))
	}
	return strings.Join(append(parts, h.Condition), "\x00")
}

const promptKey = 64

package opencode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

var _ dialect.Importer = Dialect{}

// shims are published plugins that run Claude Code's hooks by themselves (read 2026-11).
var shims = []string{"oh-my-opencode", "oh-my-openagent", "opencode-claude-code-hooks"}

// Imported lists Claude Code's files where another plugin runs their hooks too: one of
// shims in the settings, or a file in a plugin folder that reads them.
func (d Dialect) Imported(p schema.Places, read dialect.ReadFile) (files []string) {
	if !slices.ContainsFunc(d.settings(p), func(file string) bool { text, _ := read(file); return namesShim(text) }) &&
		!d.hasShim(p, read) {
		return nil
	}
	for _, root := range []string{p.Project, p.Home} {
		for _, name := range []string{"settings.json", "settings.local.json"} {
			file := filepath.Join(root, ".claude", name)
			if _, err := read(file); err == nil && root != "" {
				files = append(files, file)
			}
		}
	}
	return files
}

// namesShim reports whether the member plugin of a settings file names a shim.
func namesShim(settings []byte) bool {
	o, _, _ := ordjson.ParseLast(ordjson.BlankComments(settings))
	plugins, _ := o.Elements("plugin")
	return slices.ContainsFunc(plugins, func(m ordjson.Member) bool {
		return slices.ContainsFunc(shims, func(s string) bool { return strings.Contains(string(m.Value), s) })
	})
}

// hasShim reports whether a plugin folder has a plugin of another's that reads hook files.
func (d Dialect) hasShim(p schema.Places, read dialect.ReadFile) bool {
	return slices.ContainsFunc(d.Locate(p), func(s schema.Source) bool {
		folder, _ := os.ReadDir(filepath.Dir(s.File))
		return slices.ContainsFunc(folder, func(e os.DirEntry) bool {
			text, _ := read(filepath.Join(filepath.Dir(s.File), e.Name()))
			return e.Name() != fileName && strings.Contains(string(text), "PreToolUse") &&
				strings.Contains(string(text), ".claude")
		})
	})
}

// Import reports whether such plugins run a hook.
func (Dialect) Import(h schema.Hook) (schema.Hook, bool) {
	runs := []schema.Event{schema.PreTool, schema.PostTool, schema.PromptSubmit, schema.Stop}
	return h, h.Handler == schema.HandlerCommand && slices.Contains(runs, h.Event)
}

// AlwaysImports reports that a plugin that is there runs them.
func (Dialect) AlwaysImports() bool { return true }

// ImportSwitch says how that is switched off.
func (Dialect) ImportSwitch() string {
	return "remove the other plugin from opencode.json or from the plugin folder"
}

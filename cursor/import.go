package cursor

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Imported lists the files of other agents that Cursor loads by itself: a
// settings file counts only if a group of it has a matcher, and the project's only if no
// symbolic link leads to it (observed SDK 1.0.32).
func (Dialect) Imported(p schema.Places, read func(string) ([]byte, error)) (files []string) {
	for _, f := range []string{".claude/settings.local.json", ".claude/settings.json"} {
		for _, root := range []string{p.Project, p.Home} {
			if root == "" || root == p.Home && f != ".claude/settings.json" {
				continue
			}
			file := filepath.Join(root, filepath.FromSlash(f))
			text, err := read(file)
			if err == nil && strings.Contains(string(text), `"matcher"`) &&
				(root != p.Project || !dialect.Linked(root, file)) {
				files = append(files, file)
			}
		}
	}
	return files
}

// AlwaysImports is so in the SDK (observed SDK 1.0.32).
func (d Dialect) AlwaysImports() bool {
	p := d.Profile().Program
	return p != nil && p.Name == sdk
}

// ImportSwitch names the setting (documented; older versions call it "Include
// third-party Plugins, Skills, and other configs").
func (Dialect) ImportSwitch() string { return "Settings, Agents, Third-Party Imports" }

// Import returns the hook of a file that Cursor imports as Cursor runs it: commands and prompts on eight
// events, without arguments, conditions and background runs (observed SDK 1.0.32).
func (d Dialect) Import(h schema.Hook) (own schema.Hook, ok bool) {
	if h.Handler != schema.HandlerCommand && h.Handler != schema.HandlerPrompt || !slices.Contains(imported, h.Event) {
		return own, false
	}
	endless := -1
	own = schema.Hook{Event: h.Event, Native: d.Profile().Generic(h.Event), Handler: h.Handler, Command: h.Command,
		Prompt: h.Prompt, Timeout: h.Timeout,
		LoopLimit: &endless, Source: h.Source, Path: h.Path, Line: h.Line, Col: h.Col}
	if h.Matcher == "" || !h.Event.IsTool() {
		return own, own.Native != ""
	}
	names := strings.Split(h.Matcher, "|")
	for i, name := range names {
		names[i] = importedTool(name)
	}
	own.Matcher, own.HasMatcher = strings.Join(slices.DeleteFunc(names, func(s string) bool { return s == "" }), "|"),
		true
	return own, own.Native != "" && own.Matcher != ""
}

// importedTool is what Cursor makes of a name in a matcher that it imports: "" if it drops the name. A tool of a
// server loses the server.
func importedTool(name string) string {
	switch name {
	case "Bash":
		return "Shell"
	case "Edit":
		return "Write"
	case "Glob":
		return ""
	}
	if parts := strings.SplitN(name, "__", 3); len(parts) == 3 && parts[0] == "mcp" {
		return mcpPrefix + parts[2]
	}
	return name
}

var imported = []schema.Event{schema.PreTool, schema.PostTool, schema.PromptSubmit, schema.Stop, schema.SubagentStop,
	schema.SessionStart, schema.SessionEnd, schema.PreCompact}

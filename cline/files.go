package cline

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// endings are the suffixes of the names of hooks.
var endings = []string{"", ".sh", ".bash", ".zsh", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".py", ".ps1"}

// folders are the folders of hooks. hookbridge's own hooks are in the first folder of a scope.
func folders(p schema.Places) (out []schema.Source) {
	if p.Project != "" {
		for _, dir := range []string{".clinerules", ".cline"} {
			out = append(out, schema.Source{File: filepath.Join(p.Project, dir, "hooks"), Scope: schema.ScopeProject})
		}
	}
	if p.Home != "" {
		for _, dir := range []string{filepath.Join(".cline", "hooks"), filepath.Join("Documents", "Cline", "Hooks")} {
			out = append(out, schema.Source{File: filepath.Join(p.Home, dir), Scope: schema.ScopeUser})
		}
	}
	return out
}

// Locate lists hookbridge's own file of each scope, whether it exists or not, before the other hooks. These are in
// order of their paths, which is the order in which they run.
func (Dialect) Locate(p schema.Places) (out []schema.Source) {
	scope := schema.Scope(0)
	for i, f := range folders(p) {
		if i == 0 || f.Scope != scope {
			own := f
			own.File = filepath.Join(f.File, ownName(f.File, events[0].Native))
			out = append(out, own)
		}
		scope = f.Scope
		entries, _ := os.ReadDir(f.File)
		for _, e := range entries {
			s := f
			s.File = filepath.Join(f.File, e.Name())
			isOwn := slices.ContainsFunc(out, func(o schema.Source) bool { return o.File == s.File })
			if e.Type().IsRegular() && eventNamed(e.Name()) != "" && !isOwn {
				out = append(out, s)
			}
		}
	}
	return out
}

// ownName returns the name of hookbridge's file for an event in a folder: its current one, or the first free one.
func ownName(folder, native string) string {
	free := ""
	for _, ending := range endings {
		text, err := os.ReadFile(filepath.Join(folder, native+ending))
		switch {
		case err == nil && isOurs(text):
			return native + ending
		case os.IsNotExist(err) && free == "":
			free = native + ending
		}
	}
	return cmp.Or(free, native)
}

// eventNamed returns the event of a hook file's name, in any case, "" if it isn't a hook.
func eventNamed(file string) string {
	ending := strings.ToLower(filepath.Ext(file))
	if !slices.Contains(endings, ending) {
		return ""
	}
	base := file[:len(file)-len(ending)]
	for _, native := range append([]string{"PreCompact", "TaskResume", "TaskCancel", "TaskError"},
		natives()...) {
		if strings.EqualFold(base, native) {
			return native
		}
	}
	return ""
}

func natives() (names []string) {
	for i := range events {
		names = append(names, events[i].Native)
	}
	return names
}

// Servers reads the MCP servers of the user's settings (program 3.0.65).
func (Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	if p.Home == "" {
		return nil
	}
	file := filepath.Join(p.Home, ".cline", "data", "settings", "cline_mcp_settings.json")
	return dialect.ServersIn([]string{file}, read, "mcpServers")
}

// Resolve combines the hooks of all files: they run one after the other.
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	hooks, ds := dialect.Unite(cfgs, nil)
	dialect.RunInOrder(hooks)
	return hooks, ds
}

// ParseConfig reads an executable by its name, hookbridge's own by its entries, or the entries alone.
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	native := eventNamed(filepath.Base(at.File))
	switch document, ours := script.Read(text); {
	case ours:
		cfg, ds := d.parseScript(document, text, at)
		if native != "" { // each copy runs only its part
			cfg.Hooks = partOf(cfg.Hooks, native, filepath.Base(at.File))
		}
		return cfg, ds
	case native == "" || len(text) > 0 && text[0] == '{':
		return d.Agent.ParseConfig(text, at)
	}

	cfg := &schema.Config{Source: at}
	row := d.Row(native)
	if row == nil {
		var ds schema.Diagnostics
		x := ds.Add(schema.CodeSkippedEvent, "", profile.TitleChecked()+" wasn't seen to raise "+native+
			" headless, so this hook is left out")
		x.File, x.Event = at.File, native
		return cfg, ds
	}
	cfg.Hooks = []schema.Hook{{Event: row.Event, Native: native, Handler: schema.HandlerCommand, Source: at,
		Command: start(text, at), Path: "/hooks/" + native + "/0", Line: 1, Col: 1}}
	return cfg, nil
}

// start returns the command that starts an executable as the client does: with the program of its first line, else of
// its suffix, else bash.
func start(text []byte, at schema.Source) string {
	path := at.File
	if dir := filepath.Dir(filepath.Dir(filepath.Dir(path))); at.OfProject() {
		if rel, err := filepath.Rel(dir, path); err == nil {
			path = filepath.ToSlash(rel)
		}
	}
	words := interpreter(text)
	if words == nil {
		words = []string{"bash"}
		for _, row := range programs {
			if slices.Contains(row[1:], strings.ToLower(filepath.Ext(path))) {
				words = strings.Fields(row[0])
			}
		}
	}
	return shell.Join(append(words, path))
}

// programs run files whose first line names no program, by suffix (program 3.0.65).
var programs = [][]string{{"node", ".js", ".mjs", ".cjs"}, {"bun run", ".ts", ".mts", ".cts"}, {"python3", ".py"},
	{"pwsh", ".ps1"}}

// interpreter returns the program of a first line, without env and without the folder of a shell or of Python.
func interpreter(text []byte) []string {
	line, _, _ := strings.Cut(string(text), "\n")
	line, ok := strings.CutPrefix(strings.TrimSpace(line), "#!")
	words := strings.Fields(line)
	for len(words) > 1 && filepath.Base(words[0]) == "env" {
		words = words[1:]
	}
	if !ok || len(words) == 0 || filepath.Base(words[0]) == "env" {
		return nil
	}
	if base := filepath.Base(words[0]); slices.Contains([]string{"bash", "sh", "zsh", "python", "python3"}, base) {
		words[0] = base
	}
	return words
}

// Select selects all: a hook has no matcher and runs for every tool.
func (Dialect) Select(*schema.Hook) schema.Selection { return schema.Selection{All: true, Exact: true} }

// Plan lists the possible places of a hook for its event, without its matcher.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	return d.Agent.Plan(h, schema.Selection{All: true, Exact: sel.All && sel.Exact})
}

// WriteHook writes an entry.
func (d Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	out := *h
	family.JoinArgs(nil, nil, &out, schema.Member{})
	if row := d.Row(e.Native); row == nil || row.Blocks != schema.EffectDeny {
		out.Fail = 0
	}
	value, said = d.WriteFlat(&out)
	return value, said | schema.HookArgs
}

// Spec prepares a command as the client starts its file: in the project.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	command := h.Command
	if h.Fail == schema.FailClosed && h.Args == nil {
		command += orCancel
	}
	return process.Spec{Argv: dialect.Argv(h, command, "/bin/sh", "-c"), Dir: cmp.Or(c.Project, p.Project), Env: p.Env},
		nil
}

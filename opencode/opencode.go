package opencode

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is what the plugin says and does; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{&newest} }

// At returns the dialect at a version or program.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.At(version, func(a *family.Agent) dialect.Dialect {
		if a.Data.Program != nil && a.Data.Program.Name == kilo {
			a.Data.Title = "Kilo Code"
		}
		return Dialect{a}
	})
}

var newest = family.Agent{
	Data: &profile, File: &file, Payload: payload, CallID: "call_", OwnTools: true, Answer: &answer,
	Merging: schema.MergeRules{Separator: "\n", FirstReason: true},
	Steps: family.Steps{Entry: entry, Classify: classify, ReadResult: readResult, Result: appendResult, More: more,
		Decide: decide, Take: take, Fit: fit, Output: output},
}

// program is the name of the program that d is of, in which its folders differ.
func (d Dialect) program() string {
	if d.Data.Program != nil && d.Data.Program.Name == kilo {
		return kilo
	}
	return name
}

const fileName = "hookbridge.js"

// files are where the plugin may be: the program reads both folders.
var files = []family.FileRow{
	{Scope: schema.ScopeUser, Path: "plugin/" + fileName},
	{Scope: schema.ScopeUser, Path: "plugins/" + fileName},
	{Scope: schema.ScopeProject, Path: "plugin/" + fileName},
	{Scope: schema.ScopeProject, Path: "plugins/" + fileName},
}

// Locate lists where the plugin may be.
func (d Dialect) Locate(p schema.Places) []schema.Source {
	project := ""
	if p.Project != "" {
		project = filepath.Join(p.Project, "."+d.program())
	}
	return family.Locate(files, d.userFolder(p), project, p)
}

// userFolder is the program's folder of the user's, "" if nothing says where it is.
func (d Dialect) userFolder(p schema.Places) string {
	config := p.Env.Get("XDG_CONFIG_HOME")
	if config == "" && p.Home != "" {
		config = filepath.Join(p.Home, ".config")
	}
	if config == "" {
		return ""
	}
	return filepath.Join(config, d.program())
}

// settings lists the program's own settings files.
func (d Dialect) settings(p schema.Places) (files []string) {
	for _, dir := range []string{d.userFolder(p), p.Project, filepath.Join(p.Project, "."+d.program())} {
		for _, ending := range []string{".json", ".jsonc"} {
			if dir != "" {
				files = append(files, filepath.Join(dir, name+ending), filepath.Join(dir, d.program()+ending))
			}
		}
	}
	if file := p.Env.Get(strings.ToUpper(d.program()) + "_CONFIG"); file != "" {
		files = append(files, file)
	}
	return slices.Compact(files)
}

// Plugins lists none: the plugin is the hook file.
func (Dialect) Plugins(schema.Places, []*schema.Config, dialect.ReadFile) []schema.Source { return nil }

// Servers lists the configured MCP servers, those with longer names first: the names of
// tools begin with them.
func (d Dialect) Servers(p schema.Places, read dialect.ReadFile) []schema.Server {
	servers := dialect.ServersIn(d.settings(p), read, "mcp")
	slices.SortStableFunc(servers, func(a, b schema.Server) int { return cmp.Compare(len(b.Name), len(a.Name)) })
	return servers
}

// NameServer splits the name of an MCP tool behind that of a configured server.
func (Dialect) NameServer(c *schema.Call, servers []schema.Server) {
	dialect.NameServer(c, servers, func(server string) string { return profile.MCP.Word(server) + "_" })
}

// Resolve unites the entries of all files: every plugin runs.
func (Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	return dialect.Unite(cfgs, nil)
}

// file is how the entries are read.
var file = family.FileRules{Top: []string{}, Missing: family.DropsHandler}

// entry reads one entry.
func entry(p *family.Parser, row *schema.EventRow, m ordjson.Member, path string) {
	o, err := ordjson.Members(m.Value, m.Off)
	h := p.Hook(row, m, path)
	h.Handler = schema.HandlerCommand
	command := o.Str("command")
	if err != nil || command == "" {
		p.Mistake(family.DropsHandler, row, m, path, "the entry has no command")
		return
	}
	h.Command = command
	for _, m := range o {
		seconds, isNumber := ordjson.Float(m.Value)
		closed, isFlag := ordjson.Bool(m.Value)
		switch list := ordjson.Strings(m.Value); {
		case m.Name == "command":
		case m.Name == "args" && list != nil:
			h.Command = strings.Join(lists.Map(append([]string{command}, list...), shell.Quote), " ")
		case m.Name == "timeout" && isNumber && seconds > 0:
			h.Timeout = time.Duration(min(seconds, dialect.LongestTimer.Seconds()) * float64(time.Second))
		case m.Name == "failClosed" && isFlag:
			if closed {
				h.Fail = schema.FailClosed
			}
		default:
			h.Extra = append(h.Extra, m)
			p.Mistake(family.Ignored, row, m, ordjson.Pointer(path, m.Name), m.Name+" has no effect here")
		}
	}
	p.Add(h)
}

// Select returns that an entry runs at every call: it has no matcher.
func (Dialect) Select(*schema.Hook) schema.Selection { return schema.Selection{All: true, Exact: true} }

// Plan lists where a hook for its event can be, without its matcher.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) []schema.Entry {
	return d.Agent.Plan(h, schema.Selection{All: true, Exact: sel.All && sel.Exact})
}

// WriteHook writes an entry. A call of hookbridge starts without a shell.
func (Dialect) WriteHook(_ schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	w := ordjson.NewWriter(nil)
	if words := argv(h); words != nil {
		w.String("command", words[0])
		w.Strings("args", words[1:])
	} else {
		w.String("command", h.Command)
	}
	if h.Timeout > 0 {
		w.Raw("timeout", strconv.AppendFloat(nil, h.Timeout.Seconds(), 'f', -1, 64))
	}
	if h.Fail == schema.FailClosed {
		w.Bool("failClosed", true)
	}
	if h.Handler == schema.HandlerCommand {
		said = schema.HookTimeout | schema.HookFailPolicy | schema.HookArgs
	}
	return w.Bytes(), said
}

// argv is a command that starts without a shell: one with arguments, or a call of
// hookbridge; nil for any other.
func argv(h *schema.Hook) []string {
	if h.Args != nil {
		return append([]string{h.Command}, h.Args...)
	}
	words, plain := shell.Words(h.Command)
	if !plain || len(words) < 2 || strings.TrimSuffix(filepath.Base(words[0]), ".exe") != "hookbridge" {
		return nil
	}
	return words
}

// Spec prepares a command as the plugin starts it: in the folder that OpenCode was
// started for, with OpenCode's environment.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	if h.Handler != schema.HandlerCommand {
		return process.Spec{}, errors.New("the plugin runs commands only")
	}
	s := process.Spec{Argv: argv(h), Dir: c.Project, Env: p.Env}
	switch {
	case s.Argv != nil:
	case p.OS == "windows":
		s.Argv = []string{"cmd.exe", "/d", "/s", "/c", h.Command}
	default:
		s.Argv = []string{"/bin/sh", "-c", h.Command}
	}
	return s, nil
}

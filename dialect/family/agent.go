// Package family implements what the agents share whose hook files look like
//
//	{"hooks": {EVENT: [{"matcher": "...", "hooks": [{"type": "command", ...}]}]}}
//
// and whose hooks answer with hookSpecificOutput: reading and writing such files,
// payloads and answers. What differs between the agents is data in an Agent, or one
// of its steps. The package knows none of them.
package family

import (
	"cmp"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// An Agent is one agent of the family. A dialect embeds it and adds what only its
// agent has. It must not be changed once it is in use.
type Agent struct {
	Data *dialect.Profile
	File *FileRules

	Payload []PayloadRow // members of a payload, in order
	Renames []Rename
	Names   Names
	Files   []FileRow        // hook files, in the order in which they count
	CallID  string           // how the ids of tool calls begin
	Edits   schema.EditNames // members of one of several edits; zero: no tool makes several
	Results []ResultShape
	// ShellErrors: the error of a command that failed begins with its exit code.
	ShellErrors bool
	// FullEdits: the input of an edit always says whether it is for all places.
	FullEdits bool
	// ShowsAlso: before a tool runs, hooks on tools that do the same kind of work are
	// shown the call, as one of theirs.
	ShowsAlso bool

	// GivenAlone: a file that the user named belongs to no plugin, whatever its name is.
	GivenAlone bool

	// KeepsAlias: hooks see the alias of a tool if the model has used it, and matchers
	// are compared with that alone.
	KeepsAlias bool

	// HonoredSince are the effects that not every version honors.
	HonoredSince []EffectSince

	// OwnTools: matchers leave out kinds of work that the agent has no tool for; else
	// they take all tools then.
	OwnTools bool
	Answer   *AnswerRules // of agents whose answers the family writes
	Merging  schema.MergeRules
	Record   TranscriptRules
	Steps    Steps
}

// Names are the names of folders and variables, in which agents with one protocol differ.
type Names struct {
	Folder   string   // of the agent's files in a project, and in the home folder: ".claude"
	User     string   // of the user's files in the home folder, if it isn't Folder
	Home     string   // variable that names the user's folder instead of the one in the home folder
	Project  string   // variable that names the project in a hook's environment; "": the working directory
	Plugin   string   // how the variables of plugins begin: "CLAUDE_PLUGIN_"
	Remote   string   // variable that is "true" for the hooks of sessions in the cloud
	HookOnly []string // variables that describe one run of a hook, and must not reach another agent's
}

// Leaks reports whether a variable describes one run of a hook.
func (n *Names) Leaks(variable string) bool { return slices.Contains(n.HookOnly, variable) }

// UserFolder is the folder of the user's files, "" if nothing says where it is.
func (n *Names) UserFolder(p schema.Places) string {
	return dialect.Home(p, n.Home, cmp.Or(n.User, n.Folder))
}

// ProjectFolder is the folder of the project's files, "" without a project.
func (n *Names) ProjectFolder(p schema.Places) string {
	if p.Project == "" {
		return ""
	}
	return filepath.Join(p.Project, n.Folder)
}

// Steps are what an agent does in a way of its own. Each may be nil: the common
// way.
type Steps struct {
	// Read completes a decoded payload, whose event is known, from its text and the
	// environment.
	Read func(a *Agent, c *schema.Call, o ordjson.Object, env schema.Environ)
	// Version is the version that the environment of a hook names, "" if it doesn't.
	Version func(env schema.Environ) string
	// Event is the event that a file names.
	Event func(native string) *schema.EventRow
	// Entry reads an entry of an event where that is more than a group of handlers.
	Entry func(p *Parser, row *schema.EventRow, m ordjson.Member, path string)
	// Hook completes a hook that a file has as m.
	Hook func(p *Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member)
	// Advise reports what a hook has that doesn't do what it seems to. It is not called
	// on a hook call; see schema.Source.Terse.
	Advise func(p *Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member)
	// Words returns the matcher for values of an event; nil: they are joined.
	Words func(row *schema.EventRow, values []string) (matcher string, exact bool)
	// Classify completes a decoded tool call: its kinds, and input by role.
	Classify func(a *Agent, c *schema.Call)
	// Environment is what the agent adds to the environment of its hooks.
	Environment func(c *schema.Call) []schema.EnvVar
	// Views lists how a tool call is shown; nil: as a tool of each of its kinds.
	Views func(c *schema.Call, native string) []schema.View
	// View completes the view of a call as a tool.
	View func(c *schema.Call, v *schema.View)
	// Input writes tool_input for a view; false: the call's members in the tool's names.
	Input func(dst []byte, c *schema.Call, v schema.View) ([]byte, bool)
	// Unwrap takes an MCP tool's own input out of tool_input, and Wrap puts it there.
	Unwrap func(raw []byte) []byte
	// came is the tool_input that the agent itself sent, nil for another's call.
	Wrap func(dst []byte, tool string, came, raw []byte) []byte
	// Result writes tool_response for a view.
	Result func(dst []byte, c *schema.Call, v schema.View) []byte
	// ReadResult gives a tool_response its roles.
	ReadResult func(k schema.Kind, row *schema.ToolRow, raw []byte) schema.Args
	// More writes further members of a payload.
	More func(w *ordjson.Writer, c *schema.Call, v schema.View)

	// Decide applies the decision of an answer, and that of its hookSpecificOutput.
	Decide func(d *Decoder, word, reason string, specific ordjson.Object) (bad string)
	// Take applies a member of hookSpecificOutput; false: as usual.
	Take func(d *Decoder, name string, raw []byte) bool
	// Knows reports whether another of the agent's programs has an event.
	Knows func(native string) bool
	// Complete adds what the tool of a call demands to a rewritten input, which replaces the whole one.
	Complete func(c *schema.Call, in []byte) []byte
	// Fit is a reply as the agent can be answered on an event.
	Fit func(row *schema.EventRow, r *schema.Reply) *schema.Reply
	// Output names the member for a replaced result and gives it the tool's form.
	Output func(a *Agent, c *schema.Call, raw []byte) (name string, value []byte)
}

// An EffectSince is the version that began to honor an effect on an event; 0: on all.
type EffectSince struct {
	Event  schema.Event
	Effect schema.Feature
	Since  string
}

// TooNew returns the effects that a version doesn't honor yet on an event; an unknown
// version counts as the newest.
func (a *Agent) TooNew(version string, e schema.Event) (f schema.Feature) {
	for _, h := range a.HonoredSince {
		if (h.Event == 0 || h.Event == e) && !schema.Since(version, h.Since) {
			f |= h.Effect
		}
	}
	return f
}

// readAtAll are effects that every version is understood to mean: a decision that is
// stricter in its new words, and the result of MCP tools, which had words of its own before.
const readAtAll = schema.EffectAllow | schema.EffectAsk | schema.EffectOutput

// AsOf returns the agent as of a version or program; see dialect.Profile.At.
func (a *Agent) AsOf(version string) (*Agent, error) {
	p, err := a.Data.At(version)
	if err != nil {
		return nil, err
	}
	if a.HonoredSince != nil {
		p.Narrow(func(row *schema.EventRow) schema.Feature { return a.TooNew(p.AsOf, row.Event) &^ readAtAll })
	}
	out := *a
	out.Data = p
	return &out, nil
}

// At returns the dialect that is made of the agent as of a version.
func (a *Agent) At(version string, of func(*Agent) dialect.Dialect) (dialect.Dialect, error) {
	at, err := a.AsOf(version)
	if err != nil {
		return nil, err
	}
	return of(at), nil
}

// Profile returns the dialect's data.
func (a *Agent) Profile() *dialect.Profile { return a.Data }

// Row returns the event of that name, nil if there is none.
func (a *Agent) Row(native string) *schema.EventRow { return a.Data.Row(native) }

// Tool returns the tool of that name or alias, nil if there is none.
func (a *Agent) Tool(name string) *schema.ToolRow { return a.Data.Tool(name) }

// ToolOf returns the tool that a kind of work is done with, nil if there is none.
func (a *Agent) ToolOf(k schema.Kind) *schema.ToolRow {
	if k == schema.Other || k == schema.MCP {
		return nil
	}
	var common *schema.ToolRow
	for i := range a.Data.Tools {
		switch t := &a.Data.Tools[i]; {
		case !slices.Contains(t.Kinds, k):
		case t.Programs == nil && common == nil:
			common = t
		case a.Data.Program != nil && slices.Contains(t.Programs, a.Data.Program.Name):
			return t
		}
	}
	return common
}

// ArgRows are the input members of a tool, nil if it is not known.
func (a *Agent) ArgRows(tool string) []schema.ArgRow { return a.Tool(tool).InputRows() }

func (a *Agent) owns(c *schema.Call) bool { return c.Dialect == a.Data.Agent() }

// Merge makes one reply of several.
func (a *Agent) Merge(rs []schema.Reply) schema.Reply { return a.Merging.Merge(rs) }

// Given is the source for a file that the user named: a hooks.json in a folder called
// hooks belongs to the plugin around it, unless such a file is none.
func (a *Agent) Given(file string) schema.Source {
	s := schema.Source{File: file, Scope: schema.ScopeGiven}
	isHooks := filepath.Base(file) == "hooks.json" && filepath.Base(filepath.Dir(file)) == "hooks"
	if isHooks && !a.GivenAlone {
		s.Scope, s.Plugin = schema.ScopePlugin, filepath.Dir(filepath.Dir(file))
	}
	return s
}

// Plugins lists nothing: the agent has no plugins with hooks, or none that are read.
func (*Agent) Plugins(schema.Places, []*schema.Config, dialect.ReadFile) []schema.Source { return nil }

// Resolve unites the hooks of all files: every one runs.
func (*Agent) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	return dialect.Unite(cfgs, nil)
}

// A Lazy is an agent that is made once, and only where it is asked for: hook calls of other agents don't pay for it.
type Lazy struct {
	Make func() *Agent

	made atomic.Pointer[Agent]
}

// Agent is the agent, as of its newest version.
func (l *Lazy) Agent() *Agent {
	if l.Make == nil {
		return nil
	}
	if l.made.Load() == nil {
		l.made.CompareAndSwap(nil, l.Make())
	}
	return l.made.Load()
}

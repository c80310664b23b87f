// Package family implements the protocol of agents whose hook files look like
//
//	{"hooks": {EVENT: [{"matcher": "...", "hooks": [{"type": "command", ...}]}]}}
//
// and whose hooks answer with hookSpecificOutput: reading and writing such files, payloads and answers. A difference
// between these agents is data in an Agent, or one of its steps. The package depends on none of them.
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

// An Agent is one agent of the family. A dialect embeds it and adds the parts that only its agent has. It must not be
// changed once it is in use.
type Agent struct {
	Data *dialect.Profile
	File *FileRules

	Payload []PayloadRow // fields of a payload, in order
	Renames []Rename
	Names   Names
	Files   []FileRow        // hook files, in order of precedence
	CallID  string           // prefix of the ids of tool calls
	Edits   schema.EditNames // fields of one of several edits; zero: no tool makes several
	Results []ResultShape
	// ShellErrors: the error of a failed command begins with its exit code.
	ShellErrors bool
	// FullEdits: an edit's input always states whether it applies to all places.
	FullEdits bool
	// ShowsAlso: before a tool runs, hooks on other tools for the same kind of work see the call too, as a call of
	// theirs.
	ShowsAlso bool

	// GivenAlone: a file that the user named belongs to no plugin, whatever its name.
	GivenAlone bool

	// KeepsAlias: hooks see the alias of a tool if the model used it, and only the alias is compared with matchers.
	KeepsAlias bool

	// HonoredSince are the effects that older versions don't honor.
	HonoredSince []EffectSince

	// OwnTools: matchers leave out kinds of work for which the agent has no tool. Otherwise they select all tools then.
	OwnTools bool
	Answer   *AnswerRules // for agents whose answers the family writes
	Merging  schema.MergeRules
	Record   TranscriptRules
	Steps    Steps
}

// Names are the names of folders and variables, in which agents with the same protocol differ.
type Names struct {
	Folder   string   // the agent's files in a project and in the home folder: ".claude"
	User     string   // the user's files in the home folder, if it isn't Folder
	Home     string   // variable with a user folder that replaces the one in the home folder
	Project  string   // variable with the project in a hook's environment; "": the working directory
	Plugin   string   // prefix of the variables of plugins: "CLAUDE_PLUGIN_"
	Remote   string   // variable that is "true" for the hooks of sessions in the cloud
	HookOnly []string // variables that describe one run of a hook, and must not reach another agent's
}

// Leaks reports whether a variable describes one run of a hook.
func (n *Names) Leaks(variable string) bool { return slices.Contains(n.HookOnly, variable) }

// UserFolder returns the folder of the user's files, "" if it isn't known.
func (n *Names) UserFolder(p schema.Places) string {
	return dialect.Home(p, n.Home, cmp.Or(n.User, n.Folder))
}

// ProjectFolder returns the folder of the project's files, "" without a project.
func (n *Names) ProjectFolder(p schema.Places) string {
	if p.Project == "" {
		return ""
	}
	return filepath.Join(p.Project, n.Folder)
}

// Steps are an agent's own versions of steps. A nil step is done the common way.
type Steps struct {
	// Read completes a decoded payload, whose event is known, from its JSON and the environment.
	Read func(a *Agent, c *schema.Call, o ordjson.Object, env schema.Environ)
	// Version returns the version from a hook's environment, "" if it isn't there.
	Version func(env schema.Environ) string
	// Event returns the event for a name in a file.
	Event func(native string) *schema.EventRow
	// Entry reads an entry of an event if it is more than a group of handlers.
	Entry func(p *Parser, row *schema.EventRow, m ordjson.Member, path string)
	// Hook completes a hook whose entry in the file is m.
	Hook func(p *Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member)
	// Advise reports parts of a hook that don't have their apparent effect. It isn't called in a hook call; see
	// schema.Source.Terse.
	Advise func(p *Parser, row *schema.EventRow, h *schema.Hook, m ordjson.Member)
	// Words returns the matcher for values of an event; nil: they are joined.
	Words func(row *schema.EventRow, values []string) (matcher string, exact bool)
	// Classify sets the kinds of a decoded tool call, and its input by role.
	Classify func(a *Agent, c *schema.Call)
	// Environment returns the agent's additions to the environment of its hooks.
	Environment func(c *schema.Call) []schema.EnvVar
	// Views lists the views of a tool call; nil: one for each of its kinds.
	Views func(c *schema.Call, native string) []schema.View
	// View completes the view of a call as a tool.
	View func(c *schema.Call, v *schema.View)
	// Input writes tool_input for a view; false: the caller writes the call's fields under the tool's names.
	Input func(dst []byte, c *schema.Call, v schema.View) ([]byte, bool)
	// Unwrap extracts an MCP tool's own input from tool_input, and Wrap puts it back.
	Unwrap func(raw []byte) []byte
	// came is the tool_input that the agent itself sent, nil for another agent's call.
	Wrap func(dst []byte, tool string, came, raw []byte) []byte
	// Result writes tool_response for a view.
	Result func(dst []byte, c *schema.Call, v schema.View) []byte
	// ReadResult returns a tool_response by role.
	ReadResult func(k schema.Kind, row *schema.ToolRow, raw []byte) schema.Args
	// More writes further fields of a payload.
	More func(w *ordjson.Writer, c *schema.Call, v schema.View)

	// Decide applies the decision of an answer, and the one in its hookSpecificOutput.
	Decide func(d *Decoder, word, reason string, specific ordjson.Object) (bad string)
	// Take applies a field of hookSpecificOutput; false: it is applied the common way.
	Take func(d *Decoder, name string, raw []byte) bool
	// Knows reports whether another of the agent's programs has an event.
	Knows func(native string) bool
	// Complete adds fields that a call's tool requires to a rewritten input, which replaces the whole input.
	Complete func(c *schema.Call, in []byte) []byte
	// Fit returns a reply in the form in which it can answer an event.
	Fit func(row *schema.EventRow, r *schema.Reply) *schema.Reply
	// Output returns the field for a replaced result, and the result in the tool's form.
	Output func(a *Agent, c *schema.Call, raw []byte) (name string, value []byte)
}

// An EffectSince is the first version that honors an effect on an event; 0: on all.
type EffectSince struct {
	Event  schema.Event
	Effect schema.Feature
	Since  string
}

// TooNew returns the effects that a version doesn't honor yet on an event. An unknown version counts as the newest.
func (a *Agent) TooNew(version string, e schema.Event) (f schema.Feature) {
	for _, h := range a.HonoredSince {
		if (h.Event == 0 || h.Event == e) && !schema.Since(version, h.Since) {
			f |= h.Effect
		}
	}
	return f
}

// readAtAll are effects that are read in answers for every version. These are a decision that is stricter in its new
// words, and the result of MCP tools, which had its own words before.
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

// At returns the dialect that of makes from the agent as of a version.
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

// ToolOf returns the tool for a kind of work, nil if there is none.
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

// ArgRows returns the input fields of a tool, nil if it isn't known.
func (a *Agent) ArgRows(tool string) []schema.ArgRow { return a.Tool(tool).InputRows() }

func (a *Agent) owns(c *schema.Call) bool { return c.Dialect == a.Data.Agent() }

// Merge combines several replies into one.
func (a *Agent) Merge(rs []schema.Reply) schema.Reply { return a.Merging.Merge(rs) }

// Given returns the source for a file that the user named. A hooks.json in a folder named hooks belongs to the plugin
// around it, unless plugins of the agent have no such file.
func (a *Agent) Given(file string) schema.Source {
	s := schema.Source{File: file, Scope: schema.ScopeGiven}
	isHooks := filepath.Base(file) == "hooks.json" && filepath.Base(filepath.Dir(file)) == "hooks"
	if isHooks && !a.GivenAlone {
		s.Scope, s.Plugin = schema.ScopePlugin, filepath.Dir(filepath.Dir(file))
	}
	return s
}

// Plugins returns nothing: the agent has no plugins with hooks, or hookbridge doesn't read them.
func (*Agent) Plugins(schema.Places, []*schema.Config, dialect.ReadFile) []schema.Source { return nil }

// Resolve combines the hooks of all files: every one runs.
func (*Agent) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	return dialect.Unite(cfgs, nil)
}

// A Lazy is an agent that is made once, on first use, so that hook calls of other agents don't pay for it.
type Lazy struct {
	Make func() *Agent

	made atomic.Pointer[Agent]
}

// Agent returns the agent, as of its newest version.
func (l *Lazy) Agent() *Agent {
	if l.Make == nil {
		return nil
	}
	if l.made.Load() == nil {
		l.made.CompareAndSwap(nil, l.Make())
	}
	return l.made.Load()
}

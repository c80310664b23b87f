package dialect

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// A Profile is everything about an agent that can be stated as data. Shared code reads it, so that a difference between
// agents is a value here and not a branch there. The zero value of each field means that the agent doesn't have the
// feature.
type Profile struct {
	Name  string // for the command line: "claude"
	Title string // for prose: "Claude Code"
	// HostOnly is the rest of a sentence that begins with Title: why nobody writes hooks for the agent, which only runs
	// those of other agents. "": it has its own hooks. Every command that lists agents reads it.
	HostOnly string

	// Programs run the agent's hooks and differ in what they honor. The first is the default.
	Programs []Program
	// Ways are ways to start the agent in which it does less, the ones without its terminal first; nil: none is known.
	Ways *[]Way

	// Version is the version or program that was passed to At, "" for the newest.
	Version string
	// Known are the newest versions that the tables were checked with, one for each numbering scheme; nil: any version
	// is accepted.
	Known []string
	// Reported: the tables are based on reports about the versions in Known. The agent wasn't run here, so nothing in
	// them counts as observed. One agent's (Antigravity): every sentence that names a version needs it.
	Reported bool
	// Client is the program whose --version prints the agent's version, numbered as in Known; "": there is none.
	Client string
	// AsOf is the version that the Since and Until of rows are compared with; "": the newest, or that of a program with
	// another numbering.
	AsOf string
	// Program is the program this profile describes; nil means the default.
	Program *Program
	agent   string // Name, if Name is a program's whole name

	Events  []schema.EventRow
	Actions *[]Sequence // the events of actions that raise more than one; nil: there are none
	Modes   *[]Mode     // its permission modes; nil: no call is known to need the user's approval
	Tools   []schema.ToolRow
	// PlainTools are names of tools without a row: hooks of all agents see their calls under these names.
	PlainTools []string
	MCP        MCPNames
	// Vocabularies are the closed sets of words in payloads and matchers.
	Vocabularies schema.Vocabularies

	// Grammar is the grammar of matchers, unless the event's row has another.
	Grammar schema.Grammar
	// ValueGrammar is the same for events that don't match tools; 0: Grammar.
	ValueGrammar schema.Grammar
	// Key identifies a hook within one event: of several hooks with equal keys one runs. nil: every entry runs.
	Key func(h *schema.Hook) string

	Files
	Payloads
	Answers
	Timing
	Environment
	Transcript
}

// A VoidMember is a field of one hook that makes an agent skip a whole file of another agent that it would import. The
// other agents ignore it. The zero VoidMember means that there is none.
type VoidMember struct {
	Name, Value string // Value is JSON
	Without     string // what the agent does if an entry of hookbridge can't start
}

// Ours is the value that install writes: the same number as a user's, but in other digits, so that a user's stays.
func (m VoidMember) Ours() []byte { return []byte(m.Value + ".0") }

// Voids reports whether a field has the effect, whoever wrote it.
func (m VoidMember) Voids(name string, value []byte) bool {
	return m.Name != "" && name == m.Name && strings.TrimSuffix(string(value), ".0") == m.Value
}

// Pinned reports whether the user named the version of the profile, so that nothing newer is meant.
func (p *Profile) Pinned() bool { return p.Version != "" && p.Program == nil }

// TitleChecked returns the agent with the version that the tables were checked with, for a sentence about a missing
// feature.
func (p *Profile) TitleChecked() string { return p.Title + p.Checked() }

// Checked returns the version that the tables were checked with, as " as of 1.2.3"; "" if there is none.
func (p *Profile) Checked() string {
	switch {
	case p.Reported:
		return " as reported for " + p.Known[0]
	case p.Pinned():
		return " as of " + p.Version
	case len(p.CheckedWith()) == 0:
		return ""
	}
	return " as of " + p.CheckedWith()[0]
}

// Proviso returns a sentence that the tables are based on reports; "" if they were observed.
func (p *Profile) Proviso() string {
	if !p.Reported {
		return ""
	}
	return "What hookbridge knows of " + p.Title + " is" + p.Checked() + ": nobody compared it with the real client."
}

// CheckedWith returns the newest versions that the tables were checked with: Known, or the version of a program with
// its own name and numbering.
func (p *Profile) CheckedWith() []string {
	if g := p.Program; g != nil && g.FullName != "" && g.Version != "" {
		return []string{g.Version}
	}
	return p.Known
}

// Asked returns the client that prints such a version; "": there is none.
func (p *Profile) Asked() string {
	if p.Program != nil {
		return p.Program.Client
	}
	return p.Client
}

// Full returns the name of the dialect on the command line, with its version or program.
func (p *Profile) Full() string {
	if p.Version == "" {
		return p.Name
	}
	return p.Name + "@" + p.Version
}

// Agent returns the name of the agent, which its calls have: Name, unless that is the whole name of one of its
// programs.
func (p *Profile) Agent() string { return cmp.Or(p.agent, p.Name) }

// Names lists the names of the dialect: its own and those of programs.
func (p *Profile) Names() []string {
	names := []string{p.Name}
	for _, g := range p.Programs {
		if g.FullName != "" {
			names = append(names, g.FullName)
		}
	}
	return names
}

// Row returns the event of that native name, nil if there is none.
func (p *Profile) Row(native string) *schema.EventRow { return schema.RowNamed(p.Events, native) }

// Tool returns the tool with that name, alias or name in older versions; nil if there is none.
func (p *Profile) Tool(name string) *schema.ToolRow {
	return lists.Find(p.Tools, func(t *schema.ToolRow) bool {
		return t.Name == name || slices.Contains(t.Aliases, name) ||
			slices.ContainsFunc(t.Before, func(was schema.Renamed) bool { return was.Name == name })
	})
}

// Matcher compiles a hook's matcher as the agent reads it.
func (p *Profile) Matcher(h *schema.Hook) (*matcher.Matcher, error) {
	return matcher.Compile(p.GrammarOf(h.Native), h.Matcher)
}

// GrammarOf returns the grammar of matchers for the native event.
func (p *Profile) GrammarOf(native string) schema.Grammar {
	switch row := p.Row(native); {
	case row == nil:
		return p.Grammar
	case row.Match == schema.MatchTool:
		return cmp.Or(row.Grammar, p.Grammar)
	default:
		return cmp.Or(row.Grammar, p.ValueGrammar, p.Grammar)
	}
}

// KeyOf identifies a hook within one event: of several hooks with equal keys one runs.
func (p *Profile) KeyOf(h *schema.Hook) string {
	if p.Key != nil {
		return p.Key(h)
	}
	return strings.Join([]string{h.Source.File, h.Path, h.Command, h.Prompt}, "\x00")
}

// StopBlocksIn returns StopBlocks for an environment.
func (p *Profile) StopBlocksIn(env schema.Environ) int {
	if text := env.Get(p.StopBlocksVariable); text != "" {
		if n, err := strconv.Atoi(text); err == nil {
			return max(n, 0)
		}
	}
	return p.StopBlocks
}

// IsModule reports whether the functions of a file with that name are hooks of the dialect.
func (p *Profile) IsModule(file string) bool {
	return slices.ContainsFunc(p.Modules, func(ending string) bool {
		return strings.HasSuffix(strings.ToLower(file), ending)
	})
}

// Stated returns a timeout as an entry states it: rounded up.
func (p *Profile) Stated(d time.Duration) time.Duration {
	if p.TimeoutUnit <= 0 {
		return d
	}
	return (d + p.TimeoutUnit - 1) / p.TimeoutUnit * p.TimeoutUnit
}

// A Program is one of several that run an agent's hooks.
type Program struct {
	Name     string // replaces the version in a dialect's name
	FullName string // the whole name of this program's dialect; "": the agent's with Name
	Version  string // the newest seen in a payload
	Client   string // as Profile.Client, if the program has its own version numbers
	Less     []Less // what it does less than the rows of events describe
	// Sends reports whether payloads of the program have such a version; nil: they can't be distinguished by it.
	Sends func(version string) bool
}

// Less is what a program, or an agent that is started in some way, doesn't do on an event.
type Less struct {
	Native  string         // the event
	Effects schema.Feature // effects of answers that it ignores
	Never   bool           // it never raises the event
	Modes   []string       // only in these permission modes; nil: in all
	Refuses bool           // it denies a call that a hook asks about, instead of allowing it
	Source  string
}

// On returns what the program doesn't do on an event; the zero Less means that it does everything.
func (p *Program) On(native string) Less {
	if l := lists.Find(p.Less, func(l *Less) bool { return l.Native == native }); l != nil {
		return *l
	}
	return Less{}
}

// ProgramOf returns the program for a version: by its name, or by its version in payloads. It is nil if the version
// doesn't show it.
func (p *Profile) ProgramOf(version string) *Program {
	if g := p.ProgramNamed(version); g != nil || version == "" {
		return g
	}
	return lists.Find(p.Programs, func(g *Program) bool { return g.Sends != nil && g.Sends(version) })
}

// ProgramNamed returns the program of that name, nil if there is none.
func (p *Profile) ProgramNamed(name string) *Program {
	return lists.Find(p.Programs, func(g *Program) bool { return g.Name == name })
}

// An EnvFile is the file in which hooks set environment variables for later commands.
type EnvFile struct {
	Variable string         // holds the file's path in a hook's environment; "": there is none
	Events   []schema.Event // events whose hooks get it
	// Usable: the agent's own later commands still work after a hook wrote the file.
	Usable bool
}

// For returns the variable that names the file for hooks on e, "" if they get none.
func (f EnvFile) For(e schema.Event) string {
	if slices.Contains(f.Events, e) {
		return f.Variable
	}
	return ""
}

// EnvForHooksOnly reports whether hooks set variables for the model's commands, but the host passes variables to its
// hooks only.
func EnvForHooksOnly(hooks, host *Profile) bool {
	return hooks.EnvFile.Variable != "" && !host.EnvFile.Usable
}

// Variables are environment variables, by name.
type Variables []string

// Has reports whether name is one of them.
func (v Variables) Has(name string) bool {
	return slices.Contains(v, name)
}

// A HookMember is the field of an entry that expresses a feature of a hook.
type HookMember struct {
	Feature schema.Feature
	Name    string
}

// MemberName returns the name of the field that expresses f, "" if an entry can't express it.
func (p *Profile) MemberName(f schema.Feature) string {
	if m := lists.Find(p.Members, func(m *HookMember) bool { return m.Feature&f != 0 }); m != nil {
		return m.Name
	}
	return ""
}

// An Ignored field is meaningful to its own agent only. Severity is how much its loss matters under another one.
type Ignored struct {
	Name     string
	Severity schema.Severity
}

// IgnoredMember reports whether a field of the agent is missing from the canonical model, and how much its loss
// matters.
func (p *Profile) IgnoredMember(name string) (schema.Severity, bool) {
	if m := lists.Find(p.Ignored, func(m *Ignored) bool { return m.Name == name }); m != nil {
		return m.Severity, true
	}
	return 0, false
}

// Generic returns the native name of an event that isn't about single calls, "" if there is none.
func (p *Profile) Generic(e schema.Event) string {
	generic := func(row *schema.EventRow) bool { return row.Event == e && row.Gate == nil }
	if row := lists.Find(p.Events, generic); row != nil {
		return row.Native
	}
	return ""
}

// Sends reports whether payloads of an event have a field.
func (p *Profile) Sends(e schema.Event, f schema.Field) bool {
	return slices.ContainsFunc(p.Events, func(row schema.EventRow) bool {
		return row.Event == e &&
			slices.Contains(row.Fields, f)
	})
}

// Related reports whether d is the host, or the agent whose files the host loads as
// its own.
func Related(d, host Dialect) bool { return slices.Contains(d.Profile().Names(), host.Profile().Name) }

// BaseName returns the name of a dialect without the version or program.
func BaseName(name string) string {
	name, _, _ = strings.Cut(name, "@")
	return name
}

// ToolOfKind returns the tool for a kind, or one that also does such work; nil if there is none.
func (p *Profile) ToolOfKind(k schema.Kind) *schema.ToolRow {
	if k == schema.Other || k == schema.MCP {
		return nil
	}
	if t := lists.Find(p.Tools, func(t *schema.ToolRow) bool { return len(t.Kinds) > 0 && t.Kinds[0] == k }); t != nil {
		return t
	}
	return lists.Find(p.Tools, func(t *schema.ToolRow) bool { return schema.HasKind(t.Kinds, k) })
}

// A TimeoutRow is how long hooks may run: Default if they set no limit, and otherwise at least Min and at most Max. A
// zero Event or Handler means all; a zero Max means no maximum.
type TimeoutRow struct {
	Event             schema.Event
	Handler           schema.Handler
	Default, Min, Max time.Duration
}

// LongestTimer is the longest time in whole seconds that a client's runtime can wait if its timers count milliseconds
// in 32 bits.
const LongestTimer = math.MaxInt32 / 1000 * time.Second

// Timeout returns how long a hook may run; 0: no limit.
func (p *Profile) Timeout(h *schema.Hook) time.Duration {
	limit := p.timeout(h)
	if p.LongestTimeout > 0 {
		limit = min(limit, p.LongestTimeout)
	}
	return limit
}

func (p *Profile) timeout(h *schema.Hook) time.Duration {
	for _, t := range p.Timeouts {
		if t.Event != 0 && t.Event != h.Event || t.Handler != 0 && t.Handler != h.Handler {
			continue
		}
		limit := h.Timeout
		if limit <= 0 {
			limit = t.Default
		}
		if limit = max(limit, t.Min); t.Max > 0 {
			limit = min(limit, t.Max)
		}
		return limit
	}
	return h.Timeout
}

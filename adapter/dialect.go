package adapter

import (
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/codex"
	"github.com/hookbridge/hookbridge/cursor"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/gemini"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/qoder"
	"github.com/hookbridge/hookbridge/schema"
)

// A Dialect knows one agent and nothing of the others. Implementations are
// stateless and safe for concurrent use.
type Dialect interface {
	Name() string
	EventRows() []schema.EventRow
	ToolRows() []schema.ToolRow
	// Profile returns the dialect's data. It is shared and must not be changed.
	Profile() *dialect.Profile
	discover.Reader
	Codec
	Host
	Runner
	Writer
}

// A Writer puts hooks into an agent's configuration.
type Writer interface {
	// Select tells what a hook's matcher selects.
	Select(h *schema.Hook) schema.Selection
	// Plan lists the entries that a hook for h.Event with that selection needs;
	// none if the agent has no such event.
	Plan(h *schema.Hook, sel schema.Selection) []schema.Entry
	// WriteHook writes one entry as compact JSON, and tells which features of
	// hooks an entry can say.
	WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature)
	// Imported lists the files of other agents that the agent loads by itself.
	Imported(p schema.Places, read func(string) ([]byte, error)) []string
	// Imports reports whether it runs the hook of such a file.
	Imports(h *schema.Hook) bool
}

// A Codec reads and writes calls and replies.
type Codec interface {
	// DecodeCall reads the payload of a hook. The Call is nil only with an
	// Error diagnostic.
	DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics)
	// Detect reports how surely src is a payload of the agent: 0 not at all.
	Detect(src []byte, env schema.Environ) int
	// Views lists how the agent would show c to its hooks, the likeliest first.
	Views(c *schema.Call) []schema.View
	// Shown returns the tool's input as a hook in view v sees it.
	Shown(c *schema.Call, v schema.View) schema.Args
	AppendCall(dst []byte, c *schema.Call, v schema.View) []byte
	DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics)
	AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte
	// Merge makes one reply of several, given in configuration order.
	Merge(rs []schema.Reply) schema.Reply
}

// A Host answers what an agent can do with a reply.
type Host interface {
	// Honours returns the effects that the agent heeds for c.
	Honours(c *schema.Call, r *schema.Reply) schema.Feature
	// Replaces returns the input members that the agent takes from a rewritten
	// input, and whether that replaces the old input as a whole.
	Replaces(c *schema.Call) (roles schema.Roles, whole bool)
	// Asks returns the event at which the agent can ask the user about c if it
	// cannot at c's own, and whether it is known to ask.
	Asks(c *schema.Call) (gate string, sure bool)
	// AppendEnv writes the file by which hooks set variables.
	AppendEnv(dst []byte, vars []schema.EnvVar) []byte
	// Refuse is the strictest answer to an event that may be unknown.
	Refuse(dst []byte, native, reason string) []byte
	Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server
	NameServer(c *schema.Call, servers []schema.Server)
}

// A Runner knows how an agent selects and starts its hooks.
type Runner interface {
	Grammar(native string) matcher.Grammar
	// Holds evaluates a hook's condition for a call in one view. What can't be
	// decided holds. An error says that the condition can't be read; the hook then
	// runs.
	Holds(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error)
	Key(h *schema.Hook) string
	Timeout(h *schema.Hook) time.Duration
	Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error)
	ParseEnvFile(text string, env schema.Environ) ([]schema.EnvVar, schema.Diagnostics)
	// ServerIn returns the MCP server that a matcher names, "" if none.
	ServerIn(matcher string) string
	// ServersIn returns names of MCP servers among which is one whose tools the
	// matcher takes, if it takes those of some servers only.
	ServersIn(matcher string) []string
	// Refusal is what a model's "no" means for a prompt or agent hook.
	Refusal(h *schema.Hook, v schema.View, reason string) schema.Reply
}

// Dialects lists every dialect in the order in which they are offered. A new
// dialect is a new package and one line here.
func Dialects() []Dialect {
	return []Dialect{
		claude.Dialect{},
		cursor.Dialect{},
		qoder.Dialect{},
		gemini.Dialect{},
		codex.New(),
	}
}

// A family is a dialect of which some surfaces have names of their own.
type family interface {
	OtherNames() []string
	Named(name string) any // the dialect of that name; nil if there is none
	Surfaces() []string    // what may stand for a version
}

// Names lists the names of all dialects, those of surfaces after their family's.
func Names() (names []string) {
	for _, d := range Dialects() {
		names = append(names, d.Name())
		if f, ok := d.(family); ok {
			names = append(names, f.OtherNames()...)
		}
	}
	return names
}

// Detect returns the dialect that a payload is most likely of, nil if none.
func Detect(src []byte, env schema.Environ) Dialect {
	var found Dialect
	best := 0
	for _, d := range Dialects() {
		if n := d.Detect(src, env); n > best {
			found, best = d, n
		}
	}
	return found
}

// VersionOf is the version or program that d speaks of, "" for the newest.
func VersionOf(d Dialect) string {
	if v, ok := d.(interface{ Follows() string }); ok {
		return v.Follows()
	}
	return ""
}

// NameOf is the name by which Find returns d, with its version or program. It is
// what is written wherever a dialect is named for a later run.
func NameOf(d Dialect) string {
	if v := VersionOf(d); v != "" {
		return d.Name() + "@" + v
	}
	return d.Name()
}

// Find returns the dialect that name means: "cursor", or with a version
// "cursor@2.4". A program of an agent's family may have a name of its own
// beside the listed ones ("qoder-sdk"), or stand where a version would
// ("qoder@ide"); what is neither that nor begins with a digit is no version.
func Find(name string) (Dialect, bool) {
	name, version, cut := strings.Cut(name, "@")
	if cut && version == "" {
		return nil, false
	}
	for _, d := range Dialects() {
		if n, ok := d.(family); ok {
			if at := n.Named(name); at != nil {
				return at.(Dialect), true
			}
		}
		if d.Name() != name {
			continue
		}
		if version == "" {
			return d, true
		}
		if f, ok := d.(family); (version[0] < '0' || version[0] > '9') && (!ok || !slices.Contains(f.Surfaces(), version)) {
			return nil, false
		}
		return d.(interface{ At(version string) any }).At(version).(Dialect), true
	}
	return nil, false
}

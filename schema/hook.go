package schema

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Handler is how a hook runs. The zero Handler is invalid.
type Handler uint8

const (
	_               Handler = iota
	HandlerCommand          // a shell command, or a program with arguments when Args is not nil
	HandlerHTTP             // POST of the payload
	HandlerPrompt           // a question to a model
	HandlerAgent            // a task for an agent
	HandlerMCPTool          // a tool of an MCP server
	HandlerCallback         // a function in the host's own process
)

var handlerNames = [...]string{"handler(invalid)", "command", "http", "prompt", "agent", "mcp-tool", "callback"}

// String returns the canonical word.
func (h Handler) String() string { return NameOfValue(handlerNames[:], h) }

// A Scope is the level of configuration that a hook comes from. The zero Scope is unknown: given on the command line.
type Scope uint8

const (
	ScopeGiven Scope = iota
	ScopeManaged
	ScopeTeam
	ScopeLocal
	ScopeProject
	ScopeUser
	ScopePlugin
)

var scopeNames = [...]string{"given", "managed", "team", "local", "project", "user", "plugin"}

// String returns the canonical word.
func (s Scope) String() string { return NameOfValue(scopeNames[:], s) }

// A FailPolicy is the effect of a hook's own failure. The zero FailPolicy is the dialect's default for the event.
type FailPolicy uint8

const (
	FailDefault FailPolicy = iota
	FailOpen
	FailClosed
)

// A Source is a file that configures hooks.
type Source struct {
	File   string // path, "" for text given directly
	Scope  Scope
	Plugin string // root folder of the plugin for ScopePlugin
	Folder bool   // File is a folder: each *.json file in it is a source
	// Terse leaves out advice for the author of the file, as nobody reads it in a hook call. Findings that decide which
	// hooks run are still reported.
	Terse bool
	// NoLinks is a folder; the agent rejects File if a symbolic link below the folder leads to it. "": links don't
	// matter.
	NoLinks string
	// Moved: the source is in the place given by an environment variable, not in its usual place.
	Moved bool
}

// Config is the content of one source.
type Config struct {
	Source     Source
	Hooks      []Hook
	Base       string         // JSON Pointer of the settings in the source
	Around     ordjson.Object // the other fields of the object that contains the settings
	Outer      string         // JSON Pointer of that object
	DisableAll *bool          // the source turns hooks off (or on again); nil: neither
	Switch     string         // JSON Pointer of that field
	// AllowURLs restricts HTTP handlers to these patterns; nil: no restriction.
	AllowURLs []string
	// AllowEnv restricts the variables that HTTP handlers may put into headers, in addition to each handler's own list;
	// nil: no restriction.
	AllowEnv []string
	Env      []EnvVar       // variables that the settings set for all hooks
	Guards   ordjson.Object // the fields with these two restrictions
	// Disabled names single hooks, of any source, that the source turns off.
	Disabled []string
	// Void lists native events for which no hook of any source runs, because of a mistake here.
	Void []string
	// Unknown lists the words that aren't in a table and may add or change a hook.
	Unknown []UnknownWord
	// Known is the configuration that the known versions read from the file, if they reject it for one of those words;
	// nil: the same.
	Known *Config
	Extra ordjson.Object // top-level fields that aren't in a table
}

// An UnknownWord is a word of a hook file that a newer version of the agent may accept.
type UnknownWord struct {
	Path string // JSON Pointer
	Name string // the word itself, if it is an event's name
	// Event is the event of the word's hook; 0: it may be any.
	Event Event
}

// AsKnown returns the configuration that the known versions read from the file.
func (c *Config) AsKnown() *Config {
	if c != nil && c.Known != nil {
		return c.Known
	}
	return c
}

// A Hook binds one handler to one event. Fields tagged lossless need no Feature: they describe where a hook is, not
// what it does.
type Hook struct {
	Event      Event  `lossless:"every hook has one; a missing event has its own code"`
	Native     string `lossless:"the event in the source's words"`
	Gate       bool   `lossless:"part of the event"`
	Inline     bool   `lossless:"part of the event"`
	Matcher    string // as written
	HasMatcher bool   `lossless:"distinguishes an empty matcher from none"`

	Handler  Handler
	Command  string   `lossless:"goes with the handler"`
	Args     []string // program form, without a shell; nil: shell form
	Shell    string   // "bash", "powershell"; "": the dialect's default
	Windows  string   `lossless:"only an entry of hookbridge's has one; the field of a file is in Extra"`
	Env      []EnvVar
	URL      string   `lossless:"goes with the handler"`
	Headers  []EnvVar `lossless:"goes with the handler"`
	EnvAllow []string `lossless:"goes with the headers"`
	Server   string   `lossless:"goes with the handler"`
	ToolRef  string   `lossless:"goes with the handler"`
	Input    []byte   `lossless:"goes with the handler"`
	Prompt   string   `lossless:"goes with the handler"`
	Model    string
	OnBlock  bool // a prompt's denial doesn't end the turn

	Timeout      time.Duration // 0: the dialect's default
	Fail         FailPolicy
	LoopLimit    *int // nil: the dialect's default; -1: none
	Async        bool
	Rewake       bool
	Once         bool
	Condition    string // permission rule
	HasCondition bool   `lossless:"distinguishes an empty condition from none"`
	Status       string
	Sequential   bool

	Source Source         `lossless:"where the hook is"`
	Path   string         `lossless:"JSON Pointer in the source"`
	Group  Group          `lossless:"where the fields are that the hook shares with others"`
	Line   int            `lossless:"place in the source, 1-based"`
	Col    int            `lossless:"place in the source, 1-based"`
	Extra  ordjson.Object `lossless:"each field is reported"`
}

// A Group is an object of the source that holds several hooks and the settings that they share. The zero Group has no
// settings.
type Group struct {
	Path    string   // JSON Pointer in the source
	Members []string // the fields that apply to its hooks
}

// MatcherPath returns the JSON Pointer of the matcher, or of the hook if the file has none.
func (h *Hook) MatcherPath() string {
	if !h.HasMatcher || h.Group.Path != "" && !slices.Contains(h.Group.Members, "matcher") {
		return h.Path
	}
	return h.MemberPath("matcher")
}

// MemberPath returns the JSON Pointer of a field of the hook or of its group.
func (h *Hook) MemberPath(name string) string {
	if slices.Contains(h.Group.Members, name) {
		return ordjson.Pointer(h.Group.Path, name)
	}
	return ordjson.Pointer(h.Path, name)
}

// Uses returns the features that h needs from a dialect.
func (h *Hook) Uses() (f Feature) {
	switch h.Handler {
	case HandlerHTTP:
		f |= HookHTTP
	case HandlerPrompt:
		f |= HookPrompt
	case HandlerAgent:
		f |= HookAgent
	case HandlerMCPTool:
		f |= HookMCPTool
	case HandlerCallback:
		f |= HookCallback
	}

	for _, u := range []struct {
		used bool
		f    Feature
	}{
		{h.Matcher != "", HookMatcher},
		{h.Args != nil, HookArgs},
		{h.Shell != "", HookShell},
		{len(h.Env) > 0, HookEnv},
		{h.Model != "", HookModel},
		{h.Timeout != 0, HookTimeout},
		{h.Fail != FailDefault, HookFailPolicy},
		{h.LoopLimit != nil, HookLoopLimit},
		{h.Async, HookAsync},
		{h.Rewake, HookRewake},
		{h.Once, HookOnce},
		{h.Condition != "", HookCondition},
		{h.Status != "", HookStatus},
		{h.Sequential, HookSequential},
		{h.OnBlock, HookOnBlock},
	} {
		if u.used {
			f |= u.f
		}
	}

	return f
}

// Text returns the hook's command, prompt or address for a report.
func (h *Hook) Text() string {
	switch h.Handler {
	case HandlerCommand:
		return strings.Join(append([]string{h.Command}, h.Args...), " ")
	case HandlerHTTP:
		return "POST " + h.URL
	case HandlerPrompt, HandlerAgent:
		return h.Handler.String() + " " + strconv.Quote(h.Prompt)
	}
	return h.Handler.String() + " " + h.Server + " " + h.ToolRef
}

// OfProject reports whether the source is in the project, where the authors of the repository control its content.
func (s Source) OfProject() bool { return s.Scope == ScopeProject || s.Scope == ScopeLocal }

// SamePlace reports whether two hooks are the same entry of the same file.
func (h *Hook) SamePlace(o *Hook) bool { return h.Source.File == o.Source.File && h.Path == o.Path }

// Alike reports whether two hooks with equal keys also agree in everything outside the key.
func (h *Hook) Alike(o *Hook) bool {
	return h.Timeout == o.Timeout && h.Fail == o.Fail && h.Async == o.Async && h.Rewake == o.Rewake &&
		h.Once == o.Once && h.Status == o.Status
}

// HasHook reports whether the list contains the hook.
func HasHook(list []Hook, h *Hook) bool {
	return slices.ContainsFunc(list, func(o Hook) bool { return o.SamePlace(h) })
}

// Kept returns a function that reports whether the list contains a hook, with one lookup per call.
func Kept(list []Hook) func(*Hook) bool {
	type place struct{ file, path string }
	places := map[place]bool{}
	for i := range list {
		places[place{list[i].Source.File, list[i].Path}] = true
	}
	return func(h *Hook) bool { return places[place{h.Source.File, h.Path}] }
}

// A CallbackRun is the result of one function of a module.
type CallbackRun struct {
	Hook  Hook
	View  View
	Reply Reply
}

// HTTPRules are an agent's rules for HTTP hooks.
type HTTPRules struct {
	// Event is the field of the body with the agent's name of the event, before the fields of every payload; "": none.
	Event string
	// Follow: redirects are followed.
	Follow bool
	// Text: an answer that isn't a JSON object counts as printed text.
	Text bool
	// AnyPort: in the list of allowed addresses, an entry for every host without a port covers all ports.
	AnyPort bool
	// Fails: a failed request counts as a failed command.
	Fails bool
	// Secure are the events at which a hook is skipped if its address isn't https. Local: addresses of this machine and
	// of private networks are rejected at all events. Each Unless field is how to allow the address anyway.
	Secure                     []Event
	Local                      bool
	UnlessSecure, UnlessRemote string
	// OnlyTLS: a hook is skipped at all events if its address isn't https.
	OnlyTLS bool
}

// Refused returns why an HTTP hook isn't run on an event, and how to allow it; "" if it is run. A skipped guard is
// worse than a failed request.
func (r *HTTPRules) Refused(h *Hook, e Event) (why, fix string, severity Severity) {
	if h.Handler != HandlerHTTP {
		return "", "", 0
	}
	scheme, rest, _ := strings.Cut(strings.ToLower(h.URL), "://")
	if (r.OnlyTLS || slices.Contains(r.Secure, e)) && scheme == "http" {
		return "skips an http hook here whose address isn't https", r.UnlessSecure, Weaker
	}
	if r.Local && isLocal(rest) {
		return "refuses to call a local address", r.UnlessRemote, Loss
	}
	return "", "", 0
}

// isLocal reports whether a URL without its scheme is an address of this machine or of a private network. It compares
// text: merely linking net/netip costs each hook call 0.04 ms.
func isLocal(url string) bool {
	if i := strings.IndexAny(url, "/?#"); i >= 0 {
		url = url[:i]
	}
	host := url[strings.LastIndexByte(url, '@')+1:]
	begins := func(s string) bool { return strings.HasPrefix(host, s) }
	if begins("[") {
		return slices.ContainsFunc([]string{"[::1]", "[::]", "[fc", "[fd", "[fe8", "[fe9", "[fea", "[feb"}, begins)
	}
	host, _, _ = strings.Cut(host, ":")
	if strings.Trim(host, "0123456789.") != "" { // a name
		return host == "localhost"
	}
	second, _, _ := strings.Cut(strings.TrimPrefix(host, "172."), ".")
	n, _ := strconv.Atoi(second)
	return begins("172.") && n >= 16 && n < 32 ||
		slices.ContainsFunc([]string{"127.", "10.", "192.168.", "169.254.", "0.0.0.0"}, begins)
}

// A ModuleGroup is one group of callbacks in a module to be written. It answers an event, or only the calls that a
// matcher accepts.
type ModuleGroup struct {
	Native  string        // event of the module's dialect
	Matcher string        // "": all
	Timeout time.Duration // for the whole group
	Config  []byte        // JSON: the hooks, as in a file of their own dialect
	Flags   []string      // further arguments for hookbridge
	Refusal []byte        // JSON: the answer if hookbridge fails; nil: no opinion
}

// A Module is a file of callbacks to be written.
type Module struct {
	From   string   // dialect of the hooks
	Lost   []string // losses, one per line
	Groups []ModuleGroup
	Script bool // JavaScript instead of TypeScript
}

// A TextEdit replaces Old with New in a file. An empty Old means the whole file: the file is new, or its old content is
// unknown.
type TextEdit struct {
	Old, New string
	All      bool // every occurrence, not only the first
}

// EditNames are a dialect's names for the fields of one edit.
type EditNames struct{ Old, New, All string }

// CanonicalEdits are the names used in the value of RoleEdits.
var CanonicalEdits = EditNames{Old: "old", New: "new", All: "all"}

// Decode reads a list of edits and skips invalid entries.
func (n EditNames) Decode(raw []byte) []TextEdit {
	var es []TextEdit
	for _, o := range ordjson.Objects(raw) {
		all, _ := o.Bool(n.All)
		es = append(es, TextEdit{Old: o.Str(n.Old), New: o.Str(n.New), All: all})
	}
	return es
}

// Append writes a list of edits.
func (n EditNames) Append(dst []byte, es []TextEdit) []byte {
	return ordjson.AppendArray(dst, es, func(dst []byte, e TextEdit) []byte {
		w := ordjson.NewWriter(dst)
		w.String(n.Old, e.Old)
		w.String(n.New, e.New)
		if e.All && n.All != "" {
			w.Bool(n.All, true)
		}
		return w.Bytes()
	})
}

// Convert rewrites a list of edits with other names.
func (n EditNames) Convert(raw []byte, to EditNames) []byte { return to.Append(nil, n.Decode(raw)) }

package schema

import (
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Call is the content of one payload.
type Call struct {
	Malformed bool // the payload names an event but not its subject: no hook can check it

	Dialect string // the dialect that decoded the call
	Event   Event
	Native  string // the agent's name of the event
	// Gate marks the more specific of two events that the agent sends for one tool
	// call (before a shell command, after a file edit).
	Gate bool
	// Inline marks an event of the editor's inline completion, not of the agent.
	Inline  bool
	Version string // version of the agent, "" if the payload doesn't have it
	Project string // root of the project, absolute; "" if unknown
	Cwd     string // working directory; "" if unknown
	// Time is when the event happened, if the payload has it and the transcript uses the same clock. Zero: unknown.
	Time time.Time
	// Remote is the agent's environment variable for sessions in the cloud, "" elsewhere. Its value differs: agents
	// write "true", old ones a path.
	Remote string
	// Roots are the roots of a workspace that has several, Project among them.
	Roots []string
	Tool  Tool // zero for events that aren't about a tool
	// Values are the fields with a canonical meaning, in source order. The tool's name, input and result are in Tool.
	Values []Value
	// Meanings are further canonical words that the value of the event's field may stand for; see Word.Means.
	Meanings []string
	Extra    ordjson.Object // fields that aren't in a table, in source order
	Raw      []byte         // the payload as it was received
}

// Get returns the JSON value of a field, nil if the payload has none.
func (c *Call) Get(f Field) []byte {
	for i := range c.Values {
		if c.Values[i].Field == f {
			return c.Values[i].Raw
		}
	}
	return nil
}

// NameOf returns the payload's name for a field, "" if it has none.
func (c *Call) NameOf(f Field) string {
	for i := range c.Values {
		if c.Values[i].Field == f {
			return c.Values[i].Name
		}
	}
	return ""
}

// Str returns the text of a string field, "" if it is absent or not a string.
func (c *Call) Str(f Field) string {
	s, _ := ordjson.String(c.Get(f))
	return s
}

// Int returns the value of an integer field; ok is false if absent.
func (c *Call) Int(f Field) (n int64, ok bool) { return ordjson.Int(c.Get(f)) }

// Bool returns the value of a boolean field, false if absent.
func (c *Call) Bool(f Field) bool {
	b, _ := ordjson.Bool(c.Get(f))
	return b
}

// Set replaces or adds a field. raw must be valid JSON.
func (c *Call) Set(f Field, raw []byte) {
	for i := range c.Values {
		if c.Values[i].Field == f {
			c.Values[i].Raw = raw
			return
		}
	}
	c.Values = append(c.Values, Value{Field: f, Raw: raw})
}

// SetStr is Set for a text.
func (c *Call) SetStr(f Field, s string) { c.Set(f, ordjson.AppendString(nil, s)) }

// RemoteFor returns Remote as an agent passes it to its hooks.
func (c *Call) RemoteFor(dialect string) string {
	if c.Remote == "" || c.Dialect == dialect {
		return c.Remote
	}
	return "true"
}

// Drop removes a field: the payload then counts as not having it.
func (c *Call) Drop(f Field) {
	c.Values = slices.DeleteFunc(slices.Clone(c.Values), func(v Value) bool { return v.Field == f })
}

// Clone returns a copy whose Values, Tool and flags may be changed freely; the
// JSON values are shared and must not be written to.
func (c *Call) Clone() *Call {
	d := *c
	d.Values = append([]Value(nil), c.Values...)
	return &d
}

// A View is one way in which a dialect shows a call to its hooks: with its own names for the event and the tool. A call
// may have several views: a whole-file write may be shown as a write or as an edit.
type View struct {
	Event  string // native event name
	Kind   Kind
	Tool   string   // native tool name, as in the payload
	Server string   // MCP server the view assumes
	Target []string // the names that a matcher is compared with (name and aliases); empty: matchers don't count
	// Needs lists the parts of this view's payload that the call may lack.
	Needs Needs
	// Fixed marks an input in a form that can't be translated back if the hook
	// rewrites it.
	Fixed bool
	// Own: the agent itself calls the hook, and accepts no answer in its own older format.
	Own bool
}

// Needs lists data that must be fetched before a view can be written.
type Needs uint8

const (
	NeedEdits   Needs = 1 << iota // edits that turn the file on disk into the new content
	NeedContent                   // content of the file on disk
	NeedChanges                   // the changed lines, as an event after the write lists them
)

// Environ is a process environment, as "NAME=value" entries. Of several entries with one name the last counts.
type Environ []string

// Get returns the value of a variable, "" if it isn't set. On Windows, case is ignored in names.
func (e Environ) Get(name string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if len(e[i]) <= len(name) || e[i][len(name)] != '=' {
			continue
		}
		if k := e[i][:len(name)]; k == name || foldsNames && strings.EqualFold(k, name) {
			return e[i][len(name)+1:]
		}
	}
	return ""
}

const foldsNames = runtime.GOOS == "windows"

// FitsInEnv reports whether s can be passed to a program in a variable: it has no NUL, and is well below the limits of
// systems.
func FitsInEnv(s string) bool { return len(s) < 100_000 && strings.IndexByte(s, 0) < 0 }

// With returns a copy of e with the given variables and without those whose names drop accepts. It skips a variable
// that is too long or has a NUL, which would keep the program from starting.
func (e Environ) With(drop func(name string) bool, set ...EnvVar) Environ {
	out := make(Environ, 0, len(e)+len(set))
	for _, kv := range e {
		name, _, _ := strings.Cut(kv, "=")
		if (drop == nil || !drop(name)) && !slices.ContainsFunc(set, func(s EnvVar) bool { return s.Name == name }) {
			out = append(out, kv)
		}
	}
	for _, s := range set {
		if FitsInEnv(s.Value) {
			out = append(out, s.Name+"="+s.Value)
		}
	}
	return out
}

// Vars returns variables for alternating names and values.
func Vars(pairs ...string) (vars []EnvVar) {
	for i := 0; i+1 < len(pairs); i += 2 {
		vars = append(vars, EnvVar{Name: pairs[i], Value: pairs[i+1]})
	}
	return vars
}

// GivenVars is Vars without the variables that have no value.
func GivenVars(pairs ...string) []EnvVar {
	return slices.DeleteFunc(Vars(pairs...), func(v EnvVar) bool { return v.Value == "" })
}

// SyntaxDiagnostic adds the finding for an error of the JSON reader, with its place, and returns ds. A nil error adds
// nothing.
func SyntaxDiagnostic(ds *Diagnostics, err error) *Diagnostics {
	if err == nil {
		return ds
	}
	d := ds.Add(CodeSyntax, "", err.Error())
	var se *ordjson.SyntaxError
	if errors.As(err, &se) {
		d.Message, d.Line, d.Col = se.Msg, se.Line, se.Col
	}
	return ds
}

// RepeatedDiagnostics reports the fields of a file that a later field of the same name overrides.
func RepeatedDiagnostics(ds *Diagnostics, repeated []ordjson.Repeated, index *ordjson.Index, file string) {
	for _, m := range repeated {
		d := ds.Add(CodeRepeated, m.Pointer, "the same field follows again; the agent reads only the last one")
		d.File = file
		d.Line, d.Col = index.Position(m.Off)
		d.Fix = "remove one of the two"
	}
}

// Places are the folders that may contain configuration.
type Places struct {
	OS      string // as runtime.GOOS
	Home    string // the user's home, "" if unknown
	Project string // root of the project, "" if unknown
	// System is a folder that replaces the real places of an administrator's files, "" for the real ones.
	System string
	// Account is Home if a source other than the environment confirms it, otherwise "".
	Account string
	Env     Environ
}

// OfSystem returns the place of an administrator's file, given its absolute path.
func (p *Places) OfSystem(path string) string {
	if p.System == "" {
		return path
	}
	return filepath.Join(p.System, path[len(filepath.VolumeName(path)):])
}

// A Server is an MCP server in an agent's configuration.
type Server struct {
	Name    string
	URL     string
	Command string
	Args    []string
}

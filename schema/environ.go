package schema

import (
	"errors"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// Environ is a process environment, as "NAME=value" entries. Of several
// entries of one name the last counts.
type Environ []string

// Get returns the value of a variable, "" if it is not set.
func (e Environ) Get(name string) string {
	for i := len(e) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(e[i], name); ok && strings.HasPrefix(v, "=") {
			return v[1:]
		}
	}
	return ""
}

// FitsInEnv reports whether a program can be given s in a variable: without NUL,
// and well below what systems allow.
func FitsInEnv(s string) bool { return len(s) < 100_000 && strings.IndexByte(s, 0) < 0 }

// With returns a copy of e in which the given variables are set and those
// whose names drop accepts are missing. One that is too long or has a NUL is left out: it
// would keep the program from starting.
func (e Environ) With(drop func(name string) bool, set ...EnvVar) Environ {
	out := make(Environ, 0, len(e)+len(set))
next:
	for _, kv := range e {
		name, _, _ := strings.Cut(kv, "=")
		if drop != nil && drop(name) {
			continue
		}
		for _, s := range set {
			if s.Name == name {
				continue next
			}
		}
		out = append(out, kv)
	}
	for _, s := range set {
		if FitsInEnv(s.Value) {
			out = append(out, s.Name+"="+s.Value)
		}
	}
	return out
}

// Vars are variables, given as names and values by turns.
func Vars(pairs ...string) (vars []EnvVar) {
	for i := 0; i+1 < len(pairs); i += 2 {
		vars = append(vars, EnvVar{Name: pairs[i], Value: pairs[i+1]})
	}
	return vars
}

// GivenVars are the same without those that have no value.
func GivenVars(pairs ...string) []EnvVar {
	return slices.DeleteFunc(Vars(pairs...), func(v EnvVar) bool { return v.Value == "" })
}

// SyntaxDiagnostic adds the finding for an error of the JSON reader, with its
// place, and returns ds.
func SyntaxDiagnostic(ds *Diagnostics, err error) *Diagnostics {
	d := ds.Add(CodeSyntax, "", err.Error())
	var se *ordjson.SyntaxError
	if errors.As(err, &se) {
		d.Message, d.Line, d.Col = se.Msg, se.Line, se.Col
	}
	return ds
}

// RepeatedDiagnostics reports the members of a file that a later one of the same
// name overrides.
func RepeatedDiagnostics(ds *Diagnostics, repeated []ordjson.Repeated, index *ordjson.Index, file string) {
	for _, m := range repeated {
		d := ds.Add(CodeRepeated, m.Pointer, "the same member follows again; the agent reads only the last one")
		d.File = file
		d.Line, d.Col = index.Position(m.Off)
		d.Fix = "remove one of the two"
	}
}

// Places are the folders in which configuration is looked for.
type Places struct {
	OS      string // as runtime.GOOS
	Home    string // the user's home, "" if unknown
	Project string // root of the project, "" if unknown
	Env     Environ
}

// A Server is an MCP server that an agent is configured with.
type Server struct {
	Name    string
	URL     string
	Command string
	Args    []string
}

// Package adapter lists the dialects and finds them by name or by a payload.
//
// The packages below this one use them: bridge.Bridge runs the hooks of one agent for the events of another, package
// convert writes them into another agent's files, package inspect reports how they work there, package plan where they
// would run, package trust which projects may run any, and package cmdline reads and writes the command lines with
// which agents call hookbridge.
package adapter

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hookbridge/hookbridge/antigravity"
	"github.com/hookbridge/hookbridge/auggie"
	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/cline"
	"github.com/hookbridge/hookbridge/codebuddy"
	"github.com/hookbridge/hookbridge/codex"
	"github.com/hookbridge/hookbridge/commandcode"
	"github.com/hookbridge/hookbridge/copilot"
	"github.com/hookbridge/hookbridge/cursor"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/droid"
	"github.com/hookbridge/hookbridge/gemini"
	"github.com/hookbridge/hookbridge/grok"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/kimi"
	"github.com/hookbridge/hookbridge/letta"
	"github.com/hookbridge/hookbridge/omp"
	"github.com/hookbridge/hookbridge/opencode"
	"github.com/hookbridge/hookbridge/pi"
	"github.com/hookbridge/hookbridge/qoder"
	"github.com/hookbridge/hookbridge/qwen"
	"github.com/hookbridge/hookbridge/schema"
)

// A Dialect covers one agent and nothing of the others.
type Dialect = dialect.Dialect

// Default is the agent of hooks if the user names none.
const Default = "claude"

// registry has every dialect in the usual order. A new dialect is a new package and one line here.
var registry = []struct {
	name string
	make func() Dialect
}{
	{"claude", func() Dialect { return claude.New() }},
	{"cursor", func() Dialect { return cursor.Dialect{} }},
	{"qoder", func() Dialect { return qoder.New() }},
	{"gemini", func() Dialect { return gemini.New() }},
	{"codex", func() Dialect { return codex.New() }},
	{"copilot", func() Dialect { return copilot.New() }},
	{"opencode", func() Dialect { return opencode.New() }},
	{"grok", func() Dialect { return grok.New() }},
	{"qwen", func() Dialect { return qwen.New() }},
	{"kimi", func() Dialect { return kimi.New() }},
	{"codebuddy", func() Dialect { return codebuddy.New() }},
	{"droid", func() Dialect { return droid.New() }},
	{"auggie", func() Dialect { return auggie.New() }},
	{"pi", func() Dialect { return pi.New() }},
	{"cline", func() Dialect { return cline.New() }},
	{"commandcode", func() Dialect { return commandcode.New() }},
	{"letta", func() Dialect { return letta.New() }},
	{"omp", func() Dialect { return omp.New() }},
	{"antigravity", func() Dialect { return antigravity.New() }},
}

// Dialects lists every dialect in the usual order. A dialect never changes: the same ones are returned each time.
func Dialects() []Dialect { return slices.Clone(all.list()) }

// all is made on first use: a call of hookbridge that names its agents doesn't need it.
var all dialects

type dialects struct {
	once sync.Once
	made []Dialect
}

func (d *dialects) list() []Dialect {
	d.once.Do(func() {
		for _, r := range registry {
			d.made = append(d.made, r.make())
		}
	})
	return d.made
}

// Names lists the names of all dialects, with those of programs after their agent's.
func Names() (names []string) {
	for _, d := range Dialects() {
		names = append(names, d.Profile().Names()...)
	}
	return names
}

// Detect returns the dialect that certainly sent a payload, or nil: agents that copied a protocol send payloads of the
// same form, and their guards must not count as another agent's.
func Detect(src []byte, env schema.Environ) Dialect {
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil
	}
	var found Dialect
	best := 0
	for _, d := range Dialects() {
		if n := d.Profile().Recognize(o, env); n > best && surely(d, o, src, env) {
			found, best = d, n
		}
	}
	return found
}

// surely reports whether nothing in a payload that d recognizes indicates another agent: a transcript in another's
// folder or, if there is no transcript and only the event is known, fields that d doesn't have.
func surely(d Dialect, o ordjson.Object, src []byte, env schema.Environ) bool {
	switch own, other := d.Profile().Transcripts(o); {
	case own:
		return true
	case other:
		return false
	case d.Profile().Marked(o, env):
		return true
	}
	c, _ := d.DecodeCall(src, env)
	return c == nil || len(c.Extra) == 0
}

// NameOf returns the name for which Find returns d, with its version or program. Wherever a dialect is named for a
// later run, this name is written.
func NameOf(d Dialect) string { return d.Profile().Full() }

// Find returns the dialect for a name: "cursor", or with a version "cursor@2.4". A program of an agent may have a name
// besides the listed ones ("qoder-sdk"), or replace the version ("qoder@ide"). The error lists the available names or
// versions.
func Find(name string) (Dialect, error) {
	base, version, cut := strings.Cut(name, "@")
	for _, r := range registry { // most calls need two
		switch {
		case r.name != base:
		case !cut:
			return r.make(), nil
		case version == "":
			return nil, fmt.Errorf("%s has no version after the @", name)
		default:
			return r.make().At(version)
		}
	}
	for _, d := range Dialects() {
		if slices.Contains(d.Profile().Names(), name) {
			return d.At(name)
		}
	}
	return nil, fmt.Errorf("unknown agent %q; known are %s", name, strings.Join(Names(), ", "))
}

// former are clients of agents with a dialect that preceded the current one, and read other files.
var former = []ByName{
	{Name: "kimi-cli", Title: "Kimi CLI", Home: []string{".kimi/config.toml"}, Only: "hooks", Guards: "pretooluse",
		Never: "Kimi Code doesn't read ~/.kimi/config.toml, which was its former client's, but " +
			"~/.kimi-code/config.toml",
		Source: "npm @moonshot-ai/kimi-code 2.1.0: hooks there, and the calls ran", Date: "2026-11-23"},
}

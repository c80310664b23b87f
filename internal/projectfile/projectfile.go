// Package projectfile reads hookbridge.yaml: what a team states once about its
// hooks, in the root of the project. The file is optional.
//
//	tests: hook-tests            # folder of scenarios
//	requires: ">=1.2"            # the oldest hookbridge that may run the entries
//	launcher: closed             # entries start .hookbridge/run
//	install:                     # defaults for hookbridge install
//	  ask: deny
//	  evaluator: ./ask-model
//	facts:                       # what no file shows
//	  cursor: {third-party-imports: off}
//	imports: {grok: off}         # agents that don't run other agents' files by themselves
//	hooks:                       # hooks that not every agent runs
//	  - hook: .claude/settings.json:12
//	    command: ./guard.sh
//	    exclude: [codex]
//	accept:                      # findings that were reviewed
//	  - finding: twice cursor ./guard.sh
//	    reason: third-party import is off on every machine
package projectfile

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/internal/teamfile"
)

// Name is the file's name in the root of a project.
const Name = "hookbridge.yaml"

// A File is what hookbridge.yaml states. The zero File is that of a project without one.
type File struct {
	Path     string // "" if there is none
	Tests    string // folder of scenarios, relative to the project; "": the default
	Agents   []Agent
	Install  []Setting
	Requires Required
	// Launcher is what the project's launcher does without hookbridge: "closed" or "open"; "off": there is none; "":
	// not stated.
	Launcher string
	Facts    []Fact
	// ImportsOff lists the agents whose own import of other agents' hook files must be off. An Agent without a name
	// means every agent that the project uses.
	ImportsOff []Agent
	Hooks      []Choice
	Accept     []Accepted
}

// An Agent is an agent that the project uses.
type Agent struct {
	Name      string
	Line, Col int
}

// A Required is the oldest hookbridge that a project works with. The zero Required is any.
type Required struct {
	Version   string // such as "1.2"
	Line, Col int
}

// A Setting is a default for a flag of install.
type Setting struct {
	Flag, Value string
	Line, Col   int
}

// A Fact is something about an agent that no file contains.
type Fact struct {
	Agent, Name, Value string
	Line, Col          int
}

// An Accepted finding was reviewed and doesn't fail a check.
type Accepted struct {
	Finding, Reason string
	Line, Col       int
}

// Fact returns what the file states about an agent, "" if nothing.
func (f *File) Fact(agent, name string) string {
	for _, x := range f.Facts {
		if x.Agent == agent && x.Name == name {
			return x.Value
		}
	}
	return ""
}

// StopsImport returns the statement that an agent's import of other agents' files must be off, or nil.
func (f *File) StopsImport(agent string) *Agent {
	for i := range f.ImportsOff {
		if base, _, _ := strings.Cut(f.ImportsOff[i].Name, "@"); base == "" || base == agent {
			return &f.ImportsOff[i]
		}
	}
	return nil
}

// Mistake returns an error at a place of the file.
func (f *File) Mistake(line, col int, msg string) error {
	return &frontmatter.Error{File: Name, Line: line, Col: col, Msg: msg}
}

// Load reads the file of a project. read returns its text; a missing file isn't an error.
func Load(project string, read func(string) ([]byte, error), missing func(error) bool) (*File, error) {
	path := filepath.Join(project, Name)
	text, err := read(path)
	if err != nil {
		if missing(err) {
			return &File{}, nil
		}
		return nil, err
	}
	f, perr := Parse(Name, text)
	if perr != nil {
		return nil, perr
	}
	f.Path = path
	return f, nil
}

// Parse reads the text of the file. file is for messages only.
func Parse(file string, text []byte) (*File, error) {
	r, json := teamfile.Open(file, text)
	f := &File{}
	if r.Err != nil || strings.TrimSpace(string(json.Value)) == "null" {
		return f.orErr(r)
	}
	for _, m := range r.Members(json, "expected a mapping with "+plainList(keys)) {
		f.member(r, m)
	}
	return f.orErr(r)
}

func (f *File) orErr(r *teamfile.Reader) (*File, error) {
	if r.Err != nil {
		return nil, r.Err
	}
	return f, nil
}

func (f *File) member(r *teamfile.Reader, m ordjson.Member) {
	switch m.Name {
	case "tests":
		if f.Tests = r.Text(m); !filepath.IsLocal(filepath.FromSlash(f.Tests)) {
			r.Fail(m.Off, "tests names a folder inside the project")
		}

	case "agents":
		r.Names(m, "agents is a list of names, such as [claude, cursor]", func(name string, off int) {
			line, col := r.Position(off)
			f.Agents = append(f.Agents, Agent{name, line, col})
		})

	case "requires":
		f.Requires = required(r, m)
	case "launcher":
		if f.Launcher = word(r, m); !slices.Contains(launcherWords, f.Launcher) {
			r.Fail(m.Off, "launcher is closed, open or off")
		}

	case "install":
		pairs(r, m, func(name, value string, line, col int) {
			f.Install = append(f.Install, Setting{name, value, line, col})
		})

	case "facts":
		for _, agent := range r.Members(m, m.Name+" is not a mapping") {
			pairs(r, agent, func(name, value string, line, col int) {
				f.Facts = append(f.Facts, Fact{agent.Name, name, value, line, col})
			})
		}

	case "imports":
		f.ImportsOff = importsOff(r, m)
	case "hooks":
		for _, e := range r.Elements(m, "hooks is a list of mappings with hook, command, and agents or exclude") {
			f.Hooks = append(f.Hooks, choice(r, e))
		}

	case "accept":
		for _, e := range r.Elements(m, "accept is a list of mappings with finding and reason") {
			f.Accept = append(f.Accept, accepted(r, e))
		}

	default:
		r.Unknown(m, "the file has "+plainList(keys)+suggest.Question(m.Name, keys))
	}
}

// keys are the keys that the file may have.
var keys = []string{"tests", "agents", "requires", "launcher", "install", "facts", "imports", "hooks", "accept"}

// plainList joins words into a list for a sentence.
func plainList(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// required reads ">=1.2". YAML turns a bare 1.2 into a number, which means the same.
func required(r *teamfile.Reader, m ordjson.Member) (v Required) {
	text := string(m.Value)
	if ordjson.KindOf(m.Value) != ordjson.Number {
		text = r.Text(m)
	}
	v.Version = strings.TrimPrefix(strings.TrimPrefix(text, ">="), " ")
	v.Line, v.Col = r.Position(m.Off)
	parts := strings.Split(v.Version, ".")
	if len(parts) > 3 || slices.ContainsFunc(parts, func(part string) bool {
		return part == "" || strings.Trim(part, "0123456789") != ""
	}) {
		r.Fail(m.Off, `requires is the oldest version of hookbridge, such as ">=1.2"`)
	}
	return v
}

// launcherWords are the values of launcher; YAML reads the last, written plainly, as a boolean in some versions.
var launcherWords = []string{"closed", "open", "off"}

// word returns a plain value as text.
func word(r *teamfile.Reader, m ordjson.Member) string {
	if string(m.Value) == "false" {
		return "off"
	}
	return r.Text(m)
}

// importsOff reads "off", or a mapping of agents to it.
func importsOff(r *teamfile.Reader, m ordjson.Member) (list []Agent) {
	off := func(m ordjson.Member, name string) {
		if word(r, m) != "off" {
			r.Fail(m.Off, m.Name+" is off: "+Name+" switches no import on")
		}
		line, col := r.Position(m.Off)
		list = append(list, Agent{name, line, col})
	}
	if ordjson.KindOf(m.Value) != ordjson.ObjectKind {
		off(m, "")
		return list
	}
	for _, agent := range r.Members(m, "imports is off, or a mapping such as {grok: off}") {
		off(agent, agent.Name)
	}
	return list
}

// pairs reads a mapping of plain values, which become text.
func pairs(r *teamfile.Reader, m ordjson.Member, add func(name, value string, line, col int)) {
	for _, v := range r.Members(m, m.Name+" is not a mapping") {
		switch ordjson.KindOf(v.Value) {
		case ordjson.ObjectKind, ordjson.Array, ordjson.Null:
			r.Fail(v.Off, v.Name+" is not a plain value")
		}
		text, ok := ordjson.String(v.Value)
		if !ok {
			text = string(v.Value)
		}
		line, col := r.Position(v.Off)
		add(v.Name, text, line, col)
	}
}

func accepted(r *teamfile.Reader, e ordjson.Member) (a Accepted) {
	a.Line, a.Col = r.Position(e.Off)
	for _, m := range r.Members(e, "an accepted finding is not a mapping") {
		text := r.Text(m)
		switch m.Name {
		case "finding":
			a.Finding = text
			a.Line, a.Col = r.Position(m.Off)
		case "reason":
			a.Reason = text
		default:
			r.Unknown(m, "an accepted finding has finding and reason")
		}
	}
	if a.Finding == "" || a.Reason == "" {
		r.Fail(e.Off, "an accepted finding needs finding and reason")
	}
	return a
}

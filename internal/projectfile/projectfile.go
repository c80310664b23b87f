// Package projectfile reads hookbridge.yaml: what a team states once about its
// hooks, in the root of the project. The file is optional.
//
//	tests: hook-tests            # folder of scenarios
//	install:                     # defaults for hookbridge install
//	  ask: deny
//	  evaluator: ./ask-model
//	facts:                       # what no file shows
//	  cursor: {third-party-imports: off}
//	accept:                      # findings that were reviewed
//	  - finding: twice cursor ./guard.sh
//	    reason: third-party import is off on every machine
package projectfile

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// Name is the file's name in the root of a project.
const Name = "hookbridge.yaml"

// A File is what hookbridge.yaml states. The zero File is that of a project
// without one.
type File struct {
	Path    string // "" if there is none
	Tests   string // folder of scenarios, relative to the project; "": the default
	Agents  []Agent
	Install []Setting
	Facts   []Fact
	Accept  []Accepted
}

// An Agent is one that the project uses.
type Agent struct {
	Name      string
	Line, Col int
}

// A Setting is a default for a flag of install.
type Setting struct {
	Flag, Value string
	Line, Col   int
}

// A Fact is something about an agent that no file shows.
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

// Mistake is an error at a place of the file.
func (f *File) Mistake(line, col int, msg string) error {
	return &frontmatter.Error{File: Name, Line: line, Col: col, Msg: msg}
}

// Load reads the file of a project. read is asked for its text; a file that isn't
// there is no error.
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
	json, err := frontmatter.Document(text)
	if e, ok := err.(*frontmatter.Error); ok {
		e.File = file
		return nil, e
	}
	p := parser{file: file, index: ordjson.NewIndex(json)}
	if strings.TrimSpace(string(json)) == "null" {
		return &File{}, nil
	}
	o, err := ordjson.Members(json, 0)
	if err != nil {
		return nil, p.errorAt(0, "expected a mapping with tests, agents, install, facts and accept")
	}
	f := &File{}
	for _, m := range o {
		if err := p.member(f, m); err != nil {
			return nil, err
		}
	}
	return f, nil
}

type parser struct {
	file  string
	index *ordjson.Index
}

func (p *parser) errorAt(off int, msg string) error {
	line, col := p.index.Position(off)
	return &frontmatter.Error{File: p.file, Line: line, Col: col, Msg: msg}
}

func (p *parser) member(f *File, m ordjson.Member) (err error) {
	switch m.Name {
	case "tests":
		f.Tests, err = p.text(m)
		if err == nil && !filepath.IsLocal(filepath.FromSlash(f.Tests)) {
			err = p.errorAt(m.Off, "tests names a folder inside the project")
		}
	case "agents":
		err = p.agents(f, m)
	case "install":
		err = p.pairs(m, func(name, value string, line, col int) {
			f.Install = append(f.Install, Setting{name, value, line, col})
		})
	case "facts":
		var o ordjson.Object
		if o, err = p.object(m); err != nil {
			return err
		}
		for _, agent := range o {
			err := p.pairs(agent, func(name, value string, line, col int) {
				f.Facts = append(f.Facts, Fact{agent.Name, name, value, line, col})
			})
			if err != nil {
				return err
			}
		}
	case "accept":
		err = p.accepted(f, m)
	default:
		err = p.errorAt(m.Off, "unknown key "+strconv.Quote(m.Name)+"; the file has tests, agents, install, facts and accept")
	}
	return err
}

func (p *parser) agents(f *File, m ordjson.Member) error {
	list, err := ordjson.Elements(m.Value, m.Off)
	for _, e := range list {
		name, ok := ordjson.String(e.Value)
		if !ok {
			err = p.errorAt(e.Off, "an agent is a name, such as cursor")
			break
		}
		line, col := p.index.Position(e.Off)
		f.Agents = append(f.Agents, Agent{name, line, col})
	}
	if err != nil && len(list) == 0 {
		err = p.errorAt(m.Off, "agents is a list of names, such as [claude, cursor]")
	}
	return err
}

func (p *parser) text(m ordjson.Member) (string, error) {
	s, ok := ordjson.String(m.Value)
	if !ok {
		return "", p.errorAt(m.Off, m.Name+" is not text")
	}
	return s, nil
}

func (p *parser) object(m ordjson.Member) (ordjson.Object, error) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		return nil, p.errorAt(m.Off, m.Name+" is not a mapping")
	}
	return o, nil
}

// pairs reads a mapping of plain values, which become text.
func (p *parser) pairs(m ordjson.Member, add func(name, value string, line, col int)) error {
	o, err := p.object(m)
	if err != nil {
		return err
	}
	for _, v := range o {
		switch ordjson.KindOf(v.Value) {
		case ordjson.ObjectKind, ordjson.Array, ordjson.Null:
			return p.errorAt(v.Off, v.Name+" is not a plain value")
		}
		text, ok := ordjson.String(v.Value)
		if !ok {
			text = string(v.Value)
		}
		line, col := p.index.Position(v.Off)
		add(v.Name, text, line, col)
	}
	return nil
}

func (p *parser) accepted(f *File, m ordjson.Member) error {
	list, err := ordjson.Elements(m.Value, m.Off)
	if err != nil {
		return p.errorAt(m.Off, "accept is a list of mappings with finding and reason")
	}
	for _, e := range list {
		o, err := p.object(ordjson.Member{Name: "an accepted finding", Value: e.Value, Off: e.Off})
		if err != nil {
			return err
		}
		a := Accepted{}
		a.Line, a.Col = p.index.Position(e.Off)
		for _, m := range o {
			text, err := p.text(m)
			switch {
			case err != nil:
				return err
			case m.Name == "finding":
				a.Finding = text
				a.Line, a.Col = p.index.Position(m.Off)
			case m.Name == "reason":
				a.Reason = text
			default:
				return p.errorAt(m.Off, "unknown key "+strconv.Quote(m.Name)+"; an accepted finding has finding and reason")
			}
		}
		if a.Finding == "" || a.Reason == "" {
			return p.errorAt(e.Off, "an accepted finding needs finding and reason")
		}
		f.Accept = append(f.Accept, a)
	}
	return nil
}

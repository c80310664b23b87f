// Package scenario reads the tests that a team writes for its hooks: what an
// agent is about to do, and what the hooks must answer.
//
//   - name: no rm -rf
//     call: shell "rm -rf /"
//     expect: deny
//
// A scenario names no agent, so that the same file holds under all of them.
package scenario

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Scenario is one test. Its Call is sent under every agent of the project, or
// under those of Agents only.
type Scenario struct {
	Name      string
	File      string
	Line, Col int // where the scenario begins, both from 1
	Call      Call
	Expect    Expect
	Agents    []string          // agents that the scenario is for; nil: all
	Differ    map[string]Expect // what an agent of its own must answer, by its name
}

// For returns what the hooks must answer under an agent; ok is false if the
// scenario is not meant for it.
func (s *Scenario) For(agent string) (e Expect, ok bool) {
	if e, ok := s.Differ[agent]; ok {
		return e, true
	}
	if s.Agents == nil || slices.Contains(s.Agents, agent) {
		return s.Expect, true
	}
	return Expect{}, false
}

// A Call is what the agent does, in canonical words or in those of any agent.
type Call struct {
	Event  string // "": before a tool
	Tool   string // a tool's name or its kind; "": the event is not about a tool
	Server string // MCP server of the tool
	Input  []byte // JSON object; nil: an example
	Output []byte // JSON object, on events after the tool; nil: an example
}

// An Expect is what the hooks must answer.
type Expect struct {
	Decision string // one of Decisions
	Reason   string // a part of the reason, or /regular expression/; "": any
	Context  string // the same for the context that hooks add
}

// Decisions are the answers that can be expected. None means that no hook
// objects, approves or asks.
func Decisions() []string { return []string{"deny", "allow", "ask", "none", "keep-going", "end-turn"} }

// Parse reads the scenarios of a file: a YAML list, or a mapping with the list
// under "scenarios". file is for messages only.
func Parse(file string, text []byte) ([]Scenario, error) {
	json, err := frontmatter.Document(text)
	if e, ok := err.(*frontmatter.Error); ok {
		e.File = file
		return nil, e
	}
	p := parser{file: file, index: ordjson.NewIndex(json)}
	list, err := ordjson.Elements(json, 0)
	if err != nil {
		o, oerr := ordjson.Members(json, 0)
		m, ok := member(o, "scenarios")
		if oerr != nil || !ok {
			return nil, p.errorAt(0, "expected a list of scenarios, each with name, call and expect")
		}
		if list, err = ordjson.Elements(m.Value, m.Off); err != nil {
			return nil, p.errorAt(m.Off, "scenarios is not a list")
		}
	}
	var out []Scenario
	for _, m := range list {
		s, err := p.scenario(m)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

type parser struct {
	file  string
	index *ordjson.Index
}

func (p *parser) errorAt(off int, msg string) error {
	line, col := p.index.Position(off)
	return &frontmatter.Error{File: p.file, Line: line, Col: col, Msg: msg}
}

func member(o ordjson.Object, name string) (ordjson.Member, bool) {
	i := slices.IndexFunc(o, func(m ordjson.Member) bool { return m.Name == name })
	if i < 0 {
		return ordjson.Member{}, false
	}
	return o[i], true
}

// scenario reads one entry of the list.
func (p *parser) scenario(m ordjson.Member) (s Scenario, err error) {
	o, oerr := ordjson.Members(m.Value, m.Off)
	if oerr != nil {
		return s, p.errorAt(m.Off, "a scenario is a mapping with name, call and expect")
	}
	s.File = p.file
	s.Line, s.Col = p.index.Position(m.Off)
	if len(o) > 0 {
		s.Line, s.Col = p.index.Position(o[0].Off)
	}
	for _, m := range o {
		switch m.Name {
		case "name":
			s.Name, err = p.text(m)
		case "call":
			s.Call, err = p.call(m)
		case "expect":
			s.Expect, err = p.expect(m, s.Expect)
		case "reason":
			s.Expect.Reason, err = p.text(m)
		case "context":
			s.Expect.Context, err = p.text(m)
		case "agents":
		default:
			err = p.errorAt(m.Off, "unknown key "+strconv.Quote(m.Name)+"; a scenario has name, call, expect, reason, context and agents")
		}
		if err != nil {
			return s, err
		}
	}
	if m, ok := member(o, "agents"); ok {
		if err := p.agents(&s, m); err != nil {
			return s, err
		}
	}
	switch {
	case s.Call.Event == "" && s.Call.Tool == "":
		return s, p.errorAt(m.Off, "the scenario has no call")
	case s.Expect == (Expect{}) && s.Differ == nil:
		return s, p.errorAt(m.Off, "the scenario has no expect: "+strings.Join(Decisions(), ", "))
	case s.Name == "":
		s.Name = s.Call.String()
	}
	return s, nil
}

// expect reads a decision, or a mapping with decision, reason and context. What
// it leaves out is as in base.
func (p *parser) expect(m ordjson.Member, base Expect) (Expect, error) {
	e := base
	if word, ok := ordjson.String(m.Value); ok {
		e.Decision = word
		return e, p.decision(m, word)
	}
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		return e, p.errorAt(m.Off, "expected one of "+strings.Join(Decisions(), ", ")+", or a mapping with decision, reason and context")
	}
	for _, m := range o {
		switch m.Name {
		case "decision":
			if e.Decision, err = p.text(m); err == nil {
				err = p.decision(m, e.Decision)
			}
		case "reason":
			e.Reason, err = p.text(m)
		case "context":
			e.Context, err = p.text(m)
		default:
			err = p.errorAt(m.Off, "unknown key "+strconv.Quote(m.Name)+"; expect has decision, reason and context")
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

func (p *parser) text(m ordjson.Member) (string, error) {
	text, ok := ordjson.String(m.Value)
	if !ok {
		return "", p.errorAt(m.Off, m.Name+" is not text")
	}
	return text, nil
}

func (p *parser) decision(m ordjson.Member, word string) error {
	if slices.Contains(Decisions(), word) {
		return nil
	}
	return p.errorAt(m.Off, strconv.Quote(word)+" is not a decision: want "+strings.Join(Decisions(), ", "))
}

// agents reads a list of agents, or a mapping from agents to what they answer.
func (p *parser) agents(s *Scenario, m ordjson.Member) error {
	if list, err := ordjson.Elements(m.Value, m.Off); err == nil {
		s.Agents = []string{}
		for _, e := range list {
			name, ok := ordjson.String(e.Value)
			if !ok {
				return p.errorAt(e.Off, "an agent is a name, such as cursor")
			}
			s.Agents = append(s.Agents, name)
		}
		return nil
	}
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		return p.errorAt(m.Off, "agents is a list of names, or a mapping from names to what is expected there")
	}
	s.Differ = map[string]Expect{}
	for _, m := range o {
		e, err := p.expect(m, s.Expect)
		if err != nil {
			return err
		}
		s.Differ[m.Name] = e
	}
	return nil
}

// Matches reports whether text has what a pattern asks for: the pattern as a part,
// or, between slashes, a match of that regular expression. An empty pattern asks
// for nothing.
func Matches(pattern, text string) bool {
	expr, ok := strings.CutPrefix(pattern, "/")
	expr, closed := strings.CutSuffix(expr, "/")
	if !ok || !closed || len(pattern) < 3 {
		return strings.Contains(text, pattern)
	}
	m, _ := matcher.Compile(schema.GrammarRegexp, expr)
	return m.Match(text) && !m.TimedOut()
}

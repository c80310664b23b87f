// Package scenario reads the tests that a team writes for its hooks: what an agent is about to do, and what the hooks
// must answer.
//
//   - name: no rm -rf
//     call: shell "rm -rf /"
//     expect: deny
//
// A scenario names no agent, so that the same file works for all of them.
package scenario

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/internal/teamfile"
)

// A Scenario is one test. Its Call is sent under every agent of the project, or only under those in Agents.
type Scenario struct {
	Name      string
	File      string
	Line, Col int // where the scenario begins, both from 1
	Call      Call
	Expect    Expect
	Agents    []string          // agents that the scenario is for; nil: all
	Differ    map[string]Expect // the required answer in particular agents, by name
}

// For returns what the hooks must answer under an agent; ok is false if the scenario isn't for it.
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

// Decisions lists the answers that can be expected. None means that no hook objects, approves or asks.
func Decisions() []string { return []string{"deny", "allow", "ask", "none", "keep-going", "end-turn"} }

// Parse reads the scenarios of a file: a YAML list, or a mapping with the list
// under "scenarios". file is for messages only.
func Parse(file string, text []byte) ([]Scenario, error) {
	reader, json := teamfile.Open(file, text)
	p := parser{reader}
	if p.Err != nil {
		return nil, p.Err
	}
	if ordjson.KindOf(bytes.TrimSpace(json.Value)) != ordjson.Array {
		o, _ := ordjson.Members(json.Value, 0)
		m, ok := o.Take("scenarios")
		if !ok {
			p.Fail(0, "expected a list of scenarios, each with name, call and expect")
		}
		json = m
	}
	out := lists.Map(p.Elements(json, "scenarios is not a list"), p.scenario)
	if p.Err != nil {
		return nil, p.Err
	}
	return out, nil
}

type parser struct{ *teamfile.Reader }

func (p parser) scenario(m ordjson.Member) (s Scenario) {
	o := p.Members(m, "a scenario is a mapping with name, call and expect")
	s.File = p.File
	s.Line, s.Col = p.Position(m.Off)
	if len(o) > 0 {
		s.Line, s.Col = p.Position(o[0].Off)
	}

	for _, m := range o {
		switch m.Name {
		case "name":
			s.Name = p.Text(m)
		case "call":
			s.Call = p.call(m)
		case "expect":
			s.Expect = p.expect(m, s.Expect)
		case "reason":
			s.Expect.Reason = p.pattern(m)
		case "context":
			s.Expect.Context = p.pattern(m)
		case "agents":
		default:
			p.Unknown(m, "a scenario has name, call, expect, reason, context and agents")
		}
	}

	if m, ok := o.Take("agents"); ok {
		p.agents(&s, m)
	}
	switch {
	case s.Call.Event == "" && s.Call.Tool == "":
		p.Fail(m.Off, "the scenario has no call")
	case s.Expect == (Expect{}) && s.Differ == nil:
		p.Fail(m.Off, "the scenario has no expect: "+strings.Join(Decisions(), ", "))
	case s.Name == "":
		s.Name = s.Call.String()
	}

	return s
}

// expect reads a decision, or a mapping with decision, reason and context. Missing keys have their values in e.
func (p parser) expect(m ordjson.Member, e Expect) Expect {
	if _, ok := ordjson.String(m.Value); ok {
		e.Decision = p.decision(m)
		return e
	}
	for _, m := range p.Members(m, "expected one of "+strings.Join(Decisions(), ", ")+
		", or a mapping with decision, reason and context") {
		switch m.Name {
		case "decision":
			e.Decision = p.decision(m)
		case "reason":
			e.Reason = p.pattern(m)
		case "context":
			e.Context = p.pattern(m)
		default:
			p.Unknown(m, "expect has decision, reason and context")
		}
	}
	return e
}

func (p parser) decision(m ordjson.Member) string {
	word := p.Text(m)
	if !slices.Contains(Decisions(), word) {
		p.Fail(m.Off, strconv.Quote(word)+" is not a decision: want "+strings.Join(Decisions(), ", "))
	}
	return word
}

// agents reads a list of agents, or a mapping from agents to their answers.
func (p parser) agents(s *Scenario, m ordjson.Member) {
	if ordjson.KindOf(m.Value) == ordjson.Array {
		s.Agents = []string{}
		p.Names(m, "", func(name string, _ int) { s.Agents = append(s.Agents, name) })
		return
	}
	s.Differ = map[string]Expect{}
	for _, m := range p.Members(m, "agents is a list of names, or a mapping from names to what is expected there") {
		s.Differ[m.Name] = p.expect(m, s.Expect)
	}
}

// pattern reads a pattern for a text; see Matches.
func (p parser) pattern(m ordjson.Member) string {
	text := p.Text(m)
	if expr, ok := expression(text); ok {
		if _, err := matcher.Compile(matcher.Anywhere, expr); err != nil {
			p.Fail(m.Off, m.Name+": "+err.Error())
		}
	}
	return text
}

// expression returns the regular expression between slashes.
func expression(pattern string) (expr string, ok bool) {
	n := len(pattern)
	if n < 3 || pattern[0] != '/' || pattern[n-1] != '/' {
		return "", false
	}
	return pattern[1 : n-1], true
}

// Matches reports whether text matches a pattern: it contains the pattern or, between slashes, a match of that regular
// expression. Any text matches an empty pattern.
func Matches(pattern, text string) bool {
	expr, ok := expression(pattern)
	if !ok {
		return strings.Contains(text, pattern)
	}
	m, _ := matcher.Compile(matcher.Anywhere, expr)
	return m.Match(text) && !m.TimedOut()
}

// Words lists the words that a one-line call begins with, except those for MCP servers.
func Words() (list []string) {
	for _, s := range shorthands {
		list = append(list, s.word)
	}
	return list
}

// shorthands are the calls that one line can state: a word and its arguments. Names of tools, events and fields are the
// canonical ones.
var shorthands = []struct {
	word, event, tool string
	members           []string
}{
	{"shell", "", "shell", []string{"command", "cwd"}},
	{"read", "", "read", []string{"path"}},
	{"write", "", "write", []string{"path", "content"}},
	{"edit", "", "edit", []string{"path", "old-text", "new-text"}},
	{"delete", "", "delete", []string{"path"}},
	{"grep", "", "grep", []string{"pattern", "path"}},
	{"glob", "", "glob", []string{"pattern", "path"}},
	{"list", "", "list", []string{"path"}},
	{"fetch", "", "fetch", []string{"url"}},
	{"web-search", "", "web-search", []string{"query"}},
	{"agent", "", "agent", []string{"agent-type", "prompt"}},
	{"prompt", "prompt-submit", "", []string{"prompt"}},
}

// String returns the call as one line.
func (c Call) String() string {
	head := c.Tool
	if c.Server != "" {
		head = c.Server + "/" + c.Tool
	}
	if c.Event != "" {
		head = strings.TrimSpace(c.Event + " " + head)
	}
	return strings.TrimSpace(head + " " + string(c.Input))
}

// call reads a line such as `shell "rm -rf /"`, or a mapping with event, tool,
// input and output.
func (p parser) call(m ordjson.Member) (c Call) {
	if line, ok := ordjson.String(m.Value); ok {
		c, msg := parseLine(line)
		if msg != "" {
			p.Fail(m.Off, msg)
		}
		return c
	}
	for _, m := range p.Members(m, `expected a line such as shell "ls", or a mapping with event, tool, input and `+
		`output`) {
		switch m.Name {
		case "event":
			c.Event = p.Text(m)
		case "tool":
			c.Tool = p.Text(m)
		case "server":
			c.Server = p.Text(m)
		case "input":
			c.Input = p.mapping(m)
		case "output":
			c.Output = p.mapping(m)
		default:
			p.Unknown(m, "a call has event, tool, server, input and output")
		}
	}
	return c
}

func (p parser) mapping(m ordjson.Member) []byte {
	p.Members(m, m.Name+" is not a mapping")
	return m.Value
}

// parseLine reads a one-line call; msg describes what is wrong with it.
func parseLine(line string) (c Call, msg string) {
	words, rest, msg := split(line)
	if msg != "" || len(words) == 0 {
		return c, cmp.Or(msg, "the call is empty")
	}
	return callOf(words, rest)
}

// ParseLine reads a one-line call, such as `shell "rm -rf /"`.
func ParseLine(line string) (Call, error) {
	c, msg := parseLine(line)
	if msg != "" {
		return c, errors.New(msg)
	}
	return c, nil
}

// ParseWords reads a call whose words a shell has split; an object may follow the first, or the tool of a server. msg
// describes what is wrong with it.
func ParseWords(words []string) (c Call, msg string) {
	if n := len(words) - 1; (n == 1 || words[0] == "mcp") && strings.HasPrefix(words[n], "{") {
		if ordjson.Check([]byte(words[n])) == nil {
			return callOf(words[:n], []byte(words[n]))
		}
	}
	return callOf(words, nil)
}

func callOf(words []string, rest []byte) (c Call, msg string) {
	if words[0] == "mcp" && len(words) > 2 {
		words = append([]string{"mcp:" + words[1] + "/" + words[2]}, words[3:]...)
	}
	if server, tool, ok := strings.Cut(strings.TrimPrefix(words[0], "mcp:"), "/"); ok &&
		strings.HasPrefix(words[0], "mcp:") {
		c = Call{Tool: tool, Server: server, Input: rest}
		return c, extra(words[1:])
	}

	for _, s := range shorthands {
		if s.word != words[0] {
			continue
		}
		c = Call{Event: s.event, Tool: s.tool, Input: rest}
		if len(words)-1 > len(s.members) {
			return c, extra(words[1+len(s.members):])
		}

		if len(words) > 1 {
			if rest != nil {
				return c, s.word + " takes words or an object, not both"
			}
			w := ordjson.NewWriter(nil)
			for i, v := range words[1:] {
				w.String(s.members[i], v)
			}
			c.Input = w.Bytes()
		}
		return c, ""
	}

	if len(words) > 1 {
		known := "mcp:SERVER/TOOL, " + strings.Join(Words(), ", ")
		return c, "unknown call " + strconv.Quote(words[0]) + "; calls are " + known +
			suggest.Question(words[0], Words())
	}
	return Call{Event: words[0], Input: rest}, ""
}

func extra(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "unexpected " + strconv.Quote(words[0]) + "; put text with blanks in quotes"
}

// split splits a line into words, which may be quoted as in JSON or with '. An object at the end is returned unchanged.
func split(line string) (words []string, object []byte, msg string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		switch line[0] {
		case '{':
			if ordjson.Check([]byte(line)) != nil {
				return nil, nil, "what follows { is not a JSON object"
			}
			return words, []byte(line), ""
		case '"':
			end := 1
			for end < len(line) && line[end] != '"' {
				if line[end] == '\\' {
					end++
				}
				end++
			}
			if end >= len(line) {
				return nil, nil, "a quote is not closed"
			}

			s, ok := ordjson.String([]byte(line[:end+1]))
			if !ok {
				return nil, nil, "write " + line[:end+1] + " as in JSON: \\\\ for a backslash"
			}
			words, line = append(words, s), line[end+1:]
		case '\'':
			s, after, ok := strings.Cut(line[1:], "'")
			if !ok {
				return nil, nil, "a quote is not closed"
			}
			words, line = append(words, s), after
		default:
			end := strings.IndexAny(line, " \t\n")
			if end < 0 {
				end = len(line)
			}
			words, line = append(words, line[:end]), line[end:]
		}
	}

	return words, nil, ""
}

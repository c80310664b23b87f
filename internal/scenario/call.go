package scenario

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// shorthands are the calls that one line can state: a word and what follows it.
// Names of tools, events and members are the canonical ones.
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

// String is the call as one line.
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
	for _, m := range p.Members(m, `expected a line such as shell "ls", or a mapping with event, tool, input and output`) {
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

// parseLine reads a call of one line; msg says what is wrong with it.
func parseLine(line string) (c Call, msg string) {
	words, rest, msg := split(line)
	if msg != "" || len(words) == 0 {
		return c, cmp.Or(msg, "the call is empty")
	}
	if server, tool, ok := strings.Cut(strings.TrimPrefix(words[0], "mcp:"), "/"); ok && strings.HasPrefix(words[0], "mcp:") {
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
	return Call{Event: words[0], Input: rest}, extra(words[1:])
}

func extra(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "unexpected " + strconv.Quote(words[0]) + "; put text with blanks in quotes"
}

// split cuts a line into words, which may be quoted as in JSON or by '. An
// object at the end is returned as it is.
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

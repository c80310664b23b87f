package dialect

import (
	"math"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// MCPNames describes how the tools of MCP servers are named: Prefix SERVER Between TOOL. The zero value means that
// names don't contain the server.
type MCPNames struct {
	Prefix, Between string
	schema.NameRules
	// Longest is the maximum length of a name in bytes; 0: no limit. A longer name is cut. If there is a Sum, the cut
	// name ends in "_" and the sum.
	Longest int
	// Sum computes a checksum of a name that is too long.
	Sum func(name string) string
	// SumsChanged: names in which a character was replaced also end in a sum, whatever their length.
	SumsChanged bool
	// ServerLast: the tool's name comes before the server's.
	ServerLast bool
	// Loose: server names may contain Between, so the end of the server's name is
	// ambiguous.
	Loose bool
	// Forms are how the agent names servers that have other names under other agents.
	Forms []ServerForm
	// Ends is how many bytes are kept at each end of a name longer than 2*Ends+3; "..." replaces the rest. 0: the whole
	// name.
	Ends int
}

// Join returns the name of a server's tool.
func (n MCPNames) Join(server, tool string) string {
	first, last := n.OfServer().Word(server), n.Word(tool)
	if n.Once {
		last = strings.TrimPrefix(last, first+n.Between)
	}
	if n.ServerLast {
		first, last = last, first
	}
	name := n.Prefix + first + n.Between + last
	if n.Ends > 0 && len(name) > 2*n.Ends+3 {
		name = name[:n.Ends] + "..." + name[len(name)-n.Ends:]
	}
	if n.Longest == 0 || len(name) <= n.Longest {
		return name
	}
	if n.Sum == nil {
		return name[:n.Longest]
	}
	sum := "_" + n.Sum(name)
	return name[:n.Longest-len(sum)] + sum
}

// Cut returns how many bytes of a tool's name, the end of written, are certain, as the agent may have shortened
// written; 0: all, -1: none.
func (n MCPNames) Cut(written, tool string) int {
	at := strings.LastIndexByte(tool, '_')
	switch {
	case n.SumsChanged && at > 0 && len(tool)-at == 1+len(n.Sum("")) && strings.ContainsAny(tool[at:], "0123456789"):
	case n.Longest == 0 || len(written) != n.Longest:
		return 0
	case n.Sum == nil:
		at = len(tool)
	}
	if at <= 0 {
		return -1
	}
	return at
}

// Read parses the name of a server's tool, as Split does, but allows for a name that the agent shortened.
func (n MCPNames) Read(t *schema.Tool, name string) bool {
	server, tool, ok := n.Split(name)
	rest, prefixed := strings.CutPrefix(name, n.Prefix)
	switch longest := n.OfServer().Most; {
	case ok:
		t.Server, t.Name, t.Cut = server, tool, n.Cut(name, tool)
		if longest > 0 && len(server) == longest {
			t.Server, t.Begins = "", server
		}
	case !prefixed || n.Between == "" || n.Longest == 0 || len(name) != n.Longest:
		return false
	default: // the cut is inside the server's name
		if t.Name, t.Begins, t.Cut = "", rest, -1; n.Sum != nil {
			t.Begins = rest[:max(strings.LastIndexByte(rest, '_'), 0)]
		}
	}
	t.Kinds, t.Written = []schema.Kind{schema.MCP}, n.NameRules
	return true
}

// MayOwn reports whether a server, as other rules write its name, may be the unnamed server of a call.
func (n MCPNames) MayOwn(t *schema.Tool, written schema.NameRules, server string) bool {
	if t.Begins == "" {
		return !n.Loose || strings.HasPrefix(n.Prefix+t.Name, n.Join(server, ""))
	}
	return slices.ContainsFunc(n.OfServer().Spellings(written.OfServer(), server), func(s string) bool {
		return strings.HasPrefix(s, t.Begins)
	})
}

// Owns reports whether a configured server may be the server of a call.
func (n MCPNames) Owns(t *schema.Tool, server string) bool {
	return t.Begins != "" && n.MayOwn(t, schema.NameRules{}, server) || n.Join(server, "") == n.Join(t.Server, "")
}

// Starts returns the certain prefixes of names that may have been shortened. Their last unsure bytes may be a sum.
func (n MCPNames) Starts(names []string, unsure int) []string {
	return lists.Map(names, func(name string) string {
		return name[:min(max(len(name)-unsure, 0), n.Sure())]
	})
}

// longestSum is the maximum length of a Sum with its "_", in bytes.
const longestSum = 10

// Sure returns how many bytes at the start of a name are kept, however long it is.
func (n MCPNames) Sure() int {
	switch {
	case n.Ends > 0:
		return n.Ends
	case n.Longest > 0 && n.Sum != nil:
		return n.Longest - longestSum
	case n.Longest > 0:
		return n.Longest
	}
	return math.MaxInt
}

// Names are this agent's possible names for a tool whose server and tool names another agent wrote by its own rules,
// Join's first. If many characters of a name are ambiguous, mixed variants are left out.
func (n MCPNames) Names(written schema.NameRules, server, tool string) []string {
	names := []string{n.Join(server, tool)}
	tools := []string{tool}
	if written.Once {
		tools = append(tools, server+string(written.Else)+tool)
	}
	for _, s := range n.OfServer().Spellings(written.OfServer(), server) {
		for _, tool := range tools {
			for _, t := range n.NameRules.Spellings(written, tool) {
				if name := n.Join(s, t); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// Expression returns a regular expression for all Names, and whether it has several spellings. A server or tool of ""
// matches any.
func (n MCPNames) Expression(written schema.NameRules, server, tool string) (expression string, several bool) {
	before, sure, longest := len(n.Prefix)+len(server)+len(n.Between), n.Sure(), n.OfServer().Most
	changed := n.SumsChanged && tool != "" && strings.Contains(server+tool, string(n.Else))
	between, end := matcher.Escape(n.Between), ""
	switch { // the part that the agent may have cut off
	case server != "" && before > sure:
		server, tool, between = server[:max(sure-len(n.Prefix), 0)], "", ""
	case server != "" && tool != "" && before+len(tool) > sure && before < sure:
		tool, end = tool[:sure-before], ".*"
	case changed:
		end = "(?:_[0-9a-z]+)?"
	}
	if longest > 0 && len(server) >= longest {
		server, between = server[:longest-1], ".*"+between
	}
	server, loose := expressionOf(n.OfServer(), written.OfServer(), server)
	tool, several = expressionOf(n.NameRules, written, tool)
	if n.ServerLast {
		server, tool = tool, server
	}
	return matcher.Escape(n.Prefix) + server + between + tool + end, several || loose || changed
}

// expressionOf returns one expression for every result of rules for a name that was written by other rules.
func expressionOf(rules, written schema.NameRules, word string) (expression string, several bool) {
	if word == "" {
		return ".*", false
	}

	before := 0 // number of images of the previous character if its last may merge with the next one's first
	for _, c := range word {
		of := rules.Images(written, c)
		joins := rules.Runs && slices.Contains(of, string(rules.Else))
		one, again := matcher.Escape(of[0]), ""
		if len(of) > 1 {
			one, several = "(?:"+strings.Join(lists.Map(of, matcher.Escape), "|")+")", true
		}
		switch {
		case joins && before == 1 && len(of) == 1:
			continue
		case joins && before > 0:
			again = "*"
		case written.Runs && c == rune(written.Else) && !(rules.Runs && rules.Else == written.Else):
			again, several = "+", true
		}
		if expression += one + again; joins {
			before = len(of)
		} else {
			before = 0
		}
	}

	return expression, several
}

// Split splits such a name at the first possible place. The server is "" if the name doesn't contain it.
func (n MCPNames) Split(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, n.Prefix)
	if !ok || n.Between == "" {
		return "", "", false
	}
	if n.Loose {
		return "", rest, n.hasServer(rest)
	}
	return strings.Cut(rest, n.Between)
}

// hasServer reports whether a name, behind Prefix, may be that of a server's tool.
func (n MCPNames) hasServer(rest string) bool {
	return n.Prefix != "" || strings.Contains(rest, n.Between)
}

// Splits splits a name at each place where the server may end, into server and tool, both "" for any.
func (n MCPNames) Splits(name string) (splits [][2]string) {
	rest, ok := strings.CutPrefix(name, n.Prefix)
	if !ok || n.Between == "" {
		return nil
	}
	if n.Loose && n.hasServer(rest) {
		return [][2]string{{}}
	}
	for i := 0; i+len(n.Between) <= len(rest); i++ {
		if strings.HasPrefix(rest[i:], n.Between) {
			first, last := rest[:i], rest[i+len(n.Between):]
			if n.ServerLast {
				first, last = last, first
			}
			splits = append(splits, [2]string{first, last})
		}
	}
	return splits
}

// ServerIn returns the MCP server in a matcher, "" if there is none.
func (p *Profile) ServerIn(pattern string) string {
	_, rest, ok := strings.Cut(pattern, p.MCP.Prefix)
	if !ok || p.MCP.Between == "" || p.MCP.Loose {
		return ""
	}
	server, _, ok := strings.Cut(rest, p.MCP.Between)
	if !ok || strings.ContainsAny(server, `.*+?()[]{}|\^$ `) {
		return ""
	}
	return server
}

// ServersIn returns names of MCP servers if the matcher selects the tools of some servers only; at least one of them is
// such a server. An expression isn't anchored, so it need not begin like a name. The agent's own tool names don't count
// as servers.
func (p *Profile) ServersIn(pattern string) []string {
	if p.MCP.Between == "" {
		return nil
	}
	m, _ := matcher.Compile(p.Grammar, pattern)
	_, plain := m.Plain()
	loose := p.MCP.Loose || strings.Contains(p.MCP.Kept, p.MCP.Between)
	return matcher.Between(pattern, p.MCP.Prefix, p.MCP.Between, loose, func(s string, behind bool) bool {
		return !behind && plain || slices.ContainsFunc(p.Tools, func(t schema.ToolRow) bool {
			return t.Name == s || slices.Contains(t.Aliases, s) || !behind && strings.Contains(t.Name, s)
		})
	})
}

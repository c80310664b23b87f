package dialect

import (
	"math"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// MCPNames says how the tools of MCP servers are named: Prefix SERVER Between TOOL.
// The zero value means that names don't contain the server.
type MCPNames struct {
	Prefix, Between string
	schema.NameRules
	// Longest is how many bytes a name has at most; 0: any number. Of a longer one the
	// start is kept, and if there is a Sum, "_" and that end it.
	Longest int
	// Sum is made of a name that is too long.
	Sum func(name string) string
	// SumsChanged: it also ends names in which a character was replaced, however short they are.
	SumsChanged bool
	// ServerLast: the tool's name stands before the server's.
	ServerLast bool
	// Loose: server names may contain Between, so the end of the server's name is
	// ambiguous.
	Loose bool
	// Forms are those in which the agent names servers that other agents call otherwise.
	Forms []ServerForm
	// Ends is how many bytes a name keeps at either end if it is longer than
	// 2*Ends+3; "..." replaces the others. 0: all.
	Ends int
}

// Join makes the name of a server's tool.
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

// Cut is how many bytes of a tool's name, the end of written, are surely its own, where the
// agent may have shortened what it has written; 0: all, -1: none.
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

// Read takes the name of a server's tool apart, as Split does, where the agent may have shortened it too.
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
	default: // the cut is inside of the server's name
		if t.Name, t.Begins, t.Cut = "", rest, -1; n.Sum != nil {
			t.Begins = rest[:max(strings.LastIndexByte(rest, '_'), 0)]
		}
	}
	t.Kinds, t.Written = []schema.Kind{schema.MCP}, n.NameRules
	return true
}

// MayOwn reports whether a server, as other rules write its name, may be the one that a call doesn't name.
func (n MCPNames) MayOwn(t *schema.Tool, written schema.NameRules, server string) bool {
	if t.Begins == "" {
		return !n.Loose || strings.HasPrefix(n.Prefix+t.Name, n.Join(server, ""))
	}
	return slices.ContainsFunc(n.OfServer().Spellings(written.OfServer(), server), func(s string) bool {
		return strings.HasPrefix(s, t.Begins)
	})
}

// Owns reports whether a configured server may be that of a call.
func (n MCPNames) Owns(t *schema.Tool, server string) bool {
	return t.Begins != "" && n.MayOwn(t, schema.NameRules{}, server) || n.Join(server, "") == n.Join(t.Server, "")
}

// Starts are what the whole names begin with where those given may be shortened, and their last
// unsure bytes a sum.
func (n MCPNames) Starts(names []string, unsure int) []string {
	return lists.Map(names, func(name string) string {
		return name[:min(max(len(name)-unsure, 0), n.Sure())]
	})
}

// longestSum is the most bytes that a Sum has, with "_".
const longestSum = 10

// Sure is how many bytes at the start of a name are kept, however long it is.
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

// Names are the names that this agent may have for a tool of which another agent has
// written the server's and the tool's name by its own rules, Join's first. Of names with
// many characters that may have been others, those are left out that mix these.
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

// Expression is an expression for all Names, of any server or tool where one is "", and
// whether it is for several spellings.
func (n MCPNames) Expression(written schema.NameRules, server, tool string) (expression string, several bool) {
	before, sure, longest := len(n.Prefix)+len(server)+len(n.Between), n.Sure(), n.OfServer().Most
	changed := n.SumsChanged && tool != "" && strings.Contains(server+tool, string(n.Else))
	between, end := matcher.Escape(n.Between), ""
	switch { // what the agent may have cut off
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

// expressionOf is one for all that rules make of a name that others have written.
func expressionOf(rules, written schema.NameRules, word string) (expression string, several bool) {
	if word == "" {
		return ".*", false
	}

	before := 0 // how many images the character before has, if its last may be one with the first of the next
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

// Split takes such a name apart, at the first place where that is possible. The
// server is "" if the name doesn't contain it.
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

// Splits takes a name apart at each place where the server may end: server and tool,
// both "" for any.
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

// ServerIn returns the MCP server that a matcher names, "" if none.
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

// ServersIn returns names of MCP servers among which is one whose tools the matcher
// takes, if it takes those of some servers only. An expression is searched for, so that
// it need not begin like a name; a tool's own name is none of a server's there.
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

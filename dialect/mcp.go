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
	// Loose: server names may contain Between, so the end of the server's name is
	// ambiguous.
	Loose bool
	// Ends is how many bytes a name keeps at either end if it is longer than
	// 2*Ends+3; "..." replaces the others. 0: all.
	Ends int
}

// Join makes the name of a server's tool.
func (n MCPNames) Join(server, tool string) string {
	name := n.Prefix + n.Word(server) + n.Between + n.Word(tool)
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
// agent may have shortened what it has written; 0: all.
func (n MCPNames) Cut(written, tool string) int {
	at := max(strings.LastIndexByte(tool, '_'), 0)
	switch {
	case n.SumsChanged && at > 0 && len(tool)-at == 1+len(n.Sum("")) && strings.ContainsAny(tool[at:], "0123456789"):
		return at
	case n.Longest == 0 || len(written) != n.Longest:
		return 0
	case n.Sum == nil:
		return len(tool)
	}
	return at
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
	for _, s := range n.NameRules.Spellings(written, server) {
		for _, t := range n.NameRules.Spellings(written, tool) {
			if name := n.Join(s, t); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Expression is an expression for all Names, of any server or tool where one is "", and
// whether it is for several spellings.
func (n MCPNames) Expression(written schema.NameRules, server, tool string) (expression string, several bool) {
	before, end := len(n.Prefix)+len(server)+len(n.Between), ""
	changed := n.SumsChanged && tool != "" && strings.Contains(server+tool, string(n.Else))
	if sure := n.Sure(); server != "" && tool != "" && before+len(tool) > sure && before < sure {
		tool, end = tool[:sure-before], ".*" // the agent may have shortened it
	} else if changed {
		end = "(?:_[0-9a-z]+)?"
	}
	server, loose := n.expression(written, server)
	tool, several = n.expression(written, tool)
	return matcher.Escape(n.Prefix) + server + matcher.Escape(n.Between) + tool + end, several || loose || changed
}

func (n MCPNames) expression(written schema.NameRules, word string) (expression string, several bool) {
	if word == "" {
		return ".*", false
	}
	for _, c := range word {
		of := n.Images(written, c)
		if len(of) == 1 {
			expression += matcher.Escape(of[0])
			continue
		}
		expression, several = expression+"(?:"+strings.Join(lists.Map(of, matcher.Escape), "|")+")", true
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
			splits = append(splits, [2]string{rest[:i], rest[i+len(n.Between):]})
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

package dialect

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// A ServerForm is how an agent writes the names of some MCP servers that have other names under other agents. It is
// Before, OWNER "_" if the owner is named, and SERVER.
type ServerForm struct {
	Before string
	Owned  bool // the name of the server's owner follows Before
	// Titled: SERVER is a title, which other agents may write in lower case or with other punctuation.
	Titled bool
	Of     string // the owners of the servers, for a sentence: "plugins"
	Source string
}

// FormOf returns the form of a server's name, nil if the name has none.
func (n MCPNames) FormOf(server string) *ServerForm {
	i := slices.IndexFunc(n.Forms, func(f ServerForm) bool { return len(f.plain(server)) > 0 })
	if i < 0 {
		return nil
	}
	return &n.Forms[i]
}

// PlainNames are the possible names under another agent for a server whose name has a form that the other agent lacks,
// with the longest first. They are nil if there are none. The end of the owner's name isn't known.
func (n MCPNames) PlainNames(server string, other *MCPNames) []string {
	if f := n.FormOf(server); f != nil && !other.has(f) {
		return f.plain(server)
	}
	return nil
}

func (n MCPNames) has(f *ServerForm) bool {
	return slices.ContainsFunc(n.Forms, func(own ServerForm) bool { return own.Before == f.Before })
}

func (f *ServerForm) plain(server string) (names []string) {
	rest, ok := strings.CutPrefix(server, f.Before)
	switch {
	case !ok || rest == "":
	case f.Owned:
		for i := range rest {
			if rest[i] == '_' && i > 0 && i < len(rest)-1 {
				names = append(names, rest[i+1:])
			}
		}
	case f.Titled && strings.ToLower(rest) != rest:
		names = []string{rest, strings.ToLower(rest)}
	default:
		names = []string{rest}
	}
	return names
}

// FormedNames are the names in one of the agent's forms that patterns mention and that may mean another agent's server.
// A pattern is the text of a matcher or condition.
func (n MCPNames) FormedNames(pattern, server string, other *MCPNames) (names []string) {
	for _, f := range n.Forms {
		if !strings.Contains(pattern, f.Before) || server == "" || other.has(&f) {
			continue
		}
		for _, word := range append(matcher.Between(pattern, f.Before, "_", true, never), "x") {
			switch {
			case f.Owned:
				names = append(names, f.Before+word+"_"+server)
			case titleKey(word) == titleKey(server):
				names = append(names, f.Before+word)
			}
		}
		if !f.Owned {
			names = append(names, f.Before+server)
		}
	}
	return names
}

func never(string, bool) bool { return false }

// titleKey returns the common part of a server's title and the names that other agents give it.
func titleKey(name string) string {
	return strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(strings.ToLower(name))
}

// FormsIn lists the forms that a pattern mentions and that another agent lacks.
func (n MCPNames) FormsIn(pattern string, other *MCPNames) (forms []ServerForm) {
	for _, f := range n.Forms {
		if strings.Contains(pattern, n.Prefix+f.Before) && !other.has(&f) {
			forms = append(forms, f)
		}
	}
	return forms
}

// PlainPick returns one pick for each name that other agents may have for a server whose name has a form.
func (n MCPNames) PlainPick(p schema.Pick, other *MCPNames) (picks []schema.Pick) {
	for _, server := range n.PlainNames(p.Server, other) {
		p.Server = server
		picks = append(picks, p)
	}
	return picks
}

// ExpressionOf is Expression for a pick. If the server may have a form, it includes the names in each form.
func (n MCPNames) ExpressionOf(p schema.Pick) (expression string, several bool) {
	expression, several = n.Expression(p.Written, p.Server, p.Name)
	rest, ok := strings.CutPrefix(expression, matcher.Escape(n.Prefix))
	if !ok || !p.AnyForm || len(n.Forms) == 0 {
		return expression, several
	}
	before := lists.Map(n.Forms, func(f ServerForm) string {
		if f.Owned {
			return matcher.Escape(f.Before) + ".+_"
		}
		return matcher.Escape(f.Before)
	})
	return matcher.Escape(n.Prefix) + "(?:" + strings.Join(before, "|") + ")?" + rest, true
}

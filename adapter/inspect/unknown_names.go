package inspect

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// misses reports whether a name is another agent's for a tool that a matcher with it doesn't fit here, though it fits
// others.
func (c *checker) misses(m *matcher.Matcher, name, owner string) bool {
	own := c.ownTool(name)
	return owner != "" && owner != c.d.Profile().Title && own != "" &&
		!slices.ContainsFunc(strings.Split(own, "|"), func(tool string) bool { return m.Match(tool) })
}

// unknownNames reports each alternative of a matcher that fits no tool that the agent is known to have: a name that no
// tool can have and one of another agent's keep the hook from running, any other may be of a tool that no table has.
func (c *checker) unknownNames(h *schema.Hook, m *matcher.Matcher, path string) {
	if slices.ContainsFunc(c.ds, func(d schema.Diagnostic) bool {
		return d.Code == schema.CodeDeadMatcher && d.Path == path && d.File == h.Source.File && d.Line == h.Line
	}) {
		return
	}

	parts, plain := m.Plain()
	if !plain {
		parts = alternatives(h.Matcher)
	}
	for _, part := range parts {
		names := []string{part}
		if !plain {
			names = matcher.Examples(part, "x")
		}
		one, err := matcher.Compile(c.d.Profile().GrammarOf(h.Native), part)
		fits := err == nil && (one.All() || c.fitsOwn(h.Native, one) || plan.TakesMCP(c.d, one, part))
		if fits || slices.ContainsFunc(names, c.mayBeMCP) {
			continue
		}

		foreign := slices.IndexFunc(names, func(name string) bool { return c.toolOf(name) != "" })
		switch known := c.d.Profile().TitleChecked(); {
		case !slices.ContainsFunc(names, c.isName):
			c.addPart(h, path, part+" can't be the name of a tool of "+known, "", schema.Change{})
		case foreign >= 0 && !plain:
			fix := ""
			if own := c.ownTool(names[foreign]); own != "" {
				fix = "write " + own
			}
			c.addPart(h, path, part+" matches no tool of "+known+"; "+names[foreign]+" is its name in "+
				c.toolOf(names[foreign]), fix, schema.Change{})
		case foreign < 0:
			c.addPart(h, path, known+" isn't known to have a tool "+part, "", schema.Change{})
			c.ds[len(c.ds)-1].Severity = schema.Note
		}
	}
}

// mayBeMCP reports whether a name may be that of a tool of an MCP server.
func (c *checker) mayBeMCP(name string) bool {
	mcp := c.d.Profile().MCP
	return len(mcp.Splits(name)) > 0 || mcp.Prefix != "" && strings.HasPrefix(name, mcp.Prefix)
}

// isName reports whether a tool of the agent may be called so: with the characters of the names that it has.
func (c *checker) isName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		usual := r == '_' || r == '-' || r == '.' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
		return !usual && !slices.ContainsFunc(c.toolNames(), func(own string) bool {
			return strings.ContainsRune(own, r)
		})
	}) < 0
}

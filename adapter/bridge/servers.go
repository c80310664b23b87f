package bridge

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// withForms adds the other names that the call's MCP server may have for the hooks' agent: the plain ones if the host
// names the server's owner, and those in a form of the hooks' agent that the hooks mention. The call stays the same if
// there are none.
func withForms(r *run, c *schema.Call, hooks []schema.Hook) *schema.Call {
	own, host := &r.rules.MCP, &r.hostRules.MCP
	if !r.foreignHooks() || len(own.Forms)+len(host.Forms) == 0 {
		return c
	}

	known, count := []string{c.Tool.Server}, map[bool]int{}
	add := func(ofProject bool, names []string) {
		for _, name := range names {
			if !slices.Contains(known, name) && count[ofProject] < maxServers {
				known = append(known, name)
				count[ofProject]++
			}
		}
	}

	add(false, host.PlainNames(c.Tool.Server, own))
	if len(own.Forms) > 0 {
		for i := range hooks {
			h := &hooks[i]
			add(h.Source.OfProject(), own.FormedNames(h.Matcher, c.Tool.Server, host))
			add(h.Source.OfProject(), own.FormedNames(h.Condition, c.Tool.Server, host))
		}
	}

	if len(known) == 1 {
		return c
	}

	c = c.Clone()
	c.Tool.Servers = known[1:]
	return c
}

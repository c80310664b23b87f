package marten

import (
	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// from is what Claude Code's dialect makes of the agent: each behavior that the marten shares is taken by name.
func (d Dialect) from() claude.Dialect { return claude.Dialect{Agent: d.Agent} }

// Given is the source for a file that the user named.
func (d Dialect) Given(file string) schema.Source { return d.from().Given(file) }

// Plugins lists the files of the plugins that are switched on.
func (d Dialect) Plugins(p schema.Places, cfgs []*schema.Config, read dialect.ReadFile) []schema.Source {
	return d.from().Plugins(p, cfgs, read)
}

// Resolve returns the hooks of several files that count.
func (d Dialect) Resolve(cfgs []*schema.Config) ([]schema.Hook, schema.Diagnostics) {
	return d.from().Resolve(cfgs)
}

// Spec prepares a hook as the agent starts it.
func (d Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (dialect.Spec, error) {
	return d.from().Spec(h, c, p)
}

// DecodeReply reads what a hook answered.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *dialect.Result) (schema.Reply, schema.Diagnostics) {
	return d.from().DecodeReply(h, v, res)
}

// Honors returns the effects of a reply that the agent acts on.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature { return d.from().Honors(c, r) }

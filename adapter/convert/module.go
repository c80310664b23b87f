package convert

import (
	"bytes"
	"math"
	"slices"
	"time"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// ConvertModule writes the hooks of one dialect as a module of callbacks for another,
// which must have modules: one callback for each event and matcher, which calls the
// bridge. Every hook of cfg is in the module or named by the path of a diagnostic.
// The head of the module lists everything that was lost, including the findings of
// read, which come from reading cfg.
func ConvertModule(from, to dialect.Dialect, cfg *schema.Config, read schema.Diagnostics, script bool, p cmdline.Policy) *Conversion {
	w := dialect.Ability[dialect.ModuleWriter](to)
	x := &moduleConverter{types: w, converter: converter{Conversion: &Conversion{In: len(cfg.Hooks)}, from: from, to: to, policy: p,
		plan: plan.New(from, to)}}
	for i := range cfg.Hooks {
		x.hook(&cfg.Hooks[i])
	}
	x.Diagnostics = append(x.Diagnostics, LeftBehind(cfg, len(cfg.Hooks) > 0)...)
	m := schema.Module{From: from.Profile().Full(), Script: script}
	m.Groups = lists.Map(x.groups, func(g moduleGroup) schema.ModuleGroup { return g.module(from, to, p) })
	for _, d := range slices.Concat(read, x.Diagnostics) {
		d.File, d.Line = "", 0
		m.Lost = append(m.Lost, d.String())
	}
	x.Out = len(m.Groups)
	x.Module = w.WriteModule(&m)
	return x.Conversion
}

type moduleConverter struct {
	converter
	types  dialect.ModuleWriter
	groups []moduleGroup
}

// A moduleGroup gathers the hooks that one callback answers for.
type moduleGroup struct {
	native, matcher string
	source          schema.Source // its scope and plugin matter, not its file
	hooks           Conversion    // in their own dialect
	limit           time.Duration
	closed          bool
}

func (x *moduleConverter) hook(h *schema.Hook) {
	entries := x.plan.Entries(h, true)
	if cmdline.FindsHooks(h.Command) {
		x.report(schema.CodeAlreadyRun, schema.Note, h, "", "this entry calls hookbridge, which finds its hooks itself; convert those hooks instead")
		return
	}
	reportAll(&x.Diagnostics, x.from, h, x.plan.Findings(h, entries))
	switch {
	case len(entries) == 0:
		return
	case h.Handler != schema.HandlerCommand && h.Handler != schema.HandlerHTTP:
		x.report(schema.CodeNoHandler, plan.GuardSeverity(x.from, h), h, "", schema.An(h.Handler.String())+" hook can't run outside its own agent, so it was left out")
		return
	}
	own := schema.Entry{Native: h.Native, Pointer: x.from.Profile().EventsAt + "/" + h.Native, Matcher: h.Matcher, Exact: true}
	value, says := x.from.WriteHook(own, h)
	x.lost(h, h.Uses()&^says)
	for _, m := range h.Extra {
		x.report(schema.CodeMemberLost, schema.Note, h, m.Name, "hookbridge doesn't know this setting, so it was left out")
	}
	for _, e := range entries {
		g := x.group(e, h)
		g.hooks.Entries = append(g.hooks.Entries, Placed{own.Pointer, value, h.Path})
		g.limit = max(g.limit, x.from.Profile().Timeout(h))
		g.closed = g.closed || h.Fail == schema.FailClosed
		if !x.types.Typed(e.Native) {
			x.report(schema.CodeUntyped, schema.Note, h, "", "the types of "+x.to.Profile().Title+" don't have "+e.Native+", so the module adds a cast")
		}
	}
}

func (x *moduleConverter) group(e schema.Entry, h *schema.Hook) *moduleGroup {
	src := h.Source
	src.File = ""
	if src.Scope != schema.ScopeUser && src.Plugin == "" {
		src.Scope = schema.ScopeGiven
	}
	for i := range x.groups {
		if g := &x.groups[i]; g.native == e.Native && g.matcher == e.Matcher && g.source == src {
			return g
		}
	}
	x.groups = append(x.groups, moduleGroup{native: e.Native, matcher: e.Matcher, source: src})
	return &x.groups[len(x.groups)-1]
}

func (g *moduleGroup) module(from, to dialect.Dialect, p cmdline.Policy) schema.ModuleGroup {
	m := schema.ModuleGroup{Native: g.native, Matcher: g.matcher, Config: g.hooks.Document(from)}
	m.Timeout = time.Duration(math.Ceil((g.limit + margin).Seconds())) * time.Second
	if g.source.Plugin != "" {
		m.Flags = append(m.Flags, "--plugin-root", g.source.Plugin)
	}
	if g.source.Scope == schema.ScopeUser {
		m.Flags = append(m.Flags, "--scope", schema.ScopeUser.String())
	}
	m.Flags = append(m.Flags, p.Flags()...)
	if g.closed {
		m.Flags = append(m.Flags, "--fail-closed")
		m.Refusal = to.Refuse(nil, g.native, "hookbridge failed and couldn't run the hooks for this call")
	}
	return m
}

// WroteModule reports whether a text is a module that ConvertModule made for to.
func WroteModule(to dialect.Dialect, text []byte) bool {
	w := dialect.Ability[dialect.ModuleWriter](to)
	return w != nil && w.WroteModule(text)
}

// fromModule makes the entries by which another agent calls the callbacks of a
// module: one for each of its events that a callback needs, because the module's
// own matchers choose among the callbacks.
func (c *converter) fromModule(cfg *schema.Config) {
	if c.wrap == WrapNever {
		for i := range cfg.Hooks {
			c.report(schema.CodeNoHandler, plan.GuardSeverity(c.from, &cfg.Hooks[i]), &cfg.Hooks[i], "", "a callback can't be copied; it needs hookbridge")
		}
		return
	}
	in := Installation{Host: c.to, Hooks: c.from, Policy: c.policy, Module: cfg.Hooks[0].Command}
	entries, ds := in.Entries(cfg.Hooks)
	c.Entries, c.Diagnostics = entries, append(c.Diagnostics, ds...)
}

// Original gives the hooks back that ConvertModule made a module for d of. ok is
// false if the text is none, if its hooks are not of the dialect to, or if the
// module made of the hooks would be another one: then somebody has changed it
// since, and what it does is what it says.
func Original(d, to dialect.Dialect, text []byte) (c *Conversion, cfg *schema.Config, ok bool) {
	w := dialect.Ability[dialect.ModuleWriter](d)
	if w == nil {
		return nil, nil, false
	}
	from, configs := w.ModuleConfigs(text)
	if from != to.Profile().Full() || len(configs) == 0 {
		return nil, nil, false
	}
	c, cfg = &Conversion{}, &schema.Config{}
	have := map[string]int{}
	for _, config := range configs { // a hook that several events need is in each of their groups
		one, _ := to.ParseConfig(config, schema.Source{})
		here := map[string]int{}
		for _, h := range one.Hooks {
			e := schema.Entry{Native: h.Native, Pointer: to.Profile().EventsAt + "/" + h.Native, Matcher: h.Matcher, Exact: true}
			value, _ := to.WriteHook(e, &h)
			key := e.Pointer + string(value)
			if here[key]++; here[key] <= have[key] {
				continue
			}
			have[key]++
			c.Entries = append(c.Entries, Placed{e.Pointer, value, h.Path})
			cfg.Hooks = append(cfg.Hooks, h)
		}
	}
	c.In, c.Out = len(cfg.Hooks), len(cfg.Hooks)
	for _, script := range []bool{false, true} {
		for _, p := range []cmdline.Policy{{}, {Allow: cmdline.AllowApprove}} {
			if bytes.Equal(code(ConvertModule(to, d, cfg, nil, script, p).Module), code(text)) {
				return c, cfg, true
			}
		}
	}
	return nil, nil, false
}

// code is a module without the head that says what was lost.
func code(module []byte) []byte { return module[max(bytes.Index(module, []byte("\nimport ")), 0):] }

// Package convert converts one dialect's configuration into another's, and writes the entries through which an
// installation calls hookbridge.
package convert

import (
	"cmp"
	"slices"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// WrapPolicy decides whether converted commands are wrapped in a call to hookbridge, which translates payloads and
// answers for them.
type WrapPolicy uint8

const (
	WrapAuto   WrapPolicy = iota // wherever the dialects differ
	WrapAlways                   // the same, and also commands that already call hookbridge
	WrapNever                    // commands are copied
)

// WrapPolicyOf returns the policy for a value of --wrap.
func WrapPolicyOf(word string) WrapPolicy {
	return WrapPolicy(max(slices.Index([]string{"auto", "always", "never"}, word), 0))
}

// ConvertOptions are the user's choices for a conversion. The zero value wraps commands where the dialects differ, with
// the strict Policy.
type ConvertOptions struct {
	Wrap   WrapPolicy
	Policy cmdline.Policy // of wrapped commands

	// Target is the source of the converted hooks. Without one, user hooks stay user hooks and all others become
	// project hooks.
	Target schema.Source

	Rules []Rule // to convert as well; from must be able to read them
}

// A Placed is one entry of the converted configuration.
type Placed struct {
	Pointer string   // array that gets it
	Value   []byte   // compact JSON
	From    []string // JSON Pointers of its source hooks
	Windows string   // the command of hookbridge's entry on Windows; "": the same
}

// A Conversion is the outcome of Convert.
type Conversion struct {
	In, Out     int // hooks read, entries made
	Entries     []Placed
	Module      []byte // the whole file of a module of callbacks, which has no entries
	Diagnostics schema.Diagnostics
}

// Convert writes one dialect's hooks as entries of another's configuration. Every hook of cfg and every field of a hook
// is either in the entries or in the path of a diagnostic.
func Convert(from, to dialect.Dialect, cfg *schema.Config, o ConvertOptions) *Conversion {
	c := &converter{Conversion: &Conversion{In: len(cfg.Hooks)}, from: from, to: to, plan: plan.New(from, to),
		wrap: o.Wrap, policy: o.Policy, target: o.Target}
	// commands work unchanged in a related dialect
	if c.moves = adapter.OtherVersion(from, to); !c.moves && (dialect.Related(from, to) || dialect.Related(to, from)) {
		c.wrap, c.copies = WrapNever, true
	}
	if len(cfg.Hooks) > 0 && cfg.Hooks[0].Handler == schema.HandlerCallback {
		c.wrap = o.Wrap
		c.fromModule(cfg)
	} else {
		for _, h := range c.once(cfg.Hooks) {
			c.hook(h)
		}
		for _, r := range o.Rules {
			c.rule(r)
		}
		c.joinParts()
	}
	left := hookfile.LeftBehind(cfg, len(cfg.Hooks) > 0)
	if o.Rules != nil {
		left = onlyRules(from, cfg, left)
	}
	c.Diagnostics = append(c.Diagnostics, otherRules(from, left)...)
	c.Out = len(c.Entries)
	return c.Conversion
}

// Empty returns the error for a file without hooks to convert. It names the agent and the file if they are given.
func Empty(from dialect.Dialect, cfg *schema.Config) schema.Diagnostic {
	what := "hooks"
	if from != nil {
		what = from.Profile().Title + " hooks"
	}

	var ds schema.Diagnostics
	d := ds.Add(schema.CodeUnreadable, "", "there are no "+what+" to convert")
	d.Severity = schema.Error
	if cfg != nil {
		d.File = cfg.Source.File
	}
	return *d
}

type converter struct {
	*Conversion
	from, to dialect.Dialect
	plan     *plan.Planner
	wrap     WrapPolicy
	policy   cmdline.Policy
	target   schema.Source
	copies   bool                    // both sides read matchers, payloads and answers alike
	moves    bool                    // from one version or program of an agent to another
	written  map[string]*schema.Hook // by the target's key for a hook
	parts    []part                  // one for each placed hook
	unpacked []string                // inline texts that are already unwrapped
}

func (c *converter) report(code schema.Code, s schema.Severity, h *schema.Hook, member, msg string) *schema.Diagnostic {
	d := c.Diagnostics.AddSeverity(code, s, "", msg)
	d.OfHook(h)
	if member != "" {
		d.Path = h.MemberPath(member)
	}
	return d
}

func (c *converter) hook(h *schema.Hook) {
	of := cmdline.Unwrap(h.Command, h.Args)
	if len(of) > 0 && dialect.BaseName(of[0].Hooks) == c.to.Profile().Name && c.wrap != WrapAlways {
		c.unwrapAll(h, of)
		return
	}

	if call, ok := cmdline.Parse(h.Command, h.Args); ok && call.FindsHooks() && !c.moves {
		to, severity, fix := c.to.Profile().Name, schema.Loss, ""
		// the target runs its own hooks
		if owners := call.Owners(); len(owners) == 1 && dialect.BaseName(owners[0]) == to {
			severity = schema.Note
		} else {
			fix = plan.Command("install", c.to) + " runs those hooks there"
		}
		c.report(schema.CodeOwnImport, severity, h, "",
			"this entry calls hookbridge for another agent's hooks, so it isn't converted").Fix = fix
		return
	}

	becomes := c.plan.Outcome(h, c.wrap != WrapNever && h.Handler == schema.HandlerCommand)
	entries := becomes.Entries()
	reportAll(&c.Diagnostics, c.from, h, becomes.Found)
	if len(entries) == 0 {
		return
	}

	out, carried, ok := c.targetHook(h, entries)
	if !ok {
		return
	}

	c.unwrapped(h, entries)
	c.place(h, out, &becomes, carried)
}

// place writes the entries that run a hook as out. carried are the features in out's command line.
func (c *converter) place(h, out *schema.Hook, becomes *plan.Outcome, carried schema.Feature) {
	entries := becomes.Entries()
	at := len(c.Entries)
	var said schema.Feature
	for _, e := range entries {
		if c.copies {
			e.Matcher, e.Exact = h.Matcher, true
		}
		value, s := c.to.WriteHook(e, out)
		said = s
		c.Entries = append(c.Entries, Placed{Pointer: e.Pointer, Value: value, From: []string{h.Path}})
		if !e.Exact && carried == 0 && h.Matcher != "" {
			c.report(schema.CodeNoFeature, schema.Loss, h, "matcher", "the matcher becomes "+
				plan.QuoteOr(e.Matcher, "none")+" on "+e.Native+", which selects more")
		}
	}
	left, wrapped := h.Uses()&^said&^carried, carried != 0
	if !wrapped { // otherwise an entry for several hooks may carry them
		c.lost(h, left)
		c.leftBehind(h)
	}
	c.parts = append(c.parts, part{hook: h, out: out, wrapped: wrapped, entries: entries, own: becomes.Own, left: left,
		first: at, last: len(c.Entries)})
}

// targetHook returns the hook as the target will run it, wrapped or unchanged.
func (c *converter) targetHook(h *schema.Hook, entries []schema.Entry) (out *schema.Hook, carried schema.Feature,
	ok bool) {
	copied := *h
	out = &copied
	if h.Handler != schema.HandlerCommand {
		if c.targetSupports(h, entries) {
			c.refused(h, entries)
			c.plainTimeout(out)
			c.fitTimeout(h, out)
			c.plainLoopLimit(out)
			return out, 0, true
		}
		if adapter.OtherVersion(c.from, c.to) { // hookbridge doesn't bridge two versions of one agent
			skipped := plan.Skipped(c.to, entries[0].Native, h)
			c.report(skipped.Code, plan.GuardSeverity(c.from, h), h, "", skipped.Message).Fix = skipped.Fix
			return nil, 0, false
		}
		d := c.report(schema.CodeNoHandler, plan.GuardSeverity(c.from, h), h, "", c.to.Profile().TitleChecked()+
			" has no "+h.Handler.String()+" hooks at "+entries[0].Native+", so the hook was left out")
		if h.Handler == schema.HandlerPrompt || h.Handler == schema.HandlerAgent {
			d.Code, d.Fix = schema.CodeNoEvaluator, plan.Command("install", c.to)+" --hooks "+
				c.from.Profile().Full()+" --evaluator COMMAND runs it"
		}
		return nil, 0, false
	}

	if c.wrap == WrapNever {
		c.fixPaths(out, c.from, c.to, c.becomes(h))
		c.plainTimeout(out)
		c.fitTimeout(h, out)
		c.plainLoopLimit(out)
		return out, 0, true
	}

	w := cmdline.Wrapping{Host: c.to.Profile().Full(), Hooks: c.from.Profile().Full(), Event: h.Native,
		Policy: c.policy, Hook: *h}
	c.fixPaths(&w.Hook, c.from, c.from, w.Source())
	w.Hook.Timeout = 0
	limit := c.from.Profile().Timeout(h)
	if h.Fail == schema.FailClosed { // hookbridge must still be running to refuse
		w.Hook.Timeout = limit
		limit += plan.SingleMargin
	}

	if c.to.Profile().MemberName(schema.HookTimeout) == "" { // the entry can't state one, and the host's is fixed
		fixed := c.to.Profile().Timeout(&schema.Hook{Event: h.Event, Handler: schema.HandlerCommand})
		w.Hook.Timeout = min(c.from.Profile().Timeout(h), max(fixed-plan.Margin, time.Second))
		if h.Timeout > w.Hook.Timeout {
			c.report(schema.CodeNoFeature, schema.Note, h, c.from.Profile().MemberName(schema.HookTimeout),
				c.to.Profile().Title+" waits for "+fixed.String()+" at most, so the timeout becomes "+
					w.Hook.Timeout.String())
		}
	}

	out.Command, out.Args, out.Shell = w.Command(), nil, ""
	if to := c.becomes(h); to.Plugin == "" {
		out.Command = c.to.Profile().Plugins.Guarded(out.Command)
	}

	out.Condition, out.HasCondition, out.Async, out.Rewake = "", false, false, false
	out.Timeout = limit
	c.fitTimeout(h, out)
	out.LoopLimit = nil
	if h.Event == schema.Stop || h.Event == schema.SubagentStop { // hookbridge counts by the rule of the hook's agent
		none := -1
		out.LoopLimit = &none
	}

	return out, cmdline.Wrapped, true
}

// refused reports an HTTP hook that the target doesn't run in this form.
func (c *converter) refused(h *schema.Hook, entries []schema.Entry) {
	for _, e := range entries {
		row := c.to.Profile().Row(e.Native)
		if row == nil {
			continue
		}
		if why, fix, severity := c.to.Profile().HTTP.Refused(h, row.Event); why != "" {
			c.report(schema.CodeVoidHook, severity, h, "url", c.to.Profile().Title+" "+why+" ("+e.Native+")").Fix = fix
		}
	}
}

// fixPaths rewrites a command of from so that it finds its files when d starts it from the source at, and reports files
// that it won't find.
func (c *converter) fixPaths(h *schema.Hook, from, d dialect.Dialect, at schema.Source) {
	fixed, problems := copied(from, d, h, at)
	*h = fixed
	for _, p := range problems {
		fix := "write the path in full, or convert without --wrap never"
		if c.wrap != WrapNever {
			fix = "write the path in full"
		}
		c.report(schema.CodeNoFeature, schema.Weaker, h, "command", p+", so the hook fails there").Fix = fix
	}
}

// becomes returns the source of a copied hook.
func (c *converter) becomes(h *schema.Hook) schema.Source {
	at := c.target
	if at.Scope == 0 || at.Scope == schema.ScopeGiven {
		at.Scope = schema.ScopeProject
		if h.Source.Scope == schema.ScopeUser {
			at.Scope = schema.ScopeUser
		}
	}
	return at
}

// targetSupports reports whether the target has handlers of the hook's kind at the entries' events.
func (c *converter) targetSupports(h *schema.Hook, entries []schema.Entry) bool {
	return !slices.ContainsFunc(entries, func(e schema.Entry) bool { return !plan.Handles(c.to, e, h) })
}

// lost reports fields of the hook that neither the entry nor the wrapper carries.
func (c *converter) lost(h *schema.Hook, left schema.Feature) {
	left.Each(func(f schema.Feature) {
		sev := schema.Loss
		if f == schema.HookLoopLimit && *h.LoopLimit == c.to.Profile().LoopLimit { // the target's default is the same
			sev = schema.Note
		}
		if f == schema.HookFailPolicy || f == schema.HookCondition {
			sev = schema.Weaker
		}
		if f == schema.HookStatus || f == schema.HookOnce {
			sev = schema.Note
		}
		name := c.from.Profile().MemberName(f)
		c.report(schema.CodeNoFeature, sev, h, name, c.to.Profile().TitleChecked()+" has no counterpart for "+
			cmp.Or(name, f.Name())+", so the setting is left out")
	})
}

// leftBehind reports a hook's unmodeled fields, except those that the entry has.
func (c *converter) leftBehind(h *schema.Hook, carried ...schema.Member) {
	for _, m := range h.Extra {
		has := slices.ContainsFunc(carried, func(o schema.Member) bool { return o.Name == m.Name })
		if sev, ok := c.from.Profile().IgnoredMember(m.Name); ok && !has {
			c.report(schema.CodeNoFeature, sev, h, m.Name, c.to.Profile().TitleChecked()+
				" has no counterpart for "+m.Name+", so the setting is left out")
		}
	}
}

// Within returns the pointer of the object in a file's text that is read as the configuration. It is "" unless the
// dialect's files may nest the configuration.
func Within(d dialect.Dialect, text []byte) string {
	if files := d.Abilities().Files; files != nil {
		return files.Within(text)
	}
	return ""
}

package convert

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Rule makes an agent refuse calls without a hook.
type Rule struct {
	Text   string
	Source schema.Source
	Path   string // JSON Pointer in the source
}

// RulesIn lists the deny rules in the text of a hook file. It returns none for an unreadable text, which is reported
// when its hooks are read.
func RulesIn(d dialect.Dialect, at schema.Source, text []byte) (rules []Rule) {
	if d == nil {
		return nil
	}
	pointer := d.Profile().DenyRules
	standard, err := jsonedit.Standard(text)
	if err != nil || pointer == "" {
		return nil
	}
	list, _ := ordjson.Elements(ordjson.At(standard, pointer), 0)
	for i, element := range list {
		rule, ok := ordjson.String(element.Value)
		if !ok {
			rule = string(element.Value)
		}
		rules = append(rules, Rule{rule, at, ordjson.Pointer(pointer, strconv.Itoa(i))})
	}
	return rules
}

// rule makes an entry that refuses the same calls as a rule, and reports what it leaves out.
func (c *converter) rule(r Rule) {
	hooks, beyond, err := c.from.Abilities().Rules.DenyHooks(r.Text)
	h := &schema.Hook{Path: r.Path, Source: r.Source}
	quoted := plan.QuoteOr(r.Text, "")
	if err != nil {
		c.report(schema.CodeRuleLeft, schema.Weaker, h, "", "the rule "+quoted+" isn't converted: "+err.Error())
		return
	}

	own := hooks[0]
	own.Path, own.Source = r.Path, r.Source
	if len(hooks) > 1 { // the guard checks the rule itself
		own.Condition, own.HasCondition = "", false
	}
	own.Matcher = strings.Join(lists.Map(hooks, func(h schema.Hook) string { return h.Matcher }), "|")
	own.Handler, own.Command = schema.HandlerCommand, cmdline.GuardCommand("", r.Text)
	own.Timeout, own.Fail = plan.SingleMargin, schema.FailClosed
	h = &own
	becomes := c.plan.Outcome(h, true)
	reportAll(&c.Diagnostics, c.from, h, becomes.Found)
	if len(becomes.Own) == 0 {
		return
	}
	if beyond != "" {
		c.report(schema.CodeRuleLeft, schema.Weaker, h, "", c.from.Profile().Title+" also applies the rule "+quoted+" "+
			beyond+"; its guard doesn't")
	}

	out := own
	out.Command = cmdline.GuardCommand(c.to.Profile().Full(), r.Text)
	out.Condition, out.HasCondition = "", false
	c.fitTimeout(h, &out)
	becomes.Record = nil
	c.place(h, &out, &becomes, cmdline.Wrapped)
	c.parts[len(c.parts)-1].guard = true
}

// overrules reports whether the target may let another answer overrule a refusal before a call.
func (c *converter) overrules() bool {
	return slices.ContainsFunc(c.to.Profile().Lone, func(row dialect.LoneRow) bool {
		return row.On == schema.PreTool && row.Effects&schema.EffectDeny != 0
	})
}

// joinRules makes one guard out of a group of guards. It returns false if the group has other hooks.
func (c *converter) joinRules(group int) bool {
	call := cmdline.Call{Flags: []cmdline.Flag{{Name: "host", Value: c.to.Profile().Full()}}}
	var guard schema.Hook
	var entries []schema.Entry
	var paths []string
	var freed []int
	for _, p := range c.parts {
		if p.group != group {
			continue
		}
		if !p.guard {
			return false
		}
		one, _ := cmdline.Parse(p.hook.Command, nil)
		guard, call.Rules, paths = *p.out, append(call.Rules, one.Rules...), append(paths, p.hook.Path)
		for _, e := range p.entries {
			same := func(o schema.Entry) bool { return o.Native == e.Native }
			if at := slices.IndexFunc(entries, same); at >= 0 {
				entries[at].Matcher = join(entries[at].Matcher, e.Matcher)
			} else {
				entries = append(entries, e)
			}
		}
		for i := p.first; i < p.last; i++ {
			freed = append(freed, i)
		}
	}

	guard.Command = call.Command()
	for i, at := range freed {
		c.Entries[at].Value = nil
		if i < len(entries) {
			value, _ := c.to.WriteHook(entries[i], &guard)
			c.Entries[at] = Placed{Pointer: entries[i].Pointer, Value: value, From: paths}
		}
	}
	return len(freed) > 0
}

// otherRules reports settings with rules that can't be converted to guards.
func otherRules(d dialect.Dialect, ds schema.Diagnostics) schema.Diagnostics {
	for i := range ds {
		if slices.Contains(d.Profile().OtherRules, ds[i].Path) {
			ds[i].Code, ds[i].Severity = schema.CodeRuleLeft, schema.Weaker
			ds[i].Message = "these rules refuse calls in " + d.Profile().Title + " alone and aren't converted"
		}
	}
	return ds
}

// onlyRules corrects the finding about the setting that holds the rules.
func onlyRules(d dialect.Dialect, cfg *schema.Config, ds schema.Diagnostics) schema.Diagnostics {
	setting, list, _ := strings.Cut(strings.TrimPrefix(d.Profile().DenyRules, "/"), "/")
	at := slices.IndexFunc(ds, func(x schema.Diagnostic) bool {
		return x.Code == schema.CodeMemberLost && x.Path == ordjson.Pointer("", setting)
	})
	if at < 0 {
		return ds
	}
	if o, _ := ordjson.Parse(cfg.Extra.Value(setting)); len(o) == 1 {
		return slices.Delete(ds, at, at+1)
	}
	ds[at].Message = "of this setting only " + list + " is converted"
	return ds
}

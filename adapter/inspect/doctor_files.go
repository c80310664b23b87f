package inspect

import (
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// inFrontMatter reads the project's skills and sub-agents of d.
func (x *examination) inFrontMatter(d dialect.Dialect) (hooks []schema.Hook) {
	for _, file := range hookfile.MarkdownFiles(d, x.places) {
		text, err := discover.Read(file)
		if err != nil {
			continue
		}
		cfg, ds := hookfile.ParseFile(d, text, d.Given(file))
		x.dead(d, ds)
		if cfg != nil {
			hooks = append(hooks, cfg.Hooks...)
		}
	}
	return hooks
}

// scoped reports a hook that is active only during a skill or a subagent. No host says
// when that is, so the hook runs always, or never.
func (x *examination) scoped(d dialect.Dialect, h *schema.Hook) []Problem {
	host := x.host.Profile()
	entries := plan.New(d, x.host).Entries(h, true)
	if len(entries) == 0 {
		return x.bridgedHook(d, h)
	}
	const why = "the hook belongs to a skill or a sub-agent, and "
	r := x.reach(d, h, entries)
	for _, e := range entries {
		r.calls = append(r.calls, x.callsFor(d, h.Source.File, e.Native)...)
	}
	if len(r.copies)+len(r.calls) > 0 {
		return append(x.carried(d, h, entries), Problem{Weaker, schema.CodeAlwaysRuns, schema.Note, why + "here it always runs", ""})
	}
	return append(x.selfProblem(d, h), Problem{Never, schema.CodeNotCalled, plan.GuardSeverity(d, h), why + host.Title +
		" doesn't say when that is active, so hookbridge doesn't run it", x.convert(d, h)})
}

// callsFor lists the host's entries that call the bridge with a file.
func (x *examination) callsFor(d dialect.Dialect, file, native string) (list []*schema.Hook) {
	for i := range x.own.Hooks {
		own := &x.own.Hooks[i]
		call, ok := cmdline.Parse(own.Command, own.Args)
		if ok && own.Native == native && call.RunsHooksOf(d.Profile().Name) && call.Has("config") && call.Reads(x.places.Project, file) {
			list = append(list, own)
		}
	}
	return list
}

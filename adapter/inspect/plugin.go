package inspect

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// ExaminePlugin examines how the hooks of a plugin run under the host. hooks were written for d, and ds are the
// findings in their files; own are the hooks that the host finds in the plugin's files. never is why the host runs none
// of them, "" if it may; fix is how to make it run them.
func ExaminePlugin(host, d dialect.Dialect, hooks, own []schema.Hook, ds schema.Diagnostics, never, fix string,
	p schema.Places) []Finding {
	x := &examination{host: host, places: p, own: survey.Loaded{Result: discover.Result{Hooks: own}},
		ofProject: func(*schema.Hook) bool { return false }, fix: fix}
	x.mistakes(d, hooks, ds)
	for i := range hooks {
		h := &hooks[i]
		raw := lists.Find(own, func(o *schema.Hook) bool {
			return o.SamePlace(h) && !cmdline.FindsHooks(o.Command, o.Args)
		})
		switch {
		case dialect.Related(d, host):
			x.add(d, h, slices.Concat(x.selfProblem(d, h), x.missing(d, h))...)
		case never != "":
			x.add(d, h, Problem{Never, schema.CodeNotCalled, schema.Weaker, never, fix})
		case raw == nil:
			x.add(d, h, x.bridged(d, h).problems()...)
		default:
			x.add(d, h, x.bridged(d, h).readAsOwn(raw)...)
		}
	}
	return x.found
}

// readAsOwn returns the problems of a hook in a file that the host reads as its own.
func (b *bridged) readAsOwn(raw *schema.Hook) []Problem {
	title := b.host.Profile().Title
	ran, tried := b.judged(raw.Native, func(s *simulate.Step, _ bool) bool {
		return slices.ContainsFunc(s.Runs, func(r simulate.Run) bool { return r.Hook.SamePlace(raw) })
	})
	if tried > 0 && ran == 0 && raw.Event.IsTool() {
		return []Problem{{Never, schema.CodeDeadMatcher, schema.Weaker,
			title + " reads the file as its own, and the matcher " + raw.Matcher +
				" accepts none of its tools that the hook is for", b.fix}}
	}
	if _, live := plan.Unsent(b.host, b.host, raw); !live { // the simulated calls have one value each
		return []Problem{{Never, schema.CodeDeadMatcher, schema.Weaker, title + " reads the file as its own, and " +
			plan.NeverSent(b.host, raw, nil), b.fix}}
	}
	if b.launches() {
		return []Problem{{Twice, schema.CodeRunsTwice, schema.Weaker, title +
			" reads the file as its own, and runs the hook through hookbridge too", b.fix}}
	}
	return []Problem{{Weaker, schema.CodeForeignImport, schema.Weaker,
		title + " reads the file as its own: the hook gets the payload of " + title +
			", which also reads its answer; it was written for " + b.d.Profile().Title, b.fix}}
}

// launches reports whether one of the host's entries runs the hook through hookbridge.
func (b *bridged) launches() bool {
	for _, row := range b.host.Profile().Events {
		if calls, _ := b.calls(row.Native); len(calls) > 0 && row.Event == b.h.Event {
			return true
		}
	}
	return false
}

package bridge

import (
	"context"
	"slices"
	"sync"

	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/watch"
	"github.com/hookbridge/hookbridge/schema"
)

// A decision is what the hooks of one agent decide about the host's event.
type decision struct {
	run           *run
	did           done
	native        string // the host's name of the event, if known
	reply         schema.Reply
	ok            bool // false: hookbridge failed
	own           bool // because of a limit or fault of its own
	searchedFiles bool // hookbridge searched for hook files
}

// runSeveral runs the hooks of several agents for one event in parallel, and makes one answer of theirs. No run reads
// what another left in the session's file.
func (b *Bridge) runSeveral(ctx context.Context, stdin []byte, native string) ([]byte, *Report, error) {
	start := &session.Shared{}
	all := make([]decision, 1+len(b.Others))
	var group sync.WaitGroup
	for i, hooks := range append([]dialect.Dialect{b.Hooks}, b.Others...) {
		one := *b
		one.Hooks, one.Others, one.recalled, one.outer = hooks, nil, start, b.clock
		group.Go(func() { all[i] = one.guarded(ctx, stdin, native, len(all)) })
	}

	b.clock.Pause() // each agent's run has its own
	group.Wait()
	b.clock.Resume()
	rep := &Report{}
	for i := range all {
		rep.add(&all[i])
	}

	merged, failed := strictest(all, rep)
	if !slices.ContainsFunc(all, func(d decision) bool { return !d.lacksFiles() }) {
		rep.Diagnostics.Add(schema.CodeBridge, "", "the entry is for the project's hooks, and "+
			all[0].run.places.Project+" has no hook file of any of its agents").Fix = lacksFix
		return all[0].refuse(rep)
	}

	answers := slices.IndexFunc(all, func(d decision) bool { return d.ok }) // what a host sends is the same for all
	own := slices.IndexFunc(all, func(d decision) bool { return !d.ok && d.own })
	no := all[max(own, 0)]
	mustDeny := failed && merged.Verdict != schema.Deny && b.refuses(no.native, no.own)
	if answers < 0 || mustDeny || failed && merged.Uses() == 0 {
		no.reply = merged
		return no.refuse(rep)
	}

	rep.Reply = merged
	return all[answers].encode(&merged), rep, nil
}

// guarded is decide with its own time limit, and with faults as failures. It runs in parallel with others. Their hooks
// count even if this agent's fail.
func (b *Bridge) guarded(ctx context.Context, stdin []byte, native string, agents int) decision {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	come := &progress{}
	work := func(c *watch.Clock) decision {
		one := *b
		one.clock, one.progress = c, come
		return one.decide(ctx, stdin, native)
	}
	return watch.Apart(b.limits(agents), b.Time, work, func(fault error) decision {
		r := newRun(ctx, b, &decoded{host: b.Host, hooks: b.Hooks, log: &log{}})
		r.log.note(schema.CodeBridge, "couldn't run the hooks of "+b.Hooks.Profile().Title+": "+fault.Error())
		d := decision{run: r, native: native, own: true}
		if c := come.call.Load(); c != nil {
			d.native = c.Native
		}
		if reply := come.decided.Load(); reply != nil && reply.Verdict >= schema.Ask {
			d.reply = denial(reply.Reason)
		}
		return d
	})
}

// strictest merges the replies of several agents: the strictest verdict counts, and texts are joined. Conflicting new
// inputs are a denial. Of conflicting new results the last one counts, which is reported. failed: one agent's hooks
// didn't answer, so an allow of the others doesn't count.
func strictest(all []decision, rep *Report) (merged schema.Reply, failed bool) {
	var replies []schema.Reply
	var input, output *schema.Reply
	conflict := false
	for i := range all {
		r := &all[i].reply
		failed = failed || !all[i].ok
		if r.Input != nil {
			conflict = conflict || input != nil && !equalArgs(input.Input, r.Input)
			input = r
		}
		if r.Output != nil {
			if output != nil && string(output.Output) != string(r.Output) {
				rep.Diagnostics.Add(schema.CodeOutputKept, "", "hooks of several agents replace this result; that of "+
					all[i].run.hooks.Profile().Title+" counts")
			}
			output = r
		}
		replies = append(replies, *r)
	}

	if conflict {
		reason := "Hooks of several agents rewrite this call in different ways."
		rep.Diagnostics.Add(schema.CodeInputDenied, "", reason)
		replies = append(replies, denial(reason))
	}

	merged = schema.MergeRules{Separator: "\n"}.Merge(replies)
	if failed && merged.Verdict == schema.Allow { // the missing hooks may have denied the call
		dropVerdict(&merged)
	}

	return merged, failed
}

// add adds what one agent's run did.
func (rep *Report) add(d *decision) {
	one := d.report()
	if rep.Call == nil {
		rep.Call = one.Call
	}
	rep.Runs = append(rep.Runs, d.did.runs...)
	for _, d := range one.Diagnostics { // what the host sends is read once for each
		if !slices.ContainsFunc(rep.Diagnostics, func(have schema.Diagnostic) bool {
			return have.String() == d.String()
		}) {
			rep.Diagnostics = append(rep.Diagnostics, d)
		}
	}
	rep.Printed = append(rep.Printed, one.Printed...)
	switch {
	case one.Trace == nil:
	case rep.Trace == nil:
		rep.Trace = one.Trace
	default:
		t := rep.Trace
		t.Sources, t.Views, t.Skipped = append(t.Sources, one.Trace.Sources...), append(t.Views, one.Trace.Views...),
			append(t.Skipped, one.Trace.Skipped...)
		t.Merged = schema.MergeRules{Separator: "\n"}.Merge([]schema.Reply{t.Merged, one.Trace.Merged})
	}
}

func equalArgs(a, b schema.Args) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(x schema.Arg) bool { return !sameArg(b, x) })
}

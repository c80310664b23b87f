package bridge

import (
	"bytes"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

type done struct {
	runs    []HookRun
	starved bool        // the system had no means left to start a hook with
	broken  bool        // a module of callbacks could not be used
	printed []byte      // what callbacks printed
	joined  schema.Args // input of the whole call, of which hooks rewrote parts; nil: none
}

func (d *done) add(more done) {
	d.runs, d.printed = append(d.runs, more.runs...), append(d.printed, more.printed...)
	d.starved, d.broken = d.starved || more.starved, d.broken || more.broken
}

// A question asks the hooks about one call.
type question struct {
	stage
	done
}

// askOne runs the hooks that apply to the call as it is shown to them, the gates
// among them after the others, and merges what they answer.
func (r *question) askOne(hooks []schema.Hook) schema.Reply {
	facts{r.stage}.addFacts(hooks)
	if why := (pinner{r.stage}).checkPinned(hooks); why != "" && r.call.Event == schema.PreTool {
		for i := range hooks {
			r.log.skip(&hooks[i], SkipEnded, why)
		}
		return schema.Reply{Verdict: schema.Deny, Reason: why}
	}
	picked := r.skipRun(selector{r.stage}.selectHooks(hooks))
	copier{r.stage}.copyTranscripts(picked)
	x := &executor{stage: r.stage}
	x.execute(r.phase(picked, false))
	reply := mergeRuns(r.Hooks, x.runs)
	r.replaced(x, &reply)
	if gates := r.secondPhase(hooks, picked, &reply, x); len(gates) > 0 {
		n := len(x.runs)
		x.execute(gates)
		reply = mergeGates(r.Hooks, reply, x.runs[n:])
	}
	r.add(x.done)
	return reply
}

// replaced reports the hooks whose new input gives way to that of a later one, as agents
// have it that take one input as a whole.
func (r *question) replaced(x *executor, reply *schema.Reply) {
	if x.rewritten != nil || len(reply.Input) == 0 {
		return
	}
	same := func(a, b schema.Arg) bool { return a.Role == b.Role && a.Name == b.Name && bytes.Equal(a.Raw, b.Raw) }
	for i := range x.runs {
		one := &x.runs[i]
		if !one.Async && one.Reply.Input != nil && !slices.EqualFunc(one.Reply.Input, reply.Input, same) {
			r.log.hookNote(schema.CodeIgnoredEffect, &one.Hook, "another hook rewrites the tool's input too, and the last one counts, so this hook's input is dropped")
		}
	}
}

// mergeRuns makes one reply of all that ran and was waited for.
func mergeRuns(hooks dialect.Dialect, runs []HookRun) schema.Reply {
	var replies []schema.Reply
	for i := range runs {
		if !runs[i].Async {
			replies = append(replies, runs[i].Reply)
		}
	}
	return hooks.Merge(replies)
}

// mergeGates adds the answer of the gate hooks to that of the others. A verdict that
// the gate alone has come to is explained by its own words: its agent asks there anew.
func mergeGates(hooks dialect.Dialect, first schema.Reply, runs []HookRun) schema.Reply {
	gate := mergeRuns(hooks, runs)
	if gate.Verdict > first.Verdict {
		first.Reason, first.UserReason = "", ""
	}
	return hooks.Merge([]schema.Reply{first, gate})
}

// isGate reports whether a view is of an event that its agent sends after the generic
// one for the same call. Before a tool runs, hooks of such an event see the input as
// the others have rewritten it, and don't run for a denied call.
func (r *question) isGate(v schema.View) bool {
	row := r.Hooks.Profile().Row(v.Event)
	return row != nil && row.Gate && row.Event == schema.PreTool
}

// phase returns the hooks of gate events, or those of the others, which run first.
func (r *question) phase(picked []pick, gates bool) []pick {
	return slices.DeleteFunc(slices.Clone(picked), func(p pick) bool { return r.isGate(p.view) != gates })
}

// secondPhase returns the gate hooks to run after the generic ones; a rewritten
// call selects them anew.
func (r *question) secondPhase(hooks []schema.Hook, picked []pick, reply *schema.Reply, x *executor) (gates []pick) {
	if reply.Verdict == schema.Deny {
		for _, p := range r.phase(picked, true) {
			r.log.skip(&p.hook, SkipRefused, "an earlier hook denied the call")
		}
		return nil
	}
	if reply.Input == nil {
		return r.phase(picked, true)
	}
	x.rewrite(reply)
	again := selector{stage{r.scene, x.rewritten}}
	all := r.Hooks.Views(x.rewritten)
	if views := slices.DeleteFunc(slices.Clone(all), func(v schema.View) bool { return !r.isGate(v) }); len(views) > 0 {
		gates = again.pickFrom(again.ofEvent(hooks, all), views)
	}
	return gates
}

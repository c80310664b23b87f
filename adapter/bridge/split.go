package bridge

import (
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// ask runs the hooks for the call, or for each of the calls that it amounts to, and
// merges what they answer. A hook that was shown one alternative isn't shown the
// next.
func (r *question) ask(hooks []schema.Hook) schema.Reply {
	if !r.foreignHooks() {
		return r.askOne(hooks)
	}
	s := dialect.Ability[dialect.Splitter](r.Host)
	alternatives := r.alternatives(s)
	if len(alternatives) == 0 || len(alternatives) == 1 && len(alternatives[0]) == 1 && alternatives[0][0] == r.call {
		return r.askOne(hooks)
	}
	var replies []schema.Reply
	for _, parts := range alternatives {
		first := len(r.runs)
		for _, part := range parts {
			if part != r.call {
				wholePaths(part, r.Host, r.Hooks, r.places.Home)
			}
			q := &question{stage: stage{r.scene, part}}
			reply := q.askOne(hooks)
			r.add(q.done)
			if part != r.call && reply.Input != nil {
				r.join(s, part, &reply)
			}
			same := fmt.Sprint(reply) // the same reply for every part is used once
			if !slices.ContainsFunc(replies, func(r schema.Reply) bool { return fmt.Sprint(r) == same }) {
				replies = append(replies, reply)
			}
		}
		for i := range r.runs[first:] {
			asked := &r.runs[first+i].Hook
			hooks = slices.DeleteFunc(slices.Clone(hooks), func(h schema.Hook) bool {
				return h.Source == asked.Source && h.Path == asked.Path
			})
		}
	}
	return r.Hooks.Merge(replies)
}

// alternatives lists the calls that the call amounts to: see dialect.Splitter.
func (r *question) alternatives(s dialect.Splitter) (alternatives [][]*schema.Call) {
	if s != nil {
		alternatives = s.Split(r.call)
	}
	selector{r.stage}.settleUnknown()
	deleted := r.deletions()
	if len(deleted) == 0 {
		return alternatives
	}
	if alternatives == nil {
		alternatives = [][]*schema.Call{{r.call}}
	}
	return append(alternatives, deleted)
}

// join applies a rewritten part to the whole call. If that isn't possible, the call is
// denied: the hook didn't agree to the original.
func (r *question) join(s dialect.Splitter, part *schema.Call, reply *schema.Reply) {
	in := part.Tool.Input
	shown := r.Hooks.Shown(viewer{stage{r.scene, part}}.fill(reply.InputView), reply.InputView)
	for _, a := range reply.Input {
		if !sameArg(shown, a) {
			in = replaceArg(in, a)
		}
	}
	base := r.call
	if r.joined != nil {
		base = r.call.Clone()
		base.Tool.Input = r.joined
	}
	var joined schema.Args
	ok := false
	if s != nil {
		joined, ok = s.Join(base, part, in)
	}
	reply.Input = nil
	switch {
	case ok:
		r.joined = joined
	case reply.Verdict != schema.Deny:
		r.log.note(schema.CodeInputDenied, "a hook rewrote part of this call, and "+r.Host.Profile().Title+" can't apply that, so the call is denied")
		reply.Verdict = schema.Deny
		reply.Reason = schema.JoinText(reply.Reason, "A hook rewrote part of this call. That can't be applied here, so the call is denied.")
	}
}

package bridge

import (
	"bytes"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// noteReplaced reports hooks whose new input a later hook replaces, for agents that use one whole input.
func noteReplaced(r *run, runs []HookRun, reply *schema.Reply) {
	if len(reply.Input) == 0 {
		return
	}
	same := func(a, b schema.Arg) bool { return a.Role == b.Role && a.Name == b.Name && bytes.Equal(a.Raw, b.Raw) }
	for i := range runs {
		one := &runs[i]
		if !one.Async && one.Reply.Input != nil && !slices.EqualFunc(one.Reply.Input, reply.Input, same) {
			r.log.hookNote(schema.CodeIgnoredEffect, &one.Hook,
				"another hook rewrites the tool's input too, and only its input counts, so this hook's is dropped")
		}
	}
}

// merge makes one reply from those of all hooks that were waited for.
func merge(hooks dialect.Dialect, runs []HookRun) schema.Reply {
	var replies []schema.Reply
	for i := range runs {
		if !runs[i].Async {
			replies = append(replies, runs[i].Reply)
		}
	}
	return hooks.Merge(replies)
}

// mergeGates adds the gate hooks' answer to that of the others. A verdict of the gate alone keeps only the gate's
// reasons, because its agent asks again there.
func mergeGates(hooks dialect.Dialect, first schema.Reply, runs []HookRun) schema.Reply {
	gate := merge(hooks, runs)
	if gate.Verdict > first.Verdict {
		first.Reason, first.UserReason = "", ""
	}
	return hooks.Merge([]schema.Reply{first, gate})
}

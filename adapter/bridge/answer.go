package bridge

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// decodeReply reads the result in the format of the hooks' agent. It reports an answer that the agent ignores because
// it is in another agent's format, or not alone on stdout.
func decodeReply(r *run, c *schema.Call, j *job, res *process.Result) schema.Reply {
	reply, ds := r.hooks.DecodeReply(&j.Hook, j.View, res)
	r.log.add(ds, &j.Hook)
	j.fault = faultOf(ds)
	for _, m := range reply.Extra {
		for _, d := range adapter.Dialects() {
			if d.Profile().Name != r.rules.Name && slices.Contains(d.Profile().AnswerWords, m.Name) {
				r.log.hookNote(schema.CodeForeignAnswer, &j.Hook, strconv.Quote(m.Name)+" is part of an answer for "+
					d.Profile().Title+"; "+r.rules.Title+" ignores it")
				return reply
			}
		}
	}
	if text := bytes.TrimSpace(res.Stdout); len(ds) == 0 && len(text) > len("{}") && res.Exit == 0 &&
		reply.Uses()&decisive == 0 {
		reportIgnored(r, c, j, &reply, text)
	}
	return reply
}

// decisive lists the effects by which a hook decides something.
const decisive = schema.EffectDeny | schema.EffectAsk | schema.EffectKeepGoing | schema.EffectEndTurn |
	schema.EffectFeedback

func reportIgnored(r *run, c *schema.Call, j *job, reply *schema.Reply, text []byte) {
	decides := func(d dialect.Dialect, native string, answer []byte) bool {
		h, v := j.Hook, j.View
		h.Native, v.Event = native, native
		said, ds := d.DecodeReply(&h, v, &process.Result{Stdout: answer})
		return len(ds) == 0 && said.Uses()&decisive != 0
	}
	title := r.rules.Title
	if _, err := ordjson.Parse(text); err != nil {
		first, last := bytes.IndexByte(text, '{'), bytes.LastIndexByte(text, '}')
		if 0 <= first && first < last && decides(r.hooks, j.View.Event, text[first:last+1]) {
			r.log.hookNote(schema.CodeBadAnswer, &j.Hook, "stdout has text besides the JSON object, so "+title+
				" ignores the decision in it")
			j.fault = unreadable
		}
		return
	}
	for _, d := range adapter.Dialects() {
		native := d.Profile().Generic(c.Event)
		if reply.Uses() == 0 && native != "" && d.Profile().Name != r.rules.Name && decides(d, native, text) {
			r.log.hookNote(schema.CodeForeignAnswer, &j.Hook, "the answer is in the format of "+d.Profile().Title+
				"; "+title+" ignores it")
			return
		}
	}
}

// answered returns a function that reports whether a hook has given its answer: a whole JSON object, or an exit code.
// Some agents need text on stderr with the exit code, as Codex and Gemini CLI do, or wait a while for the reason there,
// as Claude Code does. The hook's agent may also wait for child processes that the hook left behind. The answer doesn't
// change then, and a host that times out would let the call proceed.
func answered(r *run, j *job) func(exit int, stdout, stderr []byte) bool {
	read := func(exit int, stdout []byte, stderr string) (effects schema.Feature, reason string) {
		reply, _ := r.hooks.DecodeReply(&j.Hook, j.View, &process.Result{Exit: exit, Stdout: stdout,
			Stderr: []byte(stderr)})
		return reply.Uses() & (decisive | schema.EffectContext | schema.EffectOutput), reply.Reason
	}
	return func(exit int, stdout, stderr []byte) bool {
		if exit == 0 {
			text := ordjson.TrimSpace(stdout)
			return len(text) > 0 && text[0] == '{' && ordjson.Check(text) == nil
		}
		now, why := read(exit, stdout, "")
		more, reason := read(exit, stdout, "x")
		waits := r.rules.OutputGrace > 0 && reason != why
		return len(stderr) > 0 || !waits && (now&decisive != 0 || more == now)
	}
}

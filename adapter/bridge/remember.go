package bridge

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/internal/edits"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// sessionEnv returns the environment with the variables that earlier hooks have set, if their own agent passes them on.
func sessionEnv(r *run) schema.Environ {
	env := r.places.Env
	if !r.rules.KeepsEnv {
		return env
	}
	for _, v := range r.mem.Env(r.rules.Name) {
		env = append(slices.Clip(env), v.Name+"="+v.Value)
	}
	return env
}

func rememberEnv(r *run, c *schema.Call, vars []schema.EnvVar) {
	if len(vars) > 0 && r.rules.KeepsEnv {
		entry(r, c).KeepEnv(vars)
	}
}

// rememberRun records the hooks that ran, for the call's second event, if the host calls hookbridge there or may do so.
func rememberRun(r *run, did *done, reply *schema.Reply) {
	c := did.call
	second, later := otherEventOfCall(r, c)
	switch {
	case second == nil || !later || reply.Verdict == schema.Deny || len(did.runs) == 0:
		return
	case r.ctx.Err() != nil: // killed before they could decide
		return
	case !canReach(r, c, second.Native):
		return
	}
	marks := make([]string, 0, len(did.runs))
	for i := range did.runs {
		run := &did.runs[i]
		if starving(run.Result.Err) || did.exhausted && !run.Ran { // it may run at the second event
			continue
		}
		marks = append(marks, markOf(r, c, pick{run.Hook, run.View}))
	}
	if len(marks) == 0 {
		return
	}
	r.mem.Call(asItRuns(r, c, reply)).KeepRan(runner(r, c), marks)
}

// asItRuns returns a call as the host's later events show it: with the input from hooks.
func asItRuns(r *run, c *schema.Call, reply *schema.Reply) *schema.Call {
	if reply.Input == nil {
		return c
	}
	return wholePaths(rewritten(r, c, &schema.Reply{Input: reply.Input}), r.host, r.hooks, r.places.Home)
}

// runsOnce reports whether a hook runs once in a session: agents honor that in skills and sub-agents only.
func runsOnce(h *schema.Hook) bool { return h.Once && hookfile.IsMarkdown(h.Source.File) }

// rememberOnce records which of such hooks have run. One that failed or decided something runs again: a guard must not
// end with its first denial.
func rememberOnce(r *run, runs []HookRun) {
	for i := range runs {
		run := &runs[i]
		failed := !run.Ran || run.Result.Err != nil || run.Result.TimedOut || run.Result.Exit != 0
		decided := run.Reply.Verdict >= schema.Ask || run.Reply.KeepGoing != ""
		if runsOnce(&run.Hook) && !failed && !decided {
			r.mem.Ran(&run.Hook).Set()
		}
	}
}

// rememberForPost keeps what the event after the call needs and its payload lacks.
func rememberForPost(r *run, c *schema.Call, hooks []schema.Hook) {
	t := &c.Tool
	switch {
	case c.Event == schema.PreTool && c.Gate && t.Kind() == schema.MCP && t.Server != "":
		if wantsPost(r, c, hooks, 0) {
			r.mem.Call(c).Server().Keep(t.Server)
		}
	case c.Event == schema.PreTool && t.Kind().Base() == schema.Write && !c.Gate && wantsPost(r, c, hooks, 0):
		f := r.files.start(c)
		r.mem.Call(c).Original().Keep(session.Original{Text: f.text, Existed: f.ok, Known: f.whole})
		raw, _ := t.Input.Get(schema.RoleContent)
		if content, ok := ordjson.String(raw); ok && len(t.Kinds) > 1 && wantsPost(r, c, hooks, schema.NeedEdits) {
			r.mem.Call(c).KeepEdits(editsOfWrite(r, c, c, schema.Edit, content))
		}
	case c.Event == schema.PostTool && c.Gate && len(editsOf(t)) > 0 && wantsPost(r, c, hooks, 0):
		keepBefore(r, c, editsOf(t))
		if wantsPost(r, c, hooks, schema.NeedEdits) {
			r.mem.Call(c).KeepEdits(editsOf(t))
		}
	}
}

// keepBefore remembers the content of a file before edits that are already made.
func keepBefore(r *run, c *schema.Call, es []schema.TextEdit) {
	if now, ok := r.files.text(c); ok {
		old, existed, known := undo(now, es)
		if !known {
			before, ok := r.mem.Call(c).Original().Get()
			known = ok && before.Existed && before.Known && slices.Equal(edits.Lines(before.Text, now), es)
			if old = ""; known {
				old = before.Text
			}
		}
		r.mem.Call(c).Original().Keep(session.Original{Text: old, Existed: existed, Known: known})
	}
}

// undo reverts edits, the last first; ok is false if it is ambiguous which part of the text an edit made.
func undo(text string, es []schema.TextEdit) (old string, existed, ok bool) {
	if len(es) == 1 && es[0].Old == "" && sameFile(es[0].New, text) {
		return "", false, true
	}
	for i := len(es) - 1; i >= 0; i-- {
		if es[i].New == "" || strings.Count(text, es[i].New) != 1 {
			return "", true, false
		}
		added := es[i].New
		if es[i].Old == "" { // whole lines
			if line := added + "\n"; strings.Contains(text, line) {
				added = line
			} else if line := "\n" + added; strings.Contains(text, line) {
				added = line
			}
		}
		text = strings.Replace(text, added, es[i].Old, 1)
	}
	return text, true, true
}

// withOriginal returns the result of a write, with the original content if the relay has it.
func withOriginal(r *run, c *schema.Call) schema.Args {
	if o, ok := r.mem.Call(c).Original().Get(); ok && o.Known {
		return c.Tool.Output.Set(schema.RoleOriginal, "", o.JSON())
	}
	return c.Tool.Output
}

// wantsPost reports whether a hook will run after the call in a view with the given needs.
func wantsPost(r *run, call *schema.Call, hooks []schema.Hook, needs schema.Needs) bool {
	c := call.Clone()
	c.Event = schema.PostTool
	for _, v := range r.hooks.Views(c) {
		if v.Needs&needs != needs {
			continue
		}
		for i := range hooks {
			if h := &hooks[i]; h.Native == v.Event {
				if _, ok := pickFor(r, call, h, []schema.View{v}); ok {
					return true
				}
			}
		}
	}
	return false
}

// applyKept adds what earlier events left for this one.
func applyKept(r *run, c *schema.Call, reply schema.Reply) schema.Reply {
	gate, _ := r.host.Asks(c)
	if gate != "" && gate == c.Native && r.mem.Lost() && r.opts.Ask == cmdline.AskRelay && reply.Verdict < schema.Ask {
		reply.Verdict = schema.Ask
		reply.Reason = "A hook may have asked for confirmation of this call, and the session file can't be read."
	}
	if !r.mem.Waits() {
		return reply
	}

	out := reply
	var call *session.Call // nil: the event belongs to none
	if c.Event.IsTool() {
		call = r.mem.Call(c)
	}
	if call != nil && gate == c.Native {
		if reason, ok := call.Ask().Take(); ok && out.Verdict < schema.Ask {
			out.Verdict, out.Reason = schema.Ask, reason
		}
	}

	var ended []string // what finished calls have left
	switch {
	case call != nil && c.Event != schema.PreTool:
		ended = call.TakeContext()
	case c.Event == schema.PromptSubmit: // they were denied, or failed
		ended = r.mem.TakeCallsContext()
	}
	if r.host.Honors(c, &out)&schema.EffectContext == 0 { // the next event that accepts context gets it
		for _, text := range ended {
			r.mem.AddContext(text)
		}
		return out
	}
	for _, text := range append(r.mem.TakeContext(), ended...) {
		out.Context = schema.JoinText(text, out.Context)
	}
	return out
}

// relayEnd makes later events deny the turn's further calls.
func relayEnd(r *run, c *schema.Call, reason string) {
	turn := c.Str(schema.FieldTurn)
	if c.Event == schema.SessionStart {
		turn = session.WholeSession
	}
	r.mem.KeepEnd(session.End{Turn: turn, Reason: reason})
}

// relayContext keeps context for a later event.
func relayContext(r *run, c *schema.Call, out *fitted) {
	text := out.context
	switch c.Event {
	case schema.PreTool, schema.PostTool:
		// a denied call has no later event
		if second, _ := otherEventOfCall(r, c); !out.refused && (second != nil || c.Event == schema.PreTool) {
			r.mem.Call(asItRuns(r, c, &out.reply)).AddContext(text)
			return
		}
	}
	r.mem.AddContext(text)
}

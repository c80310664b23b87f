package bridge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/edits"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// withLoop counts how often in a row stop hooks have kept the agent working, for hosts
// that only say that they did.
func withLoop(r *run, c *schema.Call) *schema.Call {
	if c.Event != schema.Stop && c.Event != schema.SubagentStop || c.Get(schema.FieldLoopCount) != nil {
		return c
	}
	c = c.Clone()
	n := 0
	if c.Get(schema.FieldPrompt) != nil {
		if rounds, last := continued(r, c); rounds > 0 {
			n = rounds
			c.Set(schema.FieldStopActive, []byte("true"))
			c.SetStr(schema.FieldLastMessage, last)
		}
	}
	if c.Bool(schema.FieldStopActive) {
		text, _ := r.mem.get(loopKey(r, c))
		last, _ := strconv.Atoi(text)
		n = max(n, last+1)
	}
	c.Set(schema.FieldLoopCount, strconv.AppendInt(nil, int64(n), 10))
	return c
}

func loopKey(r *run, c *schema.Call) string {
	return keyLoop + entryName(r, c) + "|" + c.Native + c.Str(schema.FieldAgentID)
}

func rememberLoop(r *run, c *schema.Call, reply *schema.Reply) {
	if c.Event != schema.Stop && c.Event != schema.SubagentStop {
		return
	}
	rememberGoing(r, c, reply)
	if n, _ := c.Int(schema.FieldLoopCount); n > 0 { // by whose message ever the agent goes on
		r.mem.put(loopKey(r, c), strconv.FormatInt(n, 10), turnLife)
	} else {
		r.mem.take(loopKey(r, c))
	}
}

// sessionEnv is the environment with the variables that earlier hooks have set, if their own
// agent gives them to the later ones.
func sessionEnv(r *run) schema.Environ {
	env := r.places.Env
	if !r.rules.KeepsEnv {
		return env
	}
	for _, key := range r.mem.keys(keyEnv + r.rules.Name + "|") {
		text, _ := r.mem.get(key)
		o, _ := ordjson.Parse([]byte(text))
		for _, m := range o {
			s, _ := ordjson.String(m.Value)
			env = append(slices.Clip(env), m.Name+"="+s)
		}
	}
	return env
}

func rememberEnv(r *run, c *schema.Call, vars []schema.EnvVar) {
	if len(vars) == 0 || !r.rules.KeepsEnv {
		return
	}
	var o ordjson.Object
	for _, v := range vars {
		o.Take(v.Name)
		o = append(o, ordjson.Member{Name: v.Name, Value: ordjson.AppendString(nil, v.Value)})
	}
	r.mem.put(keyEnv+entryName(r, c), string(o.Append(nil)), 0)
}

// rememberRun records the hooks that ran, for the call's second event, if the host
// calls hookbridge there or may do so.
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
		if starving(run.Result.Err) || did.starved && !run.Ran { // the second event is a second chance
			continue
		}
		marks = append(marks, markOf(r, c, pick{run.Hook, run.View}))
	}
	if len(marks) == 0 {
		return
	}
	act := r.mem.act(rewritten(r, c, &schema.Reply{Input: reply.Input}))
	act.addRecent(ranKey(r, c), strings.Join(marks, " "), actLife, maxEqual) // a forgotten one runs again at its gate
}

// replaceArgs is as with other values.
func replaceArgs(as, by schema.Args) schema.Args {
	for _, a := range by {
		as = replaceArg(as, a)
	}
	return as
}

func replaceArg(as schema.Args, a schema.Arg) schema.Args {
	if a.Role != schema.Rest {
		return as.Set(a.Role, a.Name, a.Raw)
	}
	out := append(schema.Args(nil), as...)
	for i := range out {
		if out[i].Role == schema.Rest && out[i].Name == a.Name {
			out[i].Raw = a.Raw
			return out
		}
	}
	return append(out, a)
}

// rememberForPost keeps what the event after the call needs and its payload lacks.
func rememberForPost(r *run, c *schema.Call, hooks []schema.Hook) {
	t := &c.Tool
	switch {
	case c.Event == schema.PreTool && c.Gate && t.Kind() == schema.MCP && t.Server != "":
		if wantsPost(r, c, hooks, 0) {
			r.mem.act(c).put(keyServer, t.Server, turnLife)
		}
	case c.Event == schema.PreTool && t.Kind().Base() == schema.Write && !c.Gate && wantsPost(r, c, hooks, 0):
		f := r.files.start(c)
		putOriginal(r, c, f.text, f.ok, f.whole)
		raw, _ := t.Input.Get(schema.RoleContent)
		if content, ok := ordjson.String(raw); ok && len(t.Kinds) > 1 && wantsPost(r, c, hooks, schema.NeedEdits) {
			keepEdits(r, c, editsOfWrite(r, c, c, schema.Edit, content))
		}
	case c.Event == schema.PostTool && c.Gate && len(editsOf(t)) > 0 && wantsPost(r, c, hooks, 0):
		keepBefore(r, c, editsOf(t))
		if wantsPost(r, c, hooks, schema.NeedEdits) {
			keepEdits(r, c, editsOf(t))
		}
	}
}

// keepBefore remembers what a file held before edits that are made already.
func keepBefore(r *run, c *schema.Call, es []schema.TextEdit) {
	if now, ok := r.files.text(c); ok {
		old, existed, known := undo(now, es)
		if !known {
			value, _ := r.mem.act(c).get(keyOriginal)
			before, ok := ordjson.String([]byte(value))
			if old, known = before, ok && slices.Equal(edits.Lines(before, now), es); !known {
				old = ""
			}
		}
		putOriginal(r, c, old, existed, known)
	}
}

// undo takes edits back, the last first; ok is false if that is ambiguous
// which part of the text one has made.
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

func keepEdits(r *run, c *schema.Call, es []schema.TextEdit) {
	text := string(schema.CanonicalEdits.Append(nil, es))
	if len(text) <= maxText {
		r.mem.act(c).put(keyEdits, text, turnLife)
	}
}

// What is remembered of a file whose text is not.
const (
	noOriginal      = "null" // there was none
	unknownOriginal = "true" // too long, or not known
)

func putOriginal(r *run, c *schema.Call, old string, existed, known bool) {
	value := noOriginal
	switch {
	case existed && (!known || len(old) > maxText):
		value = unknownOriginal
	case existed:
		value = string(ordjson.AppendString(nil, old))
	}
	r.mem.act(c).put(keyOriginal, value, turnLife)
}

// withOriginal is the result of a write, completed by what the relay remembers.
func withOriginal(r *run, c *schema.Call) schema.Args {
	if value, ok := r.mem.act(c).get(keyOriginal); ok && value != unknownOriginal {
		return c.Tool.Output.Set(schema.RoleOriginal, "", []byte(value))
	}
	return c.Tool.Output
}

// wantsPost reports whether a hook will run after the call in a view with the given
// needs.
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

func rememberedEdits(r *run, c *schema.Call) ([]schema.TextEdit, bool) {
	text, ok := r.mem.act(c).get(keyEdits)
	return schema.CanonicalEdits.Decode([]byte(text)), ok
}

// deliver adds what earlier events left for this one.
func deliver(r *run, c *schema.Call, reply schema.Reply) schema.Reply {
	gate, _ := r.host.Asks(c)
	if gate != "" && gate == c.Native && r.mem.lost && r.opts.Ask == cmdline.AskRelay && reply.Verdict < schema.Ask {
		reply.Verdict = schema.Ask
		reply.Reason = "A hook may have asked for confirmation of this call, and the session file can't be read."
	}
	if len(r.mem.items) == 0 {
		return reply
	}
	out := reply
	key := ""
	if c.Event.IsTool() && r.mem.has(keyAsk, keyContext) {
		key = r.mem.callKey(c)
	}
	if gate == c.Native {
		if reason, ok := r.mem.take(keyAsk + key); ok && out.Verdict < schema.Ask {
			out.Verdict, out.Reason = schema.Ask, reason
		}
	}
	keys := []string{keyContext}
	switch {
	case key != "" && c.Event != schema.PreTool:
		keys = append(keys, keyContext+key)
	case c.Event == schema.PromptSubmit: // of calls that were denied or failed
		keys = r.mem.keys(keyContext)
	}
	if r.host.Honors(c, &out)&schema.EffectContext == 0 {
		if len(keys) > 1 { // the call is over: the next event that accepts context gets it
			for text, ok := r.mem.take(keys[1]); ok; text, ok = r.mem.take(keys[1]) {
				r.mem.add(keyContext, text, turnLife)
			}
		}
		return out
	}
	for _, key := range keys {
		for text, ok := r.mem.take(key); ok; text, ok = r.mem.take(key) {
			out.Context = schema.JoinText(text, out.Context)
		}
	}
	return out
}

// relayEnd has the further calls of the turn denied.
func relayEnd(r *run, c *schema.Call, reason string) {
	turn, life := c.Str(schema.FieldTurn), time.Duration(0) // no limit, which a clock that jumps would end
	switch {
	case c.Event == schema.SessionStart:
		turn = wholeSession
	case turn == "": // nothing else may tell its end
		life = turnLife
	}
	r.mem.put(keyEnd, turn+"\x00"+reason, life)
}

// relayContext keeps context for a later event.
func relayContext(r *run, c *schema.Call, text string, refused bool) {
	key := keyContext
	switch c.Event {
	case schema.PreTool, schema.PostTool:
		// a denied call has no later event
		if second, _ := otherEventOfCall(r, c); !refused && (second != nil || c.Event == schema.PreTool) {
			key += r.mem.callKey(c)
		}
	}
	r.mem.add(key, text, turnLife)
}

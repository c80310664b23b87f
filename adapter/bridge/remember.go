package bridge

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/edits"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// countLoop counts how often in a row stop hooks have kept the agent working, for hosts
// that only say that they did.
func (r recaller) countLoop() {
	if r.call.Event != schema.Stop && r.call.Event != schema.SubagentStop || r.call.Get(schema.FieldLoopCount) != nil {
		return
	}
	n := 0
	if r.call.Get(schema.FieldPrompt) != nil {
		n, _ = r.continued()
	}
	if n > 0 {
		r.call.Set(schema.FieldStopActive, []byte("true"))
	}
	if r.call.Bool(schema.FieldStopActive) {
		text, _ := r.mem.get(r.loopKey())
		last, _ := strconv.Atoi(text)
		n = max(n, last+1)
	}
	r.call.Set(schema.FieldLoopCount, strconv.AppendInt(nil, int64(n), 10))
}

func (r stage) loopKey() string {
	return keyLoop + r.entry() + "|" + r.call.Native + r.call.Str(schema.FieldAgentID)
}

func (r *rememberer) rememberLoop(reply *schema.Reply) {
	if r.call.Event != schema.Stop && r.call.Event != schema.SubagentStop {
		return
	}
	r.rememberGoing(reply)
	if n, _ := r.call.Int(schema.FieldLoopCount); n > 0 { // by whose message ever the agent goes on
		r.mem.put(r.loopKey(), strconv.FormatInt(n, 10), turnLife)
	} else {
		r.mem.take(r.loopKey())
	}
}

// recallEnv gives hooks the variables that earlier ones have set, if their own
// agent does.
func (r recaller) recallEnv() {
	if !r.Hooks.Profile().KeepsEnv {
		return
	}
	for _, key := range r.mem.keys(keyEnv + r.Hooks.Profile().Name + "|") {
		text, _ := r.mem.get(key)
		o, _ := ordjson.Parse([]byte(text))
		for _, m := range o {
			s, _ := ordjson.String(m.Value)
			r.places.Env = append(r.places.Env[:len(r.places.Env):len(r.places.Env)], m.Name+"="+s)
		}
	}
}

func (r *rememberer) rememberEnv(vars []schema.EnvVar) {
	if len(vars) == 0 || !r.Hooks.Profile().KeepsEnv {
		return
	}
	var o ordjson.Object
	for _, v := range vars {
		o.Take(v.Name)
		o = append(o, ordjson.Member{Name: v.Name, Value: ordjson.AppendString(nil, v.Value)})
	}
	r.mem.put(keyEnv+r.entry(), string(o.Append(nil)), 0)
}

// rememberRun records the hooks that ran, for the call's second event, if the host
// calls the bridge there or may do so.
func (r *rememberer) rememberRun(reply *schema.Reply) {
	second, later := callEvents{r.stage}.twinRow()
	switch {
	case second == nil || !later || reply.Verdict == schema.Deny || len(r.runs) == 0:
		return
	case r.ctx.Err() != nil: // killed before they could decide
		return
	case !(registration{r.stage}).canReach(second.Native):
		return
	}
	in := r.call.Tool.Input
	for _, a := range reply.Input {
		in = replaceArg(in, a)
	}
	marks := make([]string, 0, len(r.runs))
	for i := range r.runs {
		run := &r.runs[i]
		if starving(run.Result.Err) || r.starved && !run.Ran { // the second event is a second chance
			continue
		}
		marks = append(marks, (callEvents{r.stage}).mark(pick{run.Hook, run.View}))
	}
	if len(marks) == 0 {
		return
	}
	r.mem.act(r.call, in).add(callEvents{r.stage}.ranKey(), strings.Join(marks, " "), actLife)
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
func (r *rememberer) rememberForPost(hooks []schema.Hook) {
	t := &r.call.Tool
	switch {
	case r.call.Event == schema.PreTool && r.call.Gate && t.Kind() == schema.MCP && t.Server != "":
		if r.wantsPost(hooks, 0) {
			r.mem.act(r.call, t.Input).put(keyServer, t.Server, turnLife)
		}
	case r.call.Event == schema.PreTool && t.Kind().Base() == schema.Write && !r.call.Gate && r.wantsPost(hooks, 0):
		f := r.files.start(r.call)
		r.putOriginal(f.text, f.ok, f.whole)
		raw, _ := t.Input.Get(schema.RoleContent)
		if content, ok := ordjson.String(raw); ok && len(t.Kinds) > 1 && r.wantsPost(hooks, schema.NeedEdits) {
			r.keepEdits(viewer{r.stage}.edits(r.call, schema.Edit, content))
		}
	case r.call.Event == schema.PostTool && r.call.Gate && len(editsOf(t)) > 0 && r.wantsPost(hooks, 0):
		r.keepBefore(editsOf(t))
		if r.wantsPost(hooks, schema.NeedEdits) {
			r.keepEdits(editsOf(t))
		}
	}
}

// keepBefore remembers what a file held before edits that are made already.
func (r *rememberer) keepBefore(es []schema.TextEdit) {
	if now, ok := r.files.text(r.call); ok {
		old, existed, known := undo(now, es)
		if !known {
			value, _ := r.mem.act(r.call, r.call.Tool.Input).get(keyOriginal)
			before, ok := ordjson.String([]byte(value))
			if old, known = before, ok && slices.Equal(edits.Lines(before, now), es); !known {
				old = ""
			}
		}
		r.putOriginal(old, existed, known)
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

func (r *rememberer) keepEdits(es []schema.TextEdit) {
	text := string(schema.CanonicalEdits.Append(nil, es))
	if len(text) <= maxText {
		r.mem.act(r.call, r.call.Tool.Input).put(keyEdits, text, turnLife)
	}
}

// What is remembered of a file whose text is not.
const (
	noOriginal      = "null" // there was none
	unknownOriginal = "true" // too long, or not known
)

func (r *rememberer) putOriginal(old string, existed, known bool) {
	value := noOriginal
	switch {
	case existed && (!known || len(old) > maxText):
		value = unknownOriginal
	case existed:
		value = string(ordjson.AppendString(nil, old))
	}
	r.mem.act(r.call, r.call.Tool.Input).put(keyOriginal, value, turnLife)
}

// addOriginal completes the result of a write by what the relay remembers.
func (r viewer) addOriginal(c *schema.Call) {
	if value, ok := r.mem.act(r.call, r.call.Tool.Input).get(keyOriginal); ok && value != unknownOriginal {
		c.Tool.Output = c.Tool.Output.Set(schema.RoleOriginal, "", []byte(value))
	}
}

// wantsPost reports whether a hook will run after the call in a view with the given
// needs.
func (r *rememberer) wantsPost(hooks []schema.Hook, needs schema.Needs) bool {
	c := r.call.Clone()
	c.Event = schema.PostTool
	for _, v := range r.Hooks.Views(c) {
		if v.Needs&needs != needs {
			continue
		}
		for i := range hooks {
			h := hooks[i]
			if h.Native != v.Event {
				continue
			}
			if _, ok := (selector{r.stage}).viewFor(&h, []schema.View{v}); ok {
				return true
			}
		}
	}
	return false
}

func (r viewer) rememberedEdits() ([]schema.TextEdit, bool) {
	text, ok := r.mem.act(r.call, r.call.Tool.Input).get(keyEdits)
	return schema.CanonicalEdits.Decode([]byte(text)), ok
}

// deliver adds what earlier events left for this one.
func (r *rememberer) deliver(reply *schema.Reply) {
	gate, _ := r.Host.Asks(r.call)
	if gate != "" && gate == r.call.Native && r.mem.lost && r.Ask == cmdline.AskRelay && reply.Verdict < schema.Ask {
		reply.Verdict, reply.Reason = schema.Ask, "A hook may have asked for confirmation of this call, and the session file can't be read."
	}
	if len(r.mem.items) == 0 {
		return
	}
	key := ""
	if r.call.Event.IsTool() && r.mem.has(keyAsk, keyContext) {
		key = r.mem.callKey(r.call, r.call.Tool.Input)
	}
	if gate == r.call.Native {
		if reason, ok := r.mem.take(keyAsk + key); ok && reply.Verdict < schema.Ask {
			reply.Verdict, reply.Reason = schema.Ask, reason
		}
	}
	keys := []string{keyContext}
	switch {
	case key != "" && r.call.Event != schema.PreTool:
		keys = append(keys, keyContext+key)
	case r.call.Event == schema.PromptSubmit: // of calls that were denied or failed
		keys = r.mem.keys(keyContext)
	}
	if r.Host.Honors(r.call, reply)&schema.EffectContext == 0 {
		if len(keys) > 1 { // the call is over: the next event that accepts context gets it
			for text, ok := r.mem.take(keys[1]); ok; text, ok = r.mem.take(keys[1]) {
				r.mem.add(keyContext, text, turnLife)
			}
		}
		return
	}
	for _, key := range keys {
		for text, ok := r.mem.take(key); ok; text, ok = r.mem.take(key) {
			reply.Context = schema.JoinText(text, reply.Context)
		}
	}
}

// relayEnd has the further calls of the turn denied.
func (r *rememberer) relayEnd(reason string) {
	turn := r.call.Str(schema.FieldTurn)
	if r.call.Event == schema.SessionStart {
		turn = wholeSession
	}
	r.mem.put(keyEnd, turn+"\x00"+reason, turnLife)
}

// relayContext keeps context for a later event.
func (r *rememberer) relayContext(text string, refused bool) {
	key := keyContext
	switch r.call.Event {
	case schema.PreTool, schema.PostTool:
		if exists, _ := (callEvents{r.stage}).twin(); !refused && (exists || r.call.Event == schema.PreTool) { // a denied call has no later event
			key += r.mem.callKey(r.call, r.call.Tool.Input)
		}
	}
	r.mem.add(key, text, turnLife)
}

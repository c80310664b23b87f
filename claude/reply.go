package claude

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply gives meaning to what a hook did, as Claude Code 2.1.328 does:
// one JSON object on stdout is read at every exit status, exit code 2 blocks
// whatever the object says, everything unclear proceeds unless the hook asks
// to block on failure.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := newDecoder(a.Agent, h, v)
	d.read(res)
	d.apply()
	d.sweep()
	return d.reply, d.ds
}

type decoder struct {
	agent   *family.Agent
	row     *schema.EventRow
	hook    *schema.Hook
	view    schema.View
	reply   schema.Reply
	ds      schema.Diagnostics
	blocked bool           // by the object, the exit status or onFailure
	reason  string         // of the block
	more    string         // context that sends the agent on (Stop, SubagentStop)
	ignored schema.Feature // what the answer said and nobody heeds here
}

func newDecoder(a *family.Agent, h *schema.Hook, v schema.View) *decoder {
	row := rowOf(v.Event)
	if row == nil {
		row = &schema.EventRow{Native: v.Event}
	}
	return &decoder{agent: a, row: row, hook: h, view: v}
}

func (d *decoder) read(res *process.Result) {
	switch {
	case res.Err != nil:
		d.ds.Add(schema.CodeNotStarted, d.hook.Path, res.Err.Error())
		d.failed("hook could not be started: " + res.Err.Error())
		return
	case res.TimedOut:
		d.ds.Add(schema.CodeTimedOut, d.hook.Path, "the hook exceeded its timeout and was killed")
		d.failed("hook timed out")
		return
	case res.Released || goesOn(res.Stdout):
		d.ds.Add(schema.CodeReleased, d.hook.Path, "the hook continues in the background")
		return
	case d.row.Event == schema.WorktreeCreate && d.hook.Handler != schema.HandlerHTTP:
		d.worktree(res)
		return
	}
	bad := d.output(res)
	switch {
	case res.Exit == 2:
		d.exit2(readable(res.Stderr))
	case bad != "":
		d.failed(bad)
	case res.Exit != 0:
		d.hookFailed(res)
	}
}

// output reads stdout; the result says why it is an error, "" if it is none.
func (d *decoder) output(res *process.Result) (bad string) {
	out := trim(res.Stdout)
	if len(out) == 0 || out[0] != '{' {
		d.text(readable(out), res.Exit)
		return ""
	}
	o, err := parse(out)
	switch {
	case err == nil:
		if bad = d.object(o); bad != "" {
			d.ds.Add(schema.CodeBadSchema, d.hook.Path, bad)
			d.reply, d.blocked, d.reason, d.more = schema.Reply{}, false, "", ""
		}
	case out[len(out)-1] == '}' && !d.isLog(out):
		bad = "stdout looks like JSON but isn't valid: " + err.Error()
		d.ds.Add(schema.CodeBadAnswer, d.hook.Path, bad)
	default:
		d.text(readable(out), res.Exit)
	}
	return bad
}

// isLog reports whether text is one JSON value a line, none of which is an
// answer of a hook: that is plain text and no broken answer (observed 2.1.328).
func (d *decoder) isLog(text []byte) bool {
	for _, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		value, err := parse(slices.Concat([]byte(`{"value":`), line, []byte("}")))
		if err != nil || len(value) != 1 {
			return false
		}
		if o, err := parse(line); err == nil && (d.answers(o) || goesOn(line)) {
			return false
		}
	}
	return true
}

// answers reports whether an object would be heard if it stood alone.
func (d *decoder) answers(o ordjson.Object) bool {
	alone := newDecoder(d.agent, d.hook, d.view)
	if alone.object(o) != "" {
		return false
	}
	return slices.ContainsFunc(o, func(m ordjson.Member) bool { return slices.Contains(answerWords, m.Name) })
}

// trim drops blanks and byte order marks from both ends.
func trim(text []byte) []byte {
	return bytes.TrimSpace(ordjson.TrimBOM(bytes.TrimSpace(text)))
}

// readable is output as text: without blanks around it, in valid UTF-8.
func readable(text []byte) string { return strings.ToValidUTF8(string(trim(text)), "\uFFFD") }

// goesOn reports whether the first line says that the hook works on in the
// background: nothing else that it says or how it ends then counts (observed
// 2.1.328, exit code 2 included).
func goesOn(stdout []byte) bool {
	line, _, _ := bytes.Cut(trim(stdout), []byte("\n"))
	if !bytes.Contains(line, []byte(`"async"`)) {
		return false
	}
	o, err := parse(trim(line))
	if err != nil {
		return false
	}
	raw, _ := o.Get("async")
	on, _ := ordjson.Bool(raw)
	return on
}

// parse reads one JSON object as JavaScript does: of two members of one name
// the last counts (observed 2.1.328).
func parse(text []byte) (ordjson.Object, error) {
	o, _, err := ordjson.ParseLast(text)
	return o, err
}

// text is plain output: context on some events, else nothing.
func (d *decoder) text(s string, exit int) {
	if exit == 0 && s != "" && d.row.Text == schema.EffectContext {
		d.reply.Context = s
	}
}

// worktree reads a command on WorktreeCreate: the last line that is not empty
// is the path, JSON is not looked at, and any failure fails the event
// (observed 2.1.328).
func (d *decoder) worktree(res *process.Result) {
	lines := strings.Split(readable(res.Stdout), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	if res.Exit == 2 {
		d.exit2(readable(res.Stderr))
	} else if res.Exit != 0 {
		d.hookFailed(res)
	} else if last == "" {
		d.blocked, d.reason = true, "the hook printed no path"
	} else {
		d.reply.Others = []schema.Effect{{Feature: schema.EffectWorktree, Raw: ordjson.AppendString(nil, last)}}
	}
}

// exit2 is exit code 2. The object's own blocking reason counts before
// stderr. What else the object said is not heard, its context excepted. Where
// the status blocks nothing, the object is heard in full.
func (d *decoder) exit2(stderr string) {
	if stderr == "" {
		stderr = "No stderr output"
	}
	if d.row.Blocks == 0 {
		d.ds.AddSeverity(schema.CodeIgnoredEffect, schema.Note, d.hook.Path, "exit code 2 doesn't block "+d.row.Native+": "+stderr)
		return
	}
	r := &d.reply
	if r.Verdict != schema.Deny {
		r.Verdict, r.Reason = schema.NoOpinion, ""
	}
	r.Input, r.InputView, r.Output = nil, schema.View{}, nil
	d.blocked, d.reason = true, cmp.Or(d.reason, r.Reason, stderr)
}

// failed applies onFailure: a hook that asks to block on its own failure is
// treated as if it had ended with status 2, and an object that blocks keeps its
// own words (observed 2.1.328). Asynchronous hooks and the stop events ignore
// it.
func (d *decoder) failed(reason string) {
	switch {
	case d.blocked || d.reply.Verdict == schema.Deny:
		return
	case d.row.Event == schema.WorktreeCreate: // any failure fails it
	case d.hook.Fail != schema.FailClosed || d.hook.Async || d.hook.Rewake:
		return
	case d.row.Blocks == schema.EffectKeepGoing || d.row.Event == schema.TaskCompleted:
		return
	}
	d.reply, d.more = schema.Reply{}, ""
	d.blocked, d.reason = true, reason
	if d.row.Event == schema.PermissionRequest { // heeds this although not exit code 2
		d.reply.Verdict, d.reply.Reason = schema.Deny, reason
	}
}

func (d *decoder) hookFailed(res *process.Result) {
	msg := "exit code " + strconv.Itoa(res.Exit)
	if res.Signal != "" {
		msg = "ended by signal " + res.Signal
	}
	if s := schema.FirstLine(res.Stderr); s != "" {
		msg += ": " + s
	}
	d.ds.Add(schema.CodeHookFailed, d.hook.Path, msg)
	d.failed("hook failed: " + msg)
}

// apply gives a block the meaning that it has on this event.
func (d *decoder) apply() {
	r := &d.reply
	if d.blocked {
		reason := cmp.Or(d.reason, "Blocked by hook")
		switch d.row.Blocks {
		case schema.EffectDeny:
			if r.Verdict != schema.Deny || r.Reason == "" {
				r.Verdict, r.Reason = schema.Deny, reason
			}
		case schema.EffectFeedback:
			r.Feedback = reason
		case schema.EffectKeepGoing:
			r.KeepGoing = reason
		case schema.EffectEndTurn:
			r.EndTurn, r.EndReason = true, cmp.Or(r.EndReason, reason)
		}
	}
	r.KeepGoing = schema.JoinText(r.KeepGoing, d.more)
	if r.Verdict == schema.Deny && r.Reason == "" {
		r.Reason = "Blocked by hook" // what the client says then
	}
}

// sweep drops what Claude Code itself ignores on this event, and says so.
func (d *decoder) sweep() {
	r := &d.reply
	ignored := r.Uses() &^ d.row.Honours
	if d.row.Honours&schema.EffectReason == 0 {
		r.Reason = "" // no word of it where the refusal alone counts
	}
	drop(r, ignored)
	if ignored = (ignored | d.ignored) &^ schema.EffectReason; ignored != 0 {
		d.ds.Add(schema.CodeIgnoredEffect, d.hook.Path, d.row.Native+" ignores: "+ignored.String())
	}
}

func drop(r *schema.Reply, f schema.Feature) {
	if f&(schema.EffectAllow|schema.EffectAsk|schema.EffectDefer|schema.EffectDeny) != 0 {
		r.Verdict, r.Reason = schema.NoOpinion, ""
	}
	if f&schema.EffectInput != 0 {
		r.Input, r.InputView = nil, schema.View{}
	}
	if f&schema.EffectOutput != 0 {
		r.Output = nil
	}
	if f&schema.EffectContext != 0 {
		r.Context = ""
	}
	if f&schema.EffectEndTurn != 0 {
		r.EndTurn, r.EndReason = false, ""
	}
	if f&schema.EffectNotice != 0 {
		r.Notice = ""
	}
	kept := r.Others[:0:0]
	for _, o := range r.Others {
		if o.Feature&f == 0 {
			kept = append(kept, o)
		}
	}
	r.Others = kept
}

package qoder

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply gives meaning to what a hook did, as qodercli 1.1.52 does: exit
// status 2 blocks with stderr and nothing else is read; with status 0, or ended
// by a signal, stdout is read, strictly where it is JSON; any other status, a
// time-out and a hook that cannot be started let the act proceed. The IDE reads
// JSON at status 2 as well.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	r := d.newDecoder(h, v)
	r.read(res)
	r.apply()
	r.sweep()
	return r.reply, r.ds
}

type decoder struct {
	agent   *family.Agent
	on      surface
	row     *schema.EventRow
	hook    *schema.Hook
	view    schema.View
	reply   schema.Reply
	ds      schema.Diagnostics
	blocked bool
	reason  string         // of the block, or beside another verdict
	ignored schema.Feature // what the answer said and nobody heeds here
}

func (d Dialect) newDecoder(h *schema.Hook, v schema.View) *decoder {
	row := d.Row(v.Event)
	if row == nil {
		row = &schema.EventRow{Native: v.Event}
	}
	return &decoder{agent: d.Agent, on: d.on, row: row, hook: h, view: v}
}

func (d *decoder) add(c schema.Code, msg string) { d.ds.Add(c, d.hook.Path, msg) }

func (d *decoder) read(res *process.Result) {
	switch {
	case d.hook.Handler == schema.HandlerCallback: // in its host's own process
		if text := trim(res.Stdout); text != "" && text != "null" {
			d.callback([]byte(text))
		}
	case res.Err != nil:
		d.add(schema.CodeNotStarted, res.Err.Error())
	case res.TimedOut:
		d.add(schema.CodeTimedOut, "the hook exceeded its timeout and was killed")
	case res.Released:
		d.add(schema.CodeReleased, "the hook continues in the background")
	case res.Exit == 2:
		d.blocked, d.reason = true, cmp.Or(trim(res.Stderr), "Hook blocked with exit code 2")
		if d.on == ide && strings.HasPrefix(trim(res.Stdout), "{") {
			d.output(trim(res.Stdout))
			d.blocked = true
		}
	case res.Exit == 0 || res.Signal != "":
		if res.Signal != "" && trim(res.Stdout) == "" { // what it has printed counts all the same
			d.add(schema.CodeHookFailed, "ended by signal "+res.Signal)
		}
		d.output(trim(res.Stdout))
	default:
		msg := "exit code " + strconv.Itoa(res.Exit)
		if s := schema.FirstLine(res.Stderr); s != "" {
			msg += ": " + s
		}
		d.add(schema.CodeHookFailed, msg)
	}
	if _, ok := d.reply.Other(schema.EffectWorktree); d.row.Event == schema.WorktreeCreate && !ok && !d.blocked {
		d.blocked, d.reason = true, "the hook named no folder for the worktree"
	}
}

// output reads stdout of a hook that ended well. What fails to be JSON where
// JSON began, and JSON that breaks the rules, refuses a tool call; on other
// events the first counts as plain text and the second as nothing.
func (d *decoder) output(out string) {
	strict := d.row.Event == schema.PreTool
	text, isJSON, err := jsonIn(out)
	quoted := d.hook.Handler == schema.HandlerHTTP && strings.HasPrefix(out, `"`) // not looked into there
	switch {
	case !isJSON && err == nil, quoted:
		d.text(out)
		return
	case err != nil && strict:
		d.add(schema.CodeBadAnswer, "stdout looks like JSON but isn't valid, so the call is denied: "+err.Error())
		d.blocked, d.reason = true, "PreToolUse hook printed malformed JSON: "+err.Error()
		return
	case err != nil:
		d.add(schema.CodeBadAnswer, "stdout looks like JSON but isn't valid: "+err.Error())
		if d.hook.Handler != schema.HandlerHTTP {
			d.text(out)
		}
		return
	}
	o, err := parse([]byte(text))
	if err != nil { // jsonIn has read it
		return
	}
	bad := d.object(o)
	if bad == "" {
		return
	}
	d.reply, d.blocked, d.reason, d.ignored = schema.Reply{}, false, "", 0
	if strict {
		bad += ", so the call is denied"
		d.blocked, d.reason = true, "PreToolUse hook printed an invalid answer: "+bad
	}
	d.add(schema.CodeBadSchema, bad)
}

// jsonIn returns the JSON object that out is, or that out is a JSON string of;
// isJSON is false for plain text.
func jsonIn(out string) (text string, isJSON bool, err error) {
	switch {
	case strings.HasPrefix(out, `"`):
		if err := ordjson.Check([]byte(out)); err != nil {
			return "", false, err
		}
		inner, _ := ordjson.String([]byte(out))
		if out = trim([]byte(inner)); !strings.HasPrefix(out, "{") {
			return "", false, nil
		}
	case !strings.HasPrefix(out, "{"):
		return "", false, nil
	}
	if _, err := parse([]byte(out)); err != nil {
		return "", false, err
	}
	return out, true, nil
}

// text is plain output. On PreToolUse the client takes it for "allow"; nobody
// meant that, so it is not carried.
func (d *decoder) text(s string) {
	switch {
	case s == "":
	case d.row.Text == schema.EffectContext:
		d.reply.Context = s
	case d.row.Text == schema.EffectWorktree:
		d.reply.Others = []schema.Effect{{Feature: schema.EffectWorktree, Raw: ordjson.AppendString(nil, s)}}
	case d.row.Event == schema.PreTool:
		d.ds.AddSeverity(schema.CodeIgnoredEffect, schema.Note, d.hook.Path, "in Qoder, plain text on stdout skips the permission prompt; that isn't translated")
	}
}

// apply gives a block the meaning that it has on this event, and the end of the
// turn what it brings with it.
func (d *decoder) apply() {
	r := &d.reply
	if d.blocked {
		d.block(cmp.Or(d.reason, noReason))
	}
	if !r.EndTurn {
		return
	}
	reason := cmp.Or(r.EndReason, d.reason, noReason)
	switch d.row.Event {
	case schema.PreTool, schema.TaskCreated, schema.TaskCompleted: // the act does not take place either
		if r.Verdict != schema.Deny {
			d.block(reason)
		}
	case schema.PreCompact, schema.TeammateIdle: // no more than a block
		d.block(reason)
		r.EndTurn, r.EndReason = false, ""
	}
}

func (d *decoder) block(reason string) {
	r := &d.reply
	switch d.row.Blocks {
	case schema.EffectDeny:
		r.Verdict, r.Reason = schema.Deny, reason
	case schema.EffectFeedback:
		r.Feedback = reason
	case schema.EffectKeepGoing:
		r.KeepGoing = reason
	default:
		d.ignored |= schema.EffectDeny
	}
}

// sweep drops what Qoder itself ignores on this event, and says so.
func (d *decoder) sweep() {
	r := &d.reply
	if d.row.Honours&schema.EffectReason == 0 {
		r.Reason = "" // no word of it where the refusal alone counts
	}
	if r.EndTurn {
		r.KeepGoing = ""
	}
	ignored := r.Uses() &^ d.row.Honours
	drop(r, ignored)
	if ignored |= d.ignored; ignored != 0 {
		d.add(schema.CodeIgnoredEffect, d.row.Native+" ignores: "+ignored.String())
	}
}

func drop(r *schema.Reply, f schema.Feature) {
	if f&(schema.EffectAllow|schema.EffectAsk|schema.EffectDefer|schema.EffectDeny) != 0 {
		r.Verdict, r.Reason = schema.NoOpinion, ""
	}
	for _, t := range []struct {
		f    schema.Feature
		text *string
	}{
		{schema.EffectReason, &r.Reason}, {schema.EffectContext, &r.Context}, {schema.EffectFeedback, &r.Feedback},
		{schema.EffectKeepGoing, &r.KeepGoing}, {schema.EffectNotice, &r.Notice}, {schema.EffectEndTurn, &r.EndReason},
	} {
		if f&t.f != 0 {
			*t.text = ""
		}
	}
	r.EndTurn = r.EndTurn && f&schema.EffectEndTurn == 0
	if f&schema.EffectInput != 0 {
		r.Input = nil
	}
	if f&schema.EffectOutput != 0 {
		r.Output = nil
	}
	var kept []schema.Effect
	for _, o := range r.Others {
		if o.Feature&f == 0 {
			kept = append(kept, o)
		}
	}
	r.Others = kept
}

// trim drops what JavaScript calls white space from both ends. Bytes that are no
// text become U+FFFD.
func trim(b []byte) string {
	return strings.TrimFunc(strings.ToValidUTF8(string(b), "\ufffd"), func(r rune) bool { return unicode.IsSpace(r) && r != 0x85 || r == 0xfeff })
}

package qoder

import (
	"cmp"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply gives meaning to what a hook did, as qodercli 1.1.52 does: exit
// code 2 blocks with stderr and nothing else is read; with code 0, or ended
// by a signal, stdout is read, strictly where it is JSON; any other code, a
// timeout and a hook that cannot be started let the call proceed. The IDE reads
// JSON at code 2 as well.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	r := decoder{d.Decoder(h, v), d.on}
	r.read(res)
	return r.done()
}

// Refusal is what a model's "no" means: a block with its reason (package
// 1.1.52).
func (d Dialect) Refusal(h *schema.Hook, v schema.View, reason string) schema.Reply {
	r := decoder{d.Decoder(h, v), d.on}
	if r.Row.Event != schema.PermissionRequest {
		r.Blocked, r.Reason = true, cmp.Or(reason, "Prompt hook rejected")
	}
	reply, _ := r.done()
	return reply
}

type decoder struct {
	*family.Decoder
	on surface
}

func (d decoder) done() (schema.Reply, schema.Diagnostics) {
	d.apply()
	return d.Done()
}

func (d decoder) read(res *process.Result) {
	if d.Hook.Handler == schema.HandlerCallback { // in its host's own process
		if text := trim(res.Stdout); text != "" && text != "null" {
			d.callback([]byte(text))
		}
	} else {
		d.ended(res)
	}
	if _, ok := d.Reply.Other(schema.EffectWorktree); d.Row.Event == schema.WorktreeCreate && !ok && !d.Blocked {
		d.Blocked, d.Reason = true, "the hook named no folder for the worktree"
	}
}

func (d decoder) ended(res *process.Result) {
	out, rows := trim(res.Stdout), dialect.Ends{process.Failed: {Fails: true}}
	rows[process.Killed].Fails = out == "" // what it has printed counts nevertheless
	switch o := d.Ended(&rows, res); {
	case res.Released:
		d.Add(schema.CodeReleased, "the hook continues in the background")
	case o == process.Refused:
		d.Blocked, d.Reason = true, cmp.Or(trim(res.Stderr), "Hook blocked with exit code 2")
		if d.on == ide && strings.HasPrefix(out, "{") {
			d.output(out)
			d.Blocked = true
		}
	case o == process.Clean || o == process.Killed:
		d.output(out)
	}
}

// output reads stdout of a hook that ended well. What fails to be JSON where
// JSON began, and JSON that breaks the rules, refuses a tool call; on other
// events the first counts as plain text and the second as nothing.
func (d decoder) output(out string) {
	strict := d.Row.Event == schema.PreTool
	o, isJSON, err := jsonIn(out)
	quoted := d.Hook.Handler == schema.HandlerHTTP && strings.HasPrefix(out, `"`) // not looked into there
	switch {
	case !isJSON && err == nil, quoted:
		d.text(out)
		return
	case err != nil:
		d.BadJSON(err)
		if strict {
			d.Blocked, d.Reason = true, "PreToolUse hook printed malformed JSON: "+err.Error()
		} else if d.Hook.Handler != schema.HandlerHTTP {
			d.text(out)
		}
		return
	}
	bad := d.object(o)
	if bad == "" {
		return
	}

	d.Void()
	if strict {
		bad += ", so the call is denied"
		d.Blocked, d.Reason = true, "PreToolUse hook printed an invalid answer: "+bad+"\nThe hook's output was: "+out
	}
	d.Add(schema.CodeBadSchema, bad)
}

// object reads the JSON form; the result says what breaks its rules.
func (d decoder) object(o ordjson.Object) (bad string) {
	if raw, _ := o.Get("async"); string(raw) == "true" { // nothing else counts
		if _, _, bad := family.Pick(o, top[1:2]); bad != "" {
			return bad
		}
		d.Add(schema.CodeReleased, "the hook continues in the background; its later output is ignored")
		return ""
	}
	if bad = d.Object(o); bad == "" && d.on == ide {
		d.ideMembers(o)
	}
	return bad
}

// ideMembers reads what only the IDE has at the top of an answer (docs 2026-07).
func (d decoder) ideMembers(o ordjson.Object) {
	r := &d.Reply
	if raw, ok := o.Get("updatedToolOutput"); ok && r.Output == nil {
		r.Output = raw
	}
	if text, ok := o.Text("continueWithPrompt"); ok {
		r.KeepGoing = text
	}
}

// callback reads what a callback returned. An answer that breaks the rules is
// ignored, where a command's would refuse the call (package 1.1.52); an empty
// output replaces none.
func (d decoder) callback(value []byte) {
	o, err := ordjson.Members(value, 0)
	if err != nil {
		d.Add(schema.CodeBadSchema, "the callback returned "+strings.ToValidUTF8(string(value[:min(len(value), 80)]),
			"")+", not an object")
		return
	}
	if bad := d.object(o); bad != "" {
		d.Void()
		d.Add(schema.CodeBadSchema, bad)
	}
	if string(d.Reply.Output) == `""` {
		d.Reply.Output = nil
	}
}

// jsonIn returns the JSON object that out is, or that out is a JSON string of;
// isJSON is false for plain text.
func jsonIn(out string) (o ordjson.Object, isJSON bool, err error) {
	if strings.HasPrefix(out, `"`) {
		if err := ordjson.Check([]byte(out)); err != nil {
			return nil, false, err
		}
		inner, _ := ordjson.String([]byte(out))
		out = trim([]byte(inner))
	}
	if !strings.HasPrefix(out, "{") {
		return nil, false, nil
	}
	o, _, err = ordjson.ParseLast([]byte(out))
	return o, err == nil, err
}

// text is plain output. On PreToolUse the client takes it for "allow"; nobody
// meant that, so it is not translated.
func (d decoder) text(s string) {
	switch {
	case s == "":
	case d.Row.Text == schema.EffectContext:
		d.Reply.Context = s
	case d.Row.Text == schema.EffectWorktree:
		d.Reply.Others = []schema.Effect{{Feature: schema.EffectWorktree, Raw: ordjson.AppendString(nil, s)}}
	case d.Row.Event == schema.PreTool:
		d.Found.AddSeverity(schema.CodeIgnoredEffect, schema.Note, d.Hook.Path,
			"in Qoder, plain text on stdout skips the permission prompt; that isn't translated")
	}
}

// apply gives a block the meaning that it has on this event, and the end of the
// turn what it brings with it.
func (d decoder) apply() {
	r := &d.Reply
	if d.Blocked {
		d.Block(cmp.Or(d.Reason, noReason))
	}
	if !r.EndTurn {
		return
	}
	reason := cmp.Or(r.EndReason, d.Reason, noReason)
	switch d.Row.Event {
	case schema.PreTool, schema.TaskCreated, schema.TaskCompleted: // the call does not run either
		if r.Verdict != schema.Deny {
			d.Block(reason)
		}
	case schema.PreCompact, schema.TeammateIdle: // no more than a block
		d.Block(reason)
		r.EndTurn, r.EndReason = false, ""
	}
	if r.EndTurn {
		r.KeepGoing = ""
	}
}

// trim drops what JavaScript calls white space from both ends. Bytes that aren't
// text become U+FFFD.
func trim(b []byte) string {
	return strings.TrimFunc(strings.ToValidUTF8(string(b), "\ufffd"), ordjson.IsSpace)
}

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

// DecodeReply interprets a hook's result as qodercli 1.1.52 does. Exit code 2 blocks with stderr, and nothing else is
// read. With code 0, or after a signal, stdout is read, strictly if it is JSON. Any other code, a timeout and a hook
// that can't be started let the call proceed. The IDE also reads JSON at code 2.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	r := decoder{d.Decoder(h, v), d.on}
	r.read(res)
	return r.done()
}

// Refusal is the reply for a model's "no": a block with its reason (package 1.1.52).
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
	if d.Hook.Handler == schema.HandlerCallback { // runs in its host's own process
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
	rows[process.Killed].Fails = out == "" // its output counts anyway
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

// output reads stdout of a hook that ended well. Malformed JSON, and JSON that breaks the rules, deny a tool call. On
// other events the former counts as plain text and the latter as nothing.
func (d decoder) output(out string) {
	strict := d.Row.Event == schema.PreTool
	o, isJSON, err := jsonIn(out)
	quoted := d.Hook.Handler == schema.HandlerHTTP && strings.HasPrefix(out, `"`) // not parsed there
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

// object reads the JSON form; bad describes a violation of its rules.
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

// ideMembers reads top-level fields of an answer that only the IDE has (docs 2026-07).
func (d decoder) ideMembers(o ordjson.Object) {
	r := &d.Reply
	if raw, ok := o.Get("updatedToolOutput"); ok && r.Output == nil {
		r.Output = raw
	}
	if text, ok := o.Text("continueWithPrompt"); ok {
		r.KeepGoing = text
	}
}

// callback reads a callback's return value. An answer that breaks the rules is ignored, while a command's would deny
// the call (package 1.1.52); an empty output replaces nothing.
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

// jsonIn returns the JSON object in out, or in a JSON string in out; isJSON is false for plain text.
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

// text handles plain output. On PreToolUse the client takes it as "allow". Nobody intends that, so it isn't translated.
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

// apply applies a block as the event defines it, and the consequences of ending the turn.
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
	case schema.PreTool, schema.TaskCreated, schema.TaskCompleted: // the call doesn't run either
		if r.Verdict != schema.Deny {
			d.Block(reason)
		}
	case schema.PreCompact, schema.TeammateIdle: // only a block
		d.Block(reason)
		r.EndTurn, r.EndReason = false, ""
	}
	if r.EndTurn {
		r.KeepGoing = ""
	}
}

// trim removes JavaScript's white space from both ends. Invalid bytes become U+FFFD.
func trim(b []byte) string {
	return strings.TrimFunc(strings.ToValidUTF8(string(b), "\ufffd"), ordjson.IsSpace)
}

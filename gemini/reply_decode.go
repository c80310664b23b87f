package gemini

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply gives meaning to what a hook did (observed 0.61.0): an object on
// stdout, or else on stderr, is the answer whatever the exit code; plain text blocks
// with every code but 0 and 1; a hook without a word has no opinion, exit code 2
// included. A hook that fails otherwise lets the action proceed.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	dec := decoder{dialect: d, row: profile.Row(v.Event), hook: h, view: v}
	dec.decode(res)
	return dec.reply, dec.ds
}

type decoder struct {
	dialect Dialect
	row     *schema.EventRow
	hook    *schema.Hook
	view    schema.View
	reply   schema.Reply
	ds      schema.Diagnostics
}

func (d *decoder) add(code schema.Code, msg string) { d.ds.Add(code, d.hook.Path, msg) }

func (d *decoder) ignored(what string) {
	d.add(schema.CodeIgnoredEffect, "Gemini CLI ignores "+what+" on "+d.row.Native)
}

func (d *decoder) decode(res *process.Result) {
	exit := res.Exit
	switch {
	case res.Err != nil:
		d.add(schema.CodeNotStarted, res.Err.Error())
		return
	case res.TimedOut:
		d.add(schema.CodeTimedOut, "the hook exceeded its timeout; Gemini CLI drops its answer and the action proceeds")
		return
	case res.Signal != "":
		exit = 0
		d.add(schema.CodeHookFailed, "the hook failed: ended by signal "+res.Signal)
	}
	out := trim(res.Stdout)
	if len(out) == 0 {
		out = trim(res.Stderr)
	}
	if len(out) == 0 {
		if exit != 0 {
			d.add(schema.CodeHookFailed, "the hook failed: exit code "+strconv.Itoa(exit)+" without any output; Gemini CLI lets the action proceed")
		}
		return
	}
	value := out
	if s, ok := ordjson.String(out); ok && ordjson.Check(out) == nil {
		value = trim([]byte(s))
	}
	o, _, err := ordjson.ParseLast(value)
	switch {
	case err == nil:
		d.object(o)
	case ordjson.Check(out) == nil && ordjson.KindOf(value) != ordjson.Invalid && ordjson.Check(value) == nil:
		d.add(schema.CodeBadAnswer, "the answer is JSON but not an object; Gemini CLI ignores it")
	case exit == 0:
		d.reply.Notice = string(out)
	case exit == 1:
		d.add(schema.CodeHookFailed, "the hook failed: "+schema.FailureText(1, "", out))
		d.reply.Notice = "Warning: " + string(out)
	default:
		d.block(strings.ToValidUTF8(string(out), "\ufffd"))
	}
	d.sweep()
}

// trim takes off what JavaScript's trim does.
func trim(text []byte) []byte { return bytes.TrimFunc(text, isBlank) }

func isBlank(r rune) bool {
	return strings.ContainsRune("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", r) || r >= 0x2000 && r <= 0x200a
}

// noReason is what the client puts in for a reason that is missing.
const noReason = "No reason provided"

// block is a decision against the event, which means something else on each.
func (d *decoder) block(reason string) {
	r := &d.reply
	switch d.row.Blocks {
	case schema.EffectDeny:
		r.Verdict, r.Reason = schema.Deny, reason
	case schema.EffectKeepGoing:
		r.KeepGoing = orDefault(reason)
	case schema.EffectOutput:
		r.Output = ordjson.AppendString(nil, orDefault(reason))
	case schema.EffectEndTurn:
		r.EndTurn, r.EndReason = true, reason
	default:
		d.ignored("a block")
	}
}

func orDefault(reason string) string {
	if reason == "" {
		return noReason
	}
	return reason
}

// object reads an answer.
func (d *decoder) object(o ordjson.Object) {
	r := &d.reply
	decision, reason := "", ""
	for _, m := range o {
		s, _ := ordjson.String(m.Value)
		switch m.Name {
		case "decision":
			decision = s
		case "reason":
			if reason = s; ordjson.KindOf(m.Value) != ordjson.StringKind && ordjson.Truthy(m.Value) {
				reason = string(ordjson.AppendCompact(nil, m.Value))
			}
		case "continue":
			r.EndTurn = string(m.Value) == "false"
		case "stopReason":
			r.EndReason = s
		case "systemMessage":
			r.Notice = s
		case "suppressOutput":
			r.Others = append(r.Others, schema.Effect{Feature: schema.EffectQuiet, Raw: m.Value})
		case "hookSpecificOutput":
		default:
			r.Extra = append(r.Extra, m)
		}
	}
	if !r.EndTurn {
		r.EndReason = ""
	}
	raw, _ := o.Get("hookSpecificOutput")
	inner, err := ordjson.Members(raw, 0)
	if ordjson.KindOf(raw) == ordjson.StringKind {
		d.reply = schema.Reply{}
		d.add(schema.CodeBadSchema, "hookSpecificOutput is a string: Gemini CLI then drops the answers of all hooks of the event")
		return
	}
	if err == nil {
		for _, m := range inner {
			d.specific(m)
		}
	}
	d.decide(decision, reason)
}

func (d *decoder) decide(word, reason string) {
	r := &d.reply
	switch {
	case word == "deny" || word == "block":
		d.block(reason)
	case word == "ask" && d.row.Honors&schema.EffectAsk != 0 && d.dialect.Data.Since(asksSince):
		r.Verdict, r.Reason = schema.Ask, reason
	case word == "ask":
		d.ignored("ask")
	default: // joined to the reasons of those that refuse
		r.Reason = reason
	}
	if r.EndTurn && d.row.EndDenies {
		r.Verdict = schema.Deny
		if r.Reason == "" {
			r.Reason = r.EndReason
		}
	}
}

// uncarried are members of hookSpecificOutput that no other agent has, by the event
// that honors them.
var uncarried = []struct{ Name, Event string }{
	{"clearContext", "AfterAgent"}, {"tailToolCallRequest", "AfterTool"}, {"llm_request", "BeforeModel"}, {"llm_response", "BeforeModel"},
	{"llm_response", "AfterModel"}, {"toolConfig", "BeforeToolSelection"},
}

// specific reads a member of hookSpecificOutput.
func (d *decoder) specific(m ordjson.Member) {
	r := &d.reply
	s, isText := ordjson.String(m.Value)
	switch m.Name {
	case "hookEventName":
		return
	case "additionalContext":
		if d.row.Honors&schema.EffectContext == 0 {
			d.ignored(m.Name)
		} else if isText {
			r.Context = s
		}
		return
	case "tool_input":
		o, err := ordjson.Members(m.Value, 0)
		if d.row.Honors&schema.EffectInput == 0 || err != nil {
			d.ignored(m.Name)
			return
		}
		r.InputView = d.view
		if r.Input = schema.DecodeArgs(o, d.dialect.ArgRows(d.view.Tool)); r.Input == nil {
			r.Input = schema.Args{}
		}
		return
	}
	for _, u := range uncarried {
		if u.Name == m.Name && u.Event == d.row.Native {
			d.add(schema.CodeEffectLost, m.Name+" has no counterpart in other agents, so it is dropped")
			return
		}
	}
	r.Extra = append(r.Extra, m)
}

// sweep drops what Gemini CLI ignores on the event, and reports it.
func (d *decoder) sweep() {
	r := &d.reply
	if r.Notice != "" && d.row.Honors&schema.EffectNotice == 0 {
		r.Notice = ""
		d.ignored("systemMessage")
	}
	if r.EndTurn && d.row.Honors&schema.EffectEndTurn == 0 {
		r.EndTurn, r.EndReason = false, ""
		d.ignored("continue")
	}
	if r.Output != nil && r.Context != "" { // lost together with the result
		r.Context = ""
		d.ignored("additionalContext together with a block")
	}
}

// Merge makes one reply of several, in the order of the settings: deny beats ask,
// reasons and texts are joined, those of hooks that allow included, the last new
// input counts as a whole (observed 0.61.0).
func (Dialect) Merge(rs []schema.Reply) schema.Reply {
	out := merging.Merge(rs)
	if out.Verdict == schema.NoOpinion {
		out.Reason = ""
	}
	if out.Output != nil {
		out.Context = "" // lost together with the result
	}
	return out
}

// Refusal is what a model's "no" means.
func (d Dialect) Refusal(h *schema.Hook, v schema.View, reason string) schema.Reply {
	dec := decoder{dialect: d, row: profile.Row(v.Event), hook: h}
	if dec.row.Blocks != 0 {
		dec.block(reason)
	}
	return dec.reply
}

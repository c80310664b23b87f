package gemini

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply interprets a hook's result (observed 0.61.0): an object on stdout, or else on stderr, is the answer
// whatever the exit code. Plain text blocks with every code except 0 and 1. A hook without output has no opinion, even
// with exit code 2. Any other failure lets the call proceed.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	dec := decoder{d.Decoder(h, v)}
	dec.decode(res)
	return dec.Reply, dec.Found
}

type decoder struct{ *family.Decoder }

func (d decoder) ignored(what string) {
	d.Add(schema.CodeIgnoredEffect, "Gemini CLI ignores "+what+" on "+d.Row.Native)
}

var ends = dialect.Ends{process.Late: {So: "; Gemini CLI drops its answer and the action proceeds"},
	process.Killed: {Fails: true}}

func (d decoder) decode(res *process.Result) {
	exit := res.Exit
	switch d.Ended(&ends, res) {
	case process.NotStarted, process.Late:
		return
	case process.Killed:
		exit = 0
	}

	out := ordjson.TrimSpace(res.Stdout)
	if len(out) == 0 {
		out = ordjson.TrimSpace(res.Stderr)
	}
	if len(out) == 0 {
		if exit != 0 {
			d.Add(schema.CodeHookFailed, "the hook failed: exit code "+strconv.Itoa(exit)+
				" without any output; Gemini CLI lets the action proceed")
		}
		return
	}

	text := strings.ToValidUTF8(string(out), "\ufffd")
	value := out
	if s, ok := ordjson.String(out); ok && ordjson.Check(out) == nil {
		value = ordjson.TrimSpace([]byte(s))
	}

	o, _, err := ordjson.ParseLast(value)
	switch {
	case err == nil:
		d.object(o)
	case ordjson.Check(out) == nil && ordjson.KindOf(value) != ordjson.Invalid && ordjson.Check(value) == nil:
		d.Add(schema.CodeBadAnswer, "the answer is JSON but not an object; Gemini CLI ignores it")
	case exit == 0:
		d.Reply.Notice = text
	case exit == 1:
		d.Add(schema.CodeHookFailed, "the hook failed: "+schema.FailureText(1, "", out))
		d.Reply.Notice = "Warning: " + text
	default:
		d.block(text)
	}
	d.sweep()
}

// noReason is the client's default reason.
const noReason = "No reason provided"

// block handles a negative decision, whose effect differs by event.
func (d decoder) block(reason string) {
	switch d.Row.Blocks {
	case schema.EffectKeepGoing, schema.EffectOutput:
		reason = cmp.Or(reason, noReason)
	case schema.EffectEndTurn: // it has its own reason
		d.Reply.EndReason = ""
	}
	if !family.Block(&d.Reply, d.Row, reason) {
		d.ignored("a block")
	}
}

func (d decoder) object(o ordjson.Object) {
	r := &d.Reply
	_, r.Extra, _ = family.Pick(o, family.Top)
	if r.EndTurn = string(o.Value("continue")) == "false"; r.EndTurn {
		r.EndReason = o.Str("stopReason")
	}
	r.Notice = o.Str("systemMessage")
	if quiet, ok := o.Get("suppressOutput"); ok {
		r.Others = []schema.Effect{{Feature: schema.EffectQuiet, Raw: quiet}}
	}
	raw := o.Value("hookSpecificOutput")
	if ordjson.KindOf(raw) == ordjson.StringKind {
		d.Void()
		d.Add(schema.CodeBadSchema, "hookSpecificOutput is a string: Gemini CLI then drops the answers of all hooks "+
			"of the event")
		return
	}
	inner, _ := ordjson.Members(raw, 0)
	d.specific(inner)
	d.decide(wordOf(o.Value("decision")), wordOf(o.Value("reason")))
}

// wordOf returns a text, or JavaScript's string for another value.
func wordOf(raw []byte) string {
	s, isText := ordjson.String(raw)
	if !isText && ordjson.Truthy(raw) {
		s = string(ordjson.AppendCompact(nil, raw))
	}
	return s
}

func (d decoder) decide(word, reason string) {
	r := &d.Reply
	switch {
	case word == "deny" || word == "block":
		d.block(reason)
	case word == "ask" && d.Row.Honors&schema.EffectAsk != 0 && d.Agent.Data.Since(asksSince):
		r.Verdict, r.Reason = schema.Ask, reason
	case word == "ask":
		d.ignored("ask")
	default: // joined to the reasons of hooks that deny
		r.Reason = reason
		d.UnknownWord("decision", word, "allow", "approve")
	}
	switch {
	case !r.EndTurn || !d.Row.EndDenies:
	case d.Row.Blocks == schema.EffectDeny:
		r.Verdict, r.Reason = schema.Deny, cmp.Or(r.Reason, r.EndReason)
	case r.Output == nil: // the result is gone too
		d.block(r.EndReason)
	}
}

type field struct{ name, event string }

// uncarried are fields of hookSpecificOutput that no other agent has, by the event that honors them.
var uncarried = []field{
	{"clearContext", "AfterAgent"}, {"tailToolCallRequest", "AfterTool"}, {"llm_request", "BeforeModel"},
	{"llm_response", "BeforeModel"},
	{"llm_response", "AfterModel"}, {"toolConfig", "BeforeToolSelection"},
}

var inner = []family.Part{{Name: "hookEventName"}, {Name: "additionalContext", Feature: schema.EffectContext},
	{Name: "tool_input", Feature: schema.EffectInput}}

func (d decoder) specific(o ordjson.Object) {
	d.Take(o, inner)
	_, extra, _ := family.Pick(o, inner)
	for _, m := range extra {
		if slices.Contains(uncarried, field{m.Name, d.Row.Native}) {
			d.Add(schema.CodeEffectLost, m.Name+" has no counterpart in other agents, so it is dropped")
		} else {
			d.Reply.Extra = append(d.Reply.Extra, m)
		}
	}
}

func (d decoder) sweep() {
	r := &d.Reply
	if d.Ignored != 0 {
		d.ignored(d.Ignored.String())
	}
	if r.Notice != "" && d.Row.Honors&schema.EffectNotice == 0 {
		r.Notice = ""
		d.ignored("systemMessage")
	}
	if r.EndTurn && d.Row.Honors&schema.EffectEndTurn == 0 {
		r.EndTurn, r.EndReason = false, ""
		d.ignored("continue")
	}
	if r.Output != nil && r.Context != "" { // lost together with the result
		r.Context = ""
		d.ignored("additionalContext together with a block")
	}
}

// Merge combines several replies, in the order of the settings. Deny beats ask. Reasons and texts are joined, even
// those of hooks that allow. The last new input replaces the whole input (observed 0.61.0).
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

// Refusal is the reply for a model's "no".
func (d Dialect) Refusal(h *schema.Hook, v schema.View, reason string) schema.Reply {
	dec := decoder{d.Decoder(h, v)}
	if dec.Row.Blocks != 0 {
		dec.block(reason)
	}
	return dec.Reply
}

package qwen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply interprets a hook's result (observed 0.24.4). With exit code 2 stderr is the answer: an object, or else a
// text that blocks; if it is empty, nothing is blocked. With every other code an object on stdout, or else on stderr,
// is the answer.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := decoder{a.Decoder(h, v)}
	rows := dialect.Ends{process.Late: {So: ", and the action proceeds"}}
	end := d.Ended(&rows, res)
	switch end {
	case process.NotStarted, process.Late:
		return d.Reply, d.Found
	}

	out, onStdout := trim(res.Stdout), true
	if end == process.Refused || len(out) == 0 {
		out, onStdout = trim(res.Stderr), false
	}
	value := out
	if s, ok := ordjson.String(out); ok && ordjson.Check(out) == nil { // encoded twice
		value = trim([]byte(s))
	}

	o, _, err := ordjson.ParseLast(value)
	switch text := strings.ToValidUTF8(string(out), "\ufffd"); {
	case len(out) > 0 && err == nil:
		d.object(o)
	case end == process.Refused && len(out) > 0:
		d.block(text)
	case res.Exit != 0 || res.Signal != "":
		d.Add(schema.CodeHookFailed, "the hook failed: "+schema.FailureText(res.Exit, res.Signal, out)+
			"; the action proceeds")
	case len(out) == 0:
	case out[0] == '{':
		d.BadJSON(err)
	case onStdout && d.Row.Text == schema.EffectContext:
		d.Reply.Context = text
	case d.Row.Honors&schema.EffectNotice != 0:
		d.Reply.Notice = text
	}
	return d.Done()
}

func trim(text []byte) []byte { return ordjson.TrimSpace(ordjson.TrimBOM(ordjson.TrimSpace(text))) }

type decoder struct{ *family.Decoder }

// decided reports whether a reply contains a permissionDecision, even an allow: it then has a view without an input.
func decided(r *schema.Reply) bool { return r.Input == nil && r.InputView.Event != "" }

// noReason is the client's default reason.
const noReason = "No reason provided"

func (d decoder) block(reason string) { d.Block(cmp.Or(reason, noReason)) }

func (d decoder) object(o ordjson.Object) {
	r := &d.Reply
	specific, _ := o.Members("hookSpecificOutput")
	stops := string(o.Value("continue")) == "false"
	reason := cmp.Or(family.Shown(o.Value("stopReason")), family.Shown(o.Value("reason")))
	word := o.Str("decision")
	d.UnknownWord("decision", word, "block", "deny", "ask", "approve", "allow")
	d.UnknownVerdict(specific.Str("permissionDecision"))
	blocks := word == "block" || word == "deny"
	switch d.Row.Event {
	case schema.PreTool:
		switch raw := o.Value("hookSpecificOutput"); ordjson.KindOf(raw) {
		case ordjson.StringKind, ordjson.Number, ordjson.BoolKind:
			if ordjson.Truthy(raw) { // the client looks for fields in it, and fails
				d.Add(schema.CodeBadSchema, "hookSpecificOutput isn't an object")
				return
			}
		}
		if own := specific.Str("permissionDecision"); family.PlainVerdicts.Of(own) != schema.NoOpinion {
			word, r.InputView = own, d.View
		}

		why, given := specific.Text("permissionDecisionReason")
		if !given {
			why = o.Str("reason")
		}
		switch {
		case word == "deny", word == "block":
			d.block(cmp.Or(why, reason))
		case word == "ask":
			r.Verdict, r.Reason = schema.Ask, why
		case stops:
			d.block(reason)
		}
	case schema.PermissionRequest:
		d.request(specific)
	case schema.PostTool:
		if stops {
			r.Output, r.Objects = ordjson.AppendString(nil, cmp.Or(reason, noReason)), true
		} else if blocks {
			d.Ignored |= schema.EffectFeedback
		}
	default:
		if blocks || stops {
			d.block(reason)
		}
	}

	d.Take(specific, inner)
	top := append(slices.Clone(family.Top), family.Part{Name: "terminalSequence", Feature: schema.EffectTerminal})
	d.Take(o, top)
	_, r.Extra, _ = family.Pick(o, top)
	if r.Output != nil {
		r.Context = "" // lost together with the result
	}
}

// The fields of hookSpecificOutput.
var (
	inner = []family.Part{{Name: "additionalContext", Feature: schema.EffectContext},
		{Name: "updatedInput", Feature: schema.EffectInput, Except: elsewhere},
		{Name: "tool_input", Feature: schema.EffectInput, Except: elsewhere},
		{Name: "updatedToolOutput", Feature: schema.EffectOutput, Except: elsewhere}}
	elsewhere = []schema.Event{schema.PermissionRequest, schema.PostTool, schema.PostToolBatch}
)

// request reads the decision on a permission request: anything but an allow denies.
func (d decoder) request(specific ordjson.Object) {
	o, err := specific.Members("decision")
	r := &d.Reply
	switch {
	case err != nil:
	case o.Str("behavior") == "allow":
		r.Verdict = schema.Allow
		d.Take(o, []family.Part{{Name: "updatedInput", Feature: schema.EffectInput}})
	default:
		r.Verdict, r.Reason = schema.Deny, o.Str("message")
		d.Take(o, []family.Part{{Name: "interrupt", Shape: family.Yes, Feature: schema.EffectInterrupt}})
	}
}

// Merge combines several replies (observed 0.24.4): the last permissionDecision in the order of the settings overrides
// every other kind of decision; without one a denial wins.
func (d Dialect) Merge(rs []schema.Reply) schema.Reply {
	rs = slices.Clone(rs)
	last := -1
	for i := range rs {
		if decided(&rs[i]) {
			last, rs[i].InputView = i, schema.View{}
		}
	}
	for i := range rs {
		if last >= 0 && i != last {
			rs[i].Verdict, rs[i].Reason = schema.NoOpinion, ""
		}
	}
	out := d.Agent.Merge(rs)
	if out.Output != nil {
		out.Context = "" // lost together with the result
	}
	return out
}

// Honors returns the effects that Qwen Code applies to c.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := d.Row(c.Native)
	if row == nil {
		return 0
	}
	f := row.Honors
	if r != nil && r.Output != nil && row.Event == schema.PostTool {
		f &^= schema.EffectContext
	}
	return f
}

// fit returns a reply as the client applies it. A result is replaced by ending the call. A denial also ends it, since
// an allow of another hook lifts only a permissionDecision (observed 0.24.4).
func fit(row *schema.EventRow, r *schema.Reply) *schema.Reply {
	out := *r
	switch {
	case r.Output != nil:
		out.Output, out.EndTurn, out.EndReason = nil, true, cmp.Or(family.TextOf(r.Output), noReason)
	case row.Event == schema.PreTool && r.Verdict == schema.Deny:
		out.EndTurn, out.EndReason = true, r.Reason
	}
	return &out
}

package codebuddy

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

// DecodeReply interprets a hook's result (observed 2.117.0, and its package). An answer without a decision follows the
// exit code: 0 allows, and 2 or a signal denies. Other codes lift every denial except a permissionDecision. A command
// that times out or can't be started denies.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := decoder{a.Decoder(h, v)}
	command := h.Handler == schema.HandlerCommand
	rows := dialect.Ends{process.Failed: {Fails: true}}
	switch o := d.Ended(&rows, res); {
	case o == process.NotStarted:
		d.refuse(command, "Hook execution failed: "+res.Err.Error())
	case o == process.Late:
		d.refuse(command, "Hook timed out after "+strconv.FormatInt(a.Data.Timeout(h).Milliseconds(), 10)+"ms")
	case res.Released:
		d.Add(schema.CodeReleased, "the hook continues in the background")
	default:
		d.read(res, o)
	}
	return d.Done()
}

// Refusal is the reply for a model's "no" (docs 2.117.0): on the stop events it only counts with continueOnBlock.
func (a Dialect) Refusal(h *schema.Hook, v schema.View, reason string) schema.Reply {
	d := decoder{a.Decoder(h, v)}
	d.refuse(h.OnBlock || d.Row.Blocks != schema.EffectKeepGoing, reason)
	return d.Reply
}

type decoder struct{ *family.Decoder }

// refuse applies a denial as the event defines it.
func (d decoder) refuse(on bool, reason string) {
	if on && d.Row.Blocks != schema.EffectKeepGoing {
		reason = cmp.Or(reason, "Blocked by "+d.Row.Native+" hook")
	}
	if on {
		d.Block(reason)
	}
}

func (d decoder) read(res *process.Result, end process.Outcome) {
	out := strings.ToValidUTF8(string(ordjson.TrimSpace(res.Stdout)), "\uFFFD")
	o, _, err := ordjson.ParseLast([]byte(out))
	specific, _ := o.Members("hookSpecificOutput")
	word := specific.Str("permissionDecision")
	d.UnknownWord("decision", o.Str("decision"), "block", "approve")
	d.UnknownVerdict(word)
	allowed := end == process.Clean
	switch goes, given := o.Bool("continue"); {
	case ordjson.Truthy(specific.Value("permissionDecision")):
		allowed = word == "allow" || allowed && word != "deny"
	case o.Str("decision") == "block", o.Str("decision") == "approve":
		allowed = o.Str("decision") == "approve"
	case given:
		allowed = goes
	}

	reason := cmp.Or(family.Shown(o.Value("stopReason")), family.Shown(o.Value("reason")), o.Str("systemMessage"))
	if err != nil && out != "" {
		if out[0] == '{' {
			d.BadJSON(err)
		}
		reason = out
	}
	if end == process.Refused {
		reason = cmp.Or(reason, family.Printed(res.Stderr))
	}

	allowed = end != process.Refused && allowed || end == process.Failed
	if err != nil && d.Row.Text != 0 && allowed {
		d.Reply.Context = out
	}
	d.decide(word, allowed, reason, specific)
	d.take(o, specific)
}

// decide applies a hook's decision. Before a tool, a permissionDecision with the event's name overrides everything
// else.
func (d decoder) decide(word string, allowed bool, reason string, specific ordjson.Object) {
	r := &d.Reply
	if d.Row.Event == schema.PreTool {
		reason = cmp.Or(family.Shown(specific.Value("permissionDecisionReason")), reason)
		if verdict := family.PlainVerdicts.Of(word); specific.Str("hookEventName") == d.Row.Native &&
			verdict != schema.NoOpinion {
			allowed = verdict == schema.Allow || allowed && verdict == schema.Ask
			if r.InputView = d.View; allowed {
				r.Verdict = verdict
			}
			if verdict == schema.Ask {
				r.Reason = reason
			}
		}
	}
	d.refuse(!allowed, reason)
	if d.Row.Event != schema.PermissionRequest {
		return
	}
	switch decision, _ := specific.Members("decision"); decision.Str("behavior") {
	case "allow":
		r.Verdict = schema.Allow
		d.input(decision)
	case "deny":
		r.Verdict, r.Reason, r.InputView = schema.Deny, decision.Str("message"), d.View
	}
}

func (d decoder) input(o ordjson.Object) {
	if d.Reply.Verdict != schema.Deny {
		d.Take(o, []family.Part{{Name: "updatedInput", Feature: schema.EffectInput}})
	}
}

// take applies the other fields. After a tool, the event's name is required too.
func (d decoder) take(o, specific ordjson.Object) {
	if d.Row.Event == schema.PreTool {
		d.input(specific)
	}
	if specific.Str("hookEventName") == d.Row.Native || !d.Row.Event.IsTool() {
		d.Take(specific, inner[:1])
	}
	d.Take(specific, inner[1:])
	top := append(slices.Clone(family.Top), family.Part{Name: "async"}, family.Part{Name: "asyncTimeout"})
	d.Take(o, top)
	_, d.Reply.Extra, _ = family.Pick(o, top)
}

// inner are the fields of hookSpecificOutput (package 2.117.0).
var inner = []family.Part{
	{Name: "additionalContext", Feature: schema.EffectContext, Except: []schema.Event{schema.PreCompact}},
	// the documented name, observed 2.117.0
	{Name: "modifiedInput", Feature: schema.EffectInput,
		Except: []schema.Event{schema.PreTool, schema.PermissionRequest}},
	{Name: "watchPaths", Feature: schema.EffectWatchPaths},
	{Name: "initialUserMessage", Feature: schema.EffectInitialPrompt},
}

// Merge combines several replies (observed 2.117.0): the last permissionDecision in the order of the settings counts;
// an allow there overrides every other decision.
func (a Dialect) Merge(rs []schema.Reply) schema.Reply {
	rs = slices.Clone(rs)
	last := -1
	for i := range rs {
		if r := &rs[i]; r.InputView.Event != "" && r.Verdict != schema.NoOpinion {
			last = i
			if r.Input == nil {
				r.InputView = schema.View{}
			}
		}
	}
	for i := range rs {
		if last >= 0 && i != last && rs[last].Verdict == schema.Allow {
			rs[i].Verdict, rs[i].Reason = schema.NoOpinion, ""
		}
	}
	return a.Agent.Merge(rs)
}

// Honors returns the effects that the client applies to c. An allow isn't among them: it would lift the denials of
// other hooks.
func (a Dialect) Honors(c *schema.Call, _ *schema.Reply) schema.Feature {
	row := a.Row(c.Native)
	switch {
	case row == nil:
		return 0
	case row.Event == schema.PreTool:
		return row.Honors &^ schema.EffectAllow
	case row.Event == schema.PreCompact:
		return row.Honors &^ schema.EffectContext // plain text only
	}
	return row.Honors
}

// Replaces returns the fields of a rewritten input; others stay (observed 2.117.0).
func (a Dialect) Replaces(c *schema.Call) (roles schema.Roles, whole bool) {
	roles, _ = a.Agent.Replaces(c)
	return roles, false
}

// fit keeps an answer without context from being used as context, as all output on some events is (observed 2.117.0).
func fit(row *schema.EventRow, r *schema.Reply) *schema.Reply {
	if row.Text == 0 || r.Context != "" {
		return r
	}
	out := *r
	out.Others = append(slices.Clone(r.Others), schema.Effect{Feature: schema.EffectQuiet, Raw: []byte("true")})
	return &out
}

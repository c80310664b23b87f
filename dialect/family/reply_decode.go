package family

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Printed returns a hook's output as text: invalid bytes become U+FFFD.
func Printed(raw []byte) string {
	return strings.ToValidUTF8(strings.TrimSpace(string(raw)), "\uFFFD")
}

// A Decoder interprets one hook's result. The agent interprets the exit code; Object reads the JSON form, Done ends.
type Decoder struct {
	Agent   *Agent
	Row     *schema.EventRow
	Hook    *schema.Hook
	View    schema.View
	Reply   schema.Reply
	Found   schema.Diagnostics
	Blocked bool           // by the object, the exit code or the hook's own failure
	Reason  string         // of the block
	More    string         // context with which the agent continues
	Ignored schema.Feature // effects in the answer that the event doesn't honor
}

// Decoder returns a decoder for a hook that was shown a view.
func (a *Agent) Decoder(h *schema.Hook, v schema.View) *Decoder {
	row := a.Row(v.Event)
	if row == nil {
		row = &schema.EventRow{Native: v.Event}
	}
	return &Decoder{Agent: a, Row: row, Hook: h, View: v}
}

// Ended returns how the hook ended, and adds a finding if the agent's rows make that a failure.
func (d *Decoder) Ended(rows *dialect.Ends, res *process.Result) process.Outcome {
	return rows.Report(d.Agent.Data, d.Hook, res, &d.Found)
}

// Add adds a finding about the hook.
func (d *Decoder) Add(c schema.Code, msg string) { d.Found.Add(c, d.Hook.Path, msg) }

// BadJSON reports an answer that begins like an object but isn't one; bad is the finding's text, "" if err is nil.
func (d *Decoder) BadJSON(err error) (bad string) {
	if err == nil {
		return ""
	}
	bad = "stdout looks like JSON but isn't valid: " + err.Error()
	d.Add(schema.CodeBadAnswer, bad)
	return bad
}

// BlocksNothing reports an exit code 2 on an event that it doesn't block.
func (d *Decoder) BlocksNothing(stderr string) {
	d.Found.AddSeverity(schema.CodeIgnoredEffect, schema.Note, d.Hook.Path, "exit code 2 doesn't block "+
		d.Row.Native+": "+stderr)
}

// Honors reports whether the event honors f, and remembers f if not.
func (d *Decoder) Honors(f schema.Feature) bool {
	if d.Row.Honors&f == 0 {
		d.Ignored |= f
		return false
	}
	return true
}

// Void discards the effects of an object.
func (d *Decoder) Void() {
	d.Reply, d.Blocked, d.Reason, d.More, d.Ignored = schema.Reply{}, false, "", "", 0
}

// Object reads the JSON form; bad describes a violation of its rules.
func (d *Decoder) Object(o ordjson.Object) (bad string) {
	rules := d.Agent.Answer
	if rules == nil || d.Agent.Steps.Decide == nil {
		return d.Agent.Data.Title + " has no rules for such answers"
	}
	known, extra, bad := Pick(o, rules.Top)
	if bad != "" {
		return bad
	}

	r := &d.Reply
	r.Extra = extra
	if string(known.Value("continue")) == "false" {
		r.EndTurn, r.EndReason = true, known.Str("stopReason")
	}
	r.Notice = known.Str("systemMessage")
	if quiet, ok := known.Get("suppressOutput"); ok && (string(quiet) == "true" || !rules.QuietHides) {
		r.Others = append(r.Others, schema.Effect{Feature: schema.EffectQuiet, Raw: quiet})
		if r.Notice != "" && rules.QuietHides {
			r.Notice = ""
			d.Ignored |= schema.EffectNotice
		}
	}
	if raw, ok := known.Get("terminalSequence"); ok {
		d.effect(schema.EffectTerminal, raw)
	}

	var specific ordjson.Object
	var parts []Part
	if raw, ok := known.Get("hookSpecificOutput"); ok {
		if specific, parts, bad = d.specific(raw); bad != "" {
			return bad
		}
	}
	if bad := d.Agent.Steps.Decide(d, known.Str("decision"), known.Str("reason"), specific); bad != "" {
		return bad
	}

	for i := range parts { // in the table's order, not the answer's
		if raw, ok := specific.Get(parts[i].Name); ok {
			d.take(&parts[i], raw, specific)
		}
	}
	return ""
}

// specific checks hookSpecificOutput, and returns the fields that count and their rows.
func (d *Decoder) specific(raw []byte) (known ordjson.Object, parts []Part, bad string) {
	rules := d.Agent.Answer
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return nil, nil, "hookSpecificOutput isn't an object"
	}

	m, _ := o.Take("hookEventName")
	name, _ := ordjson.String(m.Value)
	switch {
	case rules.Named && (m.Value == nil || !d.Agent.knows(name)):
		return nil, nil, "hookSpecificOutput names an unknown event: " + strconv.Quote(name)
	case rules.Named:
	case name != d.Row.Native:
		return nil, nil, "hookSpecificOutput names the event " + strconv.Quote(name) + ", not " + d.Row.Native
	case slices.Contains(rules.Silent, d.Row.Event):
		return nil, nil, d.Row.Native + " has no hookSpecificOutput"
	case d.Row.Event == schema.PermissionRequest && !o.Has("decision"):
		return nil, nil, "hookSpecificOutput has no decision"
	}

	for _, p := range rules.Specific {
		switch {
		case !o.Has(p.Name), p.On != nil && !slices.Contains(p.On, name):
		case slices.ContainsFunc(parts, func(q Part) bool { return q.Name == p.Name }):
		case rules.Named, p.Feature == 0, d.Row.Honors&p.Feature != 0 && !slices.Contains(p.Except, d.Row.Event):
			parts = append(parts, p)
		default:
			d.Ignored |= p.Feature
			o.Take(p.Name)
		}
	}

	known, extra, bad := Pick(o, parts)
	d.Reply.Extra = append(d.Reply.Extra, extra...)
	return known, parts, bad
}

func (a *Agent) knows(native string) bool {
	return a.Row(native) != nil || a.Steps.Knows != nil && a.Steps.Knows(native)
}

func (d *Decoder) take(p *Part, raw []byte, all ordjson.Object) {
	if d.Agent.Steps.Take != nil && d.Agent.Steps.Take(d, p.Name, raw) {
		return
	}

	switch p.Name {
	case "permissionDecision", "permissionDecisionReason", "content":
	case "additionalContext":
		d.effect(schema.EffectContext, raw)
	case "updatedInput":
		if d.Row.Event != schema.PreTool {
			d.Ignored |= schema.EffectInput
		} else {
			d.effect(schema.EffectInput, raw)
		}
	case "updatedToolOutput":
		if d.Agent.TooNew(d.Agent.Data.AsOf, d.Row.Event)&schema.EffectOutput != 0 {
			d.Ignored |= schema.EffectOutput
		} else {
			d.effect(schema.EffectOutput, raw)
		}
	case "updatedMCPToolOutput":
		if !all.Has("updatedToolOutput") && d.View.Kind == schema.MCP {
			d.effect(schema.EffectOutput, raw)
		}
	case "action":
		if d.Honors(schema.EffectElicit) {
			d.elicit(raw, all)
		}
	case "decision":
		if d.Row.Event == schema.PermissionRequest {
			d.request(raw)
		}
	default:
		if p.Feature != 0 {
			d.effect(p.Feature, raw)
		}
	}
}

// Take applies the fields of o that have an effect, in the order of parts. A value of another shape counts as absent.
func (d *Decoder) Take(o ordjson.Object, parts []Part) {
	for i := range parts {
		p := &parts[i]
		raw, ok := o.Get(p.Name)
		switch {
		case !ok || p.Feature == 0 || p.wrong(raw) != "":
		case slices.Contains(p.Except, d.Row.Event):
			d.Ignored |= p.Feature
		default:
			d.effect(p.Feature, raw)
		}
	}
}

// effect applies one effect if the event honors it. An empty text and false have none.
func (d *Decoder) effect(f schema.Feature, raw []byte) {
	r := &d.Reply
	noText := string(raw) == `""` && f&(schema.EffectContext|schema.EffectNotice) != 0
	isOff := string(raw) == "false" && f != schema.EffectOutput
	if noText || isOff || !d.Honors(f) {
		return
	}
	text, _ := ordjson.String(raw)
	switch f {
	case schema.EffectContext:
		r.Context = text
	case schema.EffectNotice:
		r.Notice = text
	case schema.EffectInput:
		if o, err := ordjson.Members(raw, 0); err == nil {
			r.Input, r.InputView = d.Agent.ReadNewInput(o, d.View), d.View
		} else {
			d.Ignored |= f
		}
	case schema.EffectOutput:
		r.Output = raw
	default:
		r.Others = append(r.Others, schema.Effect{Feature: f, Raw: raw})
	}
}

// request reads the decision object of a permission request, whose shape is already checked.
func (d *Decoder) request(raw []byte) {
	o, _ := ordjson.Members(raw, 0)
	verdict, parts := schema.Allow, granted
	if o.Str("behavior") == "deny" {
		verdict, d.Reply.Reason, parts = schema.Deny, o.Str("message"), denied
	}
	d.Reply.Verdict = verdict
	d.Take(o, parts)
}

// elicit reads the answer to a server's question. Declining is a denial; other answers stay together with their
// content.
func (d *Decoder) elicit(raw []byte, all ordjson.Object) {
	action, _ := ordjson.String(raw)
	if action == "decline" {
		d.Reply.Verdict = schema.Deny
		return
	}
	w := ordjson.NewWriter(nil)
	w.Raw("action", raw)
	if content, ok := all.Get("content"); ok && action == "accept" {
		w.Raw("content", content)
	}
	d.Reply.Others = append(d.Reply.Others, schema.Effect{Feature: schema.EffectElicit, Raw: w.Bytes()})
}

// Block applies a block as the event defines it.
func (d *Decoder) Block(reason string) {
	if !Block(&d.Reply, d.Row, reason) {
		d.Ignored |= schema.EffectDeny
	}
}

// Block applies a block to a reply as the event defines it; false: it has no effect.
func Block(r *schema.Reply, row *schema.EventRow, reason string) bool {
	switch row.Blocks {
	case schema.EffectDeny:
		r.Verdict, r.Reason = schema.Deny, reason
	case schema.EffectFeedback:
		r.Feedback = reason
	case schema.EffectKeepGoing:
		r.KeepGoing = reason
	case schema.EffectOutput:
		r.Output, r.Objects = ordjson.AppendString(nil, reason), true
	case schema.EffectEndTurn:
		r.EndTurn = true
		r.EndReason = cmp.Or(r.EndReason, reason)
	default:
		return false
	}
	return true
}

// Done returns the answer without the effects that the agent ignores on the event. It reports these.
func (d *Decoder) Done() (schema.Reply, schema.Diagnostics) {
	r := &d.Reply
	if d.Row.Honors&schema.EffectReason == 0 {
		r.Reason = "" // only the denial itself counts
	}
	ignored := r.Uses() &^ d.Row.Honors
	r.Drop(ignored)
	if ignored |= d.Ignored; ignored != 0 {
		d.Add(schema.CodeIgnoredEffect, d.Row.Native+" ignores: "+ignored.String())
	}
	return d.Reply, d.Found
}

// A VerdictWord is a word for a verdict. If a verdict has several words, the first is written.
type VerdictWord struct {
	Word    string
	Verdict schema.Verdict
}

// Verdicts are the words of an agent; the zero value is PlainVerdicts.
type Verdicts []VerdictWord

// PlainVerdicts are the words of agents without special ones.
var PlainVerdicts = Verdicts{{"allow", schema.Allow}, {"deny", schema.Deny}, {"ask", schema.Ask}}

// Of returns the verdict for a word, NoOpinion for an unknown word.
func (vs Verdicts) Of(word string) schema.Verdict {
	if v := lists.Find(vs.rows(), func(v *VerdictWord) bool { return v.Word == word }); v != nil {
		return v.Verdict
	}
	return schema.NoOpinion
}

// Word returns the word for a verdict, "" if there is none.
func (vs Verdicts) Word(verdict schema.Verdict) string {
	if v := lists.Find(vs.rows(), func(v *VerdictWord) bool { return v.Verdict == verdict }); v != nil {
		return v.Word
	}
	return ""
}

// UnknownWord reports a decision whose word the agent doesn't have, so that the call proceeds there.
func (d *Decoder) UnknownWord(field, word string, known ...string) (unknown bool) {
	if word == "" || slices.Contains(known, word) {
		return false
	}
	data := d.Agent.Data
	d.Add(schema.CodeBadSchema, field+" is "+strconv.Quote(word)+", which "+data.Title+data.Checked()+
		" doesn't know and ignores")
	return true
}

// UnknownVerdict is UnknownWord for a permissionDecision.
func (d *Decoder) UnknownVerdict(word string) (unknown bool) {
	if d.Row.Event != schema.PreTool {
		return false
	}
	return d.UnknownWord("permissionDecision", word, "allow", "deny", "ask")
}

func (vs Verdicts) rows() Verdicts {
	if vs == nil {
		return PlainVerdicts
	}
	return vs
}

package copilot

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply interprets a hook's result (observed 1.0.102). One JSON document on stdout is the answer. Before a tool,
// exit code 2 denies, as does any other failure; at other events a failing hook has no opinion. A timeout always lets
// the call proceed.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	r := decoder{Decoder: d.Decoder(h, v), dialect: d}
	if row := d.row(v.Event); row != nil {
		r.Row = row
	}
	r.read(res)
	return r.Reply, r.Found
}

type decoder struct {
	*family.Decoder
	dialect Dialect
	said    ordjson.Object // fields that aren't rewrites

	flatOnly bool // hookSpecificOutput isn't read
}

func (d *decoder) ignored(what string) {
	d.Found.AddSeverity(schema.CodeIgnoredEffect, schema.Note, d.Hook.Path, "Copilot ignores "+what+" on "+d.Row.Native)
}

// guards reports whether a failing hook denies the call at the event.
func (d *decoder) guards() bool {
	if d.dialect.onCode() {
		return false
	}
	return d.Row.Event == schema.PreTool && d.dialect.Data.Since("1.0.57") || d.Row.Event == schema.PermissionRequest
}

var outcomes = dialect.Ends{process.Late: {So: "; Copilot lets the call proceed"},
	process.Killed: {Fails: true}, process.Failed: {Fails: true}}

func (d *decoder) read(res *process.Result) {
	switch d.Ended(&outcomes, res) {
	case process.Late:
	case process.Refused:
		d.exit2(res)
	case process.Clean:
		d.output(res.Stdout)
	default:
		if d.guards() {
			d.errored()
		}
	}
}

// errored denies the call because a hook failed.
func (d *decoder) errored() { d.Reply.Verdict, d.Reply.Reason = schema.Deny, "hook errored" }

// exit2 denies a call before it is made; after a failed tool it adds context. VS Code blocks at every event that allows
// it.
func (d *decoder) exit2(res *process.Result) {
	text := family.Printed(res.Stderr)
	switch {
	case d.dialect.onCode():
		if d.Row.Blocks == 0 {
			d.ignored("exit code 2")
			return
		}
		family.Block(&d.Reply, d.Row, text)

	case d.guards() && (d.Row.Event != schema.PreTool || d.dialect.Data.Since("1.0.70")):
		d.flatOnly = true
		d.output(res.Stdout)
		d.Reply.Verdict = schema.Deny // whatever the decision is
		reason := d.words("permissionDecisionReason")
		if d.Row.Event == schema.PermissionRequest {
			reason = d.words("message")
		}
		d.Reply.Reason = cmp.Or(reason, "hook exited with code 2")
		d.Reply.Notice = text // a warning for the user

	case d.Row.Event == schema.PostToolFailure:
		d.output(res.Stdout)
		d.Reply.Context = schema.JoinText(d.Reply.Context, text)
	default:
		d.output(res.Stdout)
		if text != "" {
			d.ignored("exit code 2 but for a warning")
			d.Reply.Notice = text
		}
	}
}

// output reads stdout. It removes progress lines, except from a program that runs without a shell; the rest must be one
// JSON object. A hook on a request fails if it prints anything that isn't JSON (observed 1.0.102).
func (d *decoder) output(stdout []byte) {
	var rest []byte
	for line := range bytes.Lines(bytes.TrimPrefix(stdout, []byte("\ufeff"))) {
		if o, err := ordjson.Parse(line); d.Hook.Args == nil && err == nil && o.Str("type") == "progress" {
			if _, ok := o.Text("message"); ok { // otherwise it is an answer (observed 1.0.102)
				continue
			}
		}
		rest = append(rest, line...)
	}
	rest = bytes.TrimSpace(rest)
	if len(rest) == 0 {
		return
	}
	switch o, _, err := ordjson.ParseLast(rest); {
	case err == nil:
		d.object(o)
	case d.Row.Event == schema.PermissionRequest && ordjson.Check(rest) != nil:
		d.Add(schema.CodeBadAnswer, "stdout is not one JSON document; Copilot denies the request")
		d.errored()
	default:
		d.Add(schema.CodeBadAnswer, "stdout is not one JSON object; Copilot silently ignores it")
	}
}

func (d *decoder) object(o ordjson.Object) {
	raw, _ := o.Get("hookSpecificOutput")
	if d.dialect.onCode() {
		o = d.flatInCode(o)
	}
	if inner, err := ordjson.Members(raw, 0); err == nil && d.reads(inner) {
		for _, m := range inner { // overrides the flat fields
			o.Take(m.Name)
		}
		o = append(o[:len(o):len(o)], inner...)
	}

	r := &d.Reply
	parts := slices.Concat(family.Top, own)
	said, more, _ := family.Pick(o, parts)
	d.said = said
	d.Take(said, parts)
	for _, m := range more {
		d.member(m)
	}

	switch reason, ends := o.Str("stopReason"), string(o.Value("continue")) == "false"; {
	case d.Row.Honors&schema.EffectEndTurn != 0:
		r.EndTurn, r.EndReason = ends || reason != "", reason
	case ends:
		d.ignored("continue false")
	}
	if d.decide(); d.Ignored != 0 {
		d.ignored(d.Ignored.String())
	}
}

// flatInCode returns the top-level fields that VS Code reads: a decision and context on few events, fields for the turn
// and the user on all.
func (d *decoder) flatInCode(o ordjson.Object) (out ordjson.Object) {
	decides := d.Row.Event == schema.PromptSubmit || d.Row.Event == schema.PostTool
	for _, m := range o {
		switch m.Name {
		case "decision", "reason":
			if !decides {
				continue
			}
		case "additionalContext":
			if d.Row.Event != schema.PromptSubmit {
				continue
			}
		case "permissionDecision", "permissionDecisionReason", "modifiedArgs", "updatedInput":
			d.ignored(m.Name + " at the top")
			continue
		}
		out = append(out, m)
	}
	return out
}

// reads reports whether hookSpecificOutput counts: on PreToolUse only. VS Code reads it on every event that it names.
func (d *decoder) reads(inner ordjson.Object) bool {
	if !d.dialect.onCode() {
		return d.Row.Event == schema.PreTool && isPascal(d.Row.Native) && !d.flatOnly
	}
	named, _ := inner.Text("hookEventName")
	return named == "" || named == d.Row.Native || named == "Stop" && d.Row.Event == schema.SubagentStop
}

func (d *decoder) member(m ordjson.Member) {
	switch m.Name {
	case "modifiedArgs", "updatedInput":
		d.newInput(m)
	case "modifiedResult":
		d.newResult(m)
	case "modifiedPrompt", "modifiedTransformedPrompt", "modifiedResponse", "metaToUse":
		d.only(m)
	default:
		d.Reply.Extra = append(d.Reply.Extra, m)
	}
}

// own are the fields of an answer and of its hookSpecificOutput that aren't rewrites and that the family doesn't have.
var own = []family.Part{
	{Name: "additionalContext", Feature: schema.EffectContext}, {Name: "hookEventName"}, {Name: "permissionDecision"},
	{Name: "permissionDecisionReason"}, {Name: "behavior"}, {Name: "message"}, {Name: "interrupt"}, {Name: "handled"},
	{Name: "responseContent"},
}

// words returns a text, or another value as JSON.
func (d *decoder) words(name string) string {
	raw := d.said.Value(name)
	s, isText := ordjson.String(raw)
	if !isText && raw != nil && string(raw) != "null" {
		s = string(ordjson.AppendCompact(nil, raw))
	}
	return s
}

// uncarried are fields that no other agent has, by the event that honors them.
var uncarried = []struct {
	name  string
	event schema.Event
	loses schema.Severity
}{
	{"modifiedPrompt", schema.PromptSubmit, schema.Weaker},
	{"modifiedTransformedPrompt", schema.PromptTransformed, schema.Weaker},
	// together they block the prompt
	{"handled", schema.PromptSubmit, schema.Note}, {"responseContent", schema.PromptSubmit, schema.Note},
	{"modifiedResponse", schema.SubagentStop, schema.Weaker}, {"metaToUse", schema.PreMCPCall, schema.Loss},
}

// only reports a field that only Copilot honors. The text that a hook replaced with it may be one that the model must
// not see.
func (d *decoder) only(m ordjson.Member) {
	for _, u := range uncarried {
		if u.name == m.Name && u.event == d.Row.Event {
			d.Found.AddSeverity(schema.CodeEffectLost, u.loses, d.Hook.Path,
				m.Name+" has no counterpart in other agents, so it is dropped")
			return
		}
	}
	d.ignored(m.Name)
}

func (d *decoder) newInput(m ordjson.Member) {
	otherSpelling := m.Name == "updatedInput" && !isPascal(d.Row.Native) ||
		m.Name == "modifiedArgs" && d.dialect.onCode()
	if otherSpelling || d.Row.Honors&schema.EffectInput == 0 {
		d.ignored(m.Name)
		return
	}
	r := &d.Reply
	o, err := ordjson.Members(m.Value, 0)
	if err != nil {
		d.ignored(m.Name + ", which is not an object,")
		return
	}
	r.InputView = d.View
	if r.Input = schema.DecodeArgs(o, d.dialect.toolOf(d.View.Kind).InputRows()); r.Input == nil {
		r.Input = schema.Args{}
	}
}

func (d *decoder) newResult(m ordjson.Member) {
	o, err := ordjson.Members(m.Value, 0)
	s, isText := o.Text("textResultForLlm")
	if d.Row.Honors&schema.EffectOutput == 0 || err != nil || !isText {
		d.ignored(m.Name)
		return
	}
	d.Reply.Output = ordjson.AppendString(nil, s)
}

// decide applies the decision of the event. Unknown words are ignored.
func (d *decoder) decide() {
	r, row := &d.Reply, d.Row
	decision, response := d.said.Str("decision"), d.said.Str("responseContent")
	reason, given := d.said.Text("reason") // another value counts as absent (observed 1.0.102)
	explained := reason != "" || (given || d.dialect.onCode()) && row.Blocks != schema.EffectKeepGoing
	handled := !slices.Contains([]string{"", "false", "null", "0", `""`}, string(d.said.Value("handled")))

	switch {
	case row.Event == schema.PreTool:
		permission := d.said.Str("permissionDecision")
		if r.Verdict = family.PlainVerdicts.Of(permission); r.Verdict != schema.NoOpinion {
			r.Reason = d.words("permissionDecisionReason")
		} else if !d.UnknownVerdict(permission) && decision != "" {
			d.ignored("the decision " + strconv.Quote(decision))
		}
	case row.Event == schema.PermissionRequest:
		behavior := d.said.Str("behavior")
		d.UnknownWord("behavior", behavior, "allow", "deny", "ask")
		if r.Verdict = family.PlainVerdicts.Of(behavior); r.Verdict == schema.Ask {
			r.Verdict = schema.NoOpinion
		}
		if r.Verdict == schema.Deny {
			r.Reason = d.words("message")
			if raw := d.said.Value("interrupt"); string(raw) == "true" {
				r.Others = append(r.Others, schema.Effect{Feature: schema.EffectInterrupt, Raw: raw})
			}
		}
	case decision == "block" && row.Blocks != 0 && explained:
		if row.Blocks == schema.EffectOutput { // replaces the result
			reason = "Tool result blocked: " + reason
		}
		family.Block(r, row, reason)
	case row.Event == schema.PromptSubmit && handled && response != "": // the model isn't asked (observed 1.0.102)
		d.Found.AddSeverity(schema.CodeEffectLost, schema.Note, d.Hook.Path,
			"the hook answers in the model's place; in other agents the prompt is blocked, with the answer as the "+
				"reason")
		family.Block(r, row, response)
	case decision != "" && !d.UnknownWord("decision", decision, "allow", "approve", "ask", "block", "deny"):
		d.ignored("the decision " + strconv.Quote(decision))
	case handled || response != "":
		d.ignored("handled and responseContent")
	}
}

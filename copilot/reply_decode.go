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

// DecodeReply gives meaning to what a hook did (observed 1.0.102). One JSON document on
// stdout is the answer. Exit code 2 denies before a tool only, and any other failure
// does too; elsewhere a hook that fails has no opinion. A hook that takes too long
// lets the call proceed everywhere.
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
	said    map[string]string // the texts that a decision is made of, by field
	handled bool

	flatOnly bool // hookSpecificOutput isn't read
}

func (d *decoder) ignored(what string) {
	d.Found.AddSeverity(schema.CodeIgnoredEffect, schema.Note, d.Hook.Path, "Copilot ignores "+what+" on "+d.Row.Native)
}

// guards reports whether a hook at the event that fails refuses the call.
func (d *decoder) guards() bool {
	if d.dialect.onCode() {
		return false
	}
	return d.Row.Event == schema.PreTool && d.dialect.Data.Since("1.0.57") || d.Row.Event == schema.PermissionRequest
}

var outcomes = dialect.Ends{process.Late: {So: "; Copilot lets the call proceed"},
	process.Killed: {Fails: true}, process.Failed: {Fails: true}}

func (d *decoder) read(res *process.Result) {
	switch outcomes.Report(d.Hook, res, &d.Found) {
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

// errored refuses the call of a hook that failed.
func (d *decoder) errored() { d.Reply.Verdict, d.Reply.Reason = schema.Deny, "hook errored" }

// exit2 refuses a call before it is made; after a failed tool it adds context. VS Code
// blocks wherever it can.
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
		d.Reply.Verdict = schema.Deny // whatever the decision says
		reason := d.said["permissionDecisionReason"]
		if d.Row.Event == schema.PermissionRequest {
			reason = d.said["message"]
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

// output reads stdout: lines about progress are taken out, but not those of a program that runs without a
// shell, and the rest must be one JSON object. A hook on a request that prints anything else than JSON has failed
// (observed 1.0.102).
func (d *decoder) output(stdout []byte) {
	var rest []byte
	for line := range bytes.Lines(bytes.TrimPrefix(stdout, []byte("\ufeff"))) {
		if o, err := ordjson.Parse(line); d.Hook.Args == nil && err == nil && o.Str("type") == "progress" {
			if _, ok := o.Text("message"); ok { // without, it is an answer (observed 1.0.102)
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
	d.said = map[string]string{}
	raw, _ := o.Get("hookSpecificOutput")
	if d.dialect.onCode() {
		o = d.flatInCode(o)
	}
	if inner, err := ordjson.Members(raw, 0); err == nil && d.reads(inner) {
		o = append(o[:len(o):len(o)], inner...) // beats the flat fields
	}
	for _, m := range o {
		d.member(m)
	}
	d.decide()
}

// flatInCode are the fields at the top that VS Code reads: a decision and context on
// few events, what concerns the turn and the user on all.
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

// reads reports whether hookSpecificOutput counts: on PreToolUse only. VS Code reads it
// on every event that it names.
func (d *decoder) reads(inner ordjson.Object) bool {
	if !d.dialect.onCode() {
		return d.Row.Event == schema.PreTool && isPascal(d.Row.Native) && !d.flatOnly
	}
	named, _ := inner.Text("hookEventName")
	return named == "" || named == d.Row.Native || named == "Stop" && d.Row.Event == schema.SubagentStop
}

func (d *decoder) member(m ordjson.Member) {
	r, row := &d.Reply, d.Row
	s, isText := ordjson.String(m.Value)
	switch m.Name {
	case "hookSpecificOutput", "hookEventName", "suppressOutput":
	case "decision", "permissionDecision", "behavior", "responseContent":
		d.said[m.Name] = s
	case "reason":
		if isText { // else it is as good as absent (observed 1.0.102)
			d.said[m.Name] = s
		}
	case "permissionDecisionReason", "message":
		if !isText && string(m.Value) != "null" {
			s = string(ordjson.AppendCompact(nil, m.Value))
		}
		d.said[m.Name] = s
	case "interrupt":
		if row.Event == schema.PermissionRequest && string(m.Value) == "true" {
			r.Others = append(r.Others, schema.Effect{Feature: schema.EffectInterrupt, Raw: m.Value})
		}
	case "additionalContext":
		if row.Honors&schema.EffectContext == 0 {
			d.ignored(m.Name)
		} else if isText {
			r.Context = s
		}
	case "modifiedArgs", "updatedInput":
		d.newInput(m)
	case "modifiedResult":
		d.newResult(m)
	case "handled":
		d.handled = !slices.Contains([]string{"false", "null", "0", `""`}, string(m.Value))
	case "modifiedPrompt", "modifiedTransformedPrompt", "modifiedResponse", "metaToUse":
		d.only(m)
	case "continue":
		if string(m.Value) == "false" && row.Honors&schema.EffectEndTurn != 0 {
			r.EndTurn = true
		} else if string(m.Value) == "false" {
			d.ignored("continue false")
		}
	case "stopReason":
		if row.Honors&schema.EffectEndTurn != 0 && s != "" {
			r.EndTurn, r.EndReason = true, s
		}
	case "systemMessage":
		if row.Honors&schema.EffectNotice != 0 {
			r.Notice = s
		} else {
			d.ignored(m.Name)
		}
	default:
		r.Extra = append(r.Extra, m)
	}
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

// only reports a field that Copilot alone honors: a text that a hook replaces so may
// have held what the model must not see.
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
	if d.Row.Honors&schema.EffectInput == 0 || m.Name == "updatedInput" && !isPascal(d.Row.Native) ||
		m.Name == "modifiedArgs" && d.dialect.onCode() {
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

// decide applies the decision of the event. Words that Copilot doesn't know are none.
func (d *decoder) decide() {
	r, row := &d.Reply, d.Row
	decision, response := d.said["decision"], d.said["responseContent"]
	reason, given := d.said["reason"]
	switch {
	case row.Event == schema.PreTool:
		permission := d.said["permissionDecision"]
		if r.Verdict = family.PlainVerdicts.Of(permission); r.Verdict != schema.NoOpinion {
			r.Reason = d.said["permissionDecisionReason"]
		} else if permission+decision != "" {
			d.ignored("the decision " + strconv.Quote(permission+decision))
		}
	case row.Event == schema.PermissionRequest:
		if r.Verdict = family.PlainVerdicts.Of(d.said["behavior"]); r.Verdict == schema.Ask {
			r.Verdict = schema.NoOpinion
		}
		if r.Verdict == schema.Deny {
			r.Reason = d.said["message"]
		} else {
			r.Others = nil
		}
	case decision == "block" && row.Blocks != 0 && (reason != "" || (given || d.dialect.onCode()) &&
		row.Blocks != schema.EffectKeepGoing):
		if row.Blocks == schema.EffectOutput { // in its place
			reason = "Tool result blocked: " + reason
		}
		family.Block(r, row, reason)
	case row.Event == schema.PromptSubmit && d.handled && response != "": // the model isn't asked (observed 1.0.102)
		d.Found.AddSeverity(schema.CodeEffectLost, schema.Note, d.Hook.Path,
			"the hook answers in the model's place; in other agents the prompt is blocked, with the answer as the "+
				"reason")
		family.Block(r, row, response)
	case decision != "":
		d.ignored("the decision " + strconv.Quote(decision))
	case d.handled || response != "":
		d.ignored("handled and responseContent")
	}
}

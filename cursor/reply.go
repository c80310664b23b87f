package cursor

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply gives meaning to what a hook did, as Cursor's engine does
// (observed SDK 1.0.32): on events that ask for permission an answer that cannot
// be read blocks, a failing hook does not unless it says failClosed. Version 2.4
// reads decision and reason, and fails closed on its MCP and read gates.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	dec := decoder{row: rowOf(v.Event), hook: h, view: v, old: oldWords(d.Version)}
	dec.decode(res)
	return dec.reply, dec.ds
}

type decoder struct {
	row   *schema.EventRow
	hook  *schema.Hook
	view  schema.View
	old   bool
	reply schema.Reply
	ds    schema.Diagnostics
}

// permits reports whether the event asks for permission.
func (d *decoder) permits() bool { return d.row.Honours&schema.EffectAllow != 0 }

func (d *decoder) decode(res *process.Result) {
	out := bytes.TrimSpace(ordjson.TrimBOM(bytes.TrimSpace(res.Stdout)))
	switch {
	case res.Err != nil:
		d.ds.Add(schema.CodeNotStarted, d.hook.Path, res.Err.Error())
		d.failed("hook could not be started")
	case res.TimedOut:
		d.ds.Add(schema.CodeTimedOut, d.hook.Path, "the hook did not end in time and was killed")
		d.failed("hook timed out")
	case res.Exit == 2:
		d.blocked(string(out), strings.TrimSpace(string(res.Stderr)))
	case res.Exit != 0 && res.Signal == "":
		d.ds.Add(schema.CodeHookFailed, d.hook.Path, "exit status "+strconv.Itoa(res.Exit)+": "+string(bytes.TrimSpace(res.Stderr)))
		d.failed("hook failed with exit status " + strconv.Itoa(res.Exit))
	case len(out) == 0:
		if d.hook.Fail == schema.FailClosed && res.Signal == "" {
			d.failed("hook returned no output")
		}
	default:
		d.answer(out)
	}
}

// answer reads stdout: the whole text, or the shortest tail that starts with a
// brace and parses.
func (d *decoder) answer(out []byte) {
	o, err := ordjson.Parse(out)
	if err != nil && out[len(out)-1] == '}' {
		for i := len(out) - 1; i >= 0 && err != nil; i-- {
			if out[i] == '{' {
				o, err = ordjson.Parse(out[i:])
			}
		}
	}
	bad := ""
	if err != nil {
		bad = "stdout is no JSON object: " + err.Error()
		d.ds.Add(schema.CodeBadAnswer, d.hook.Path, bad)
	} else if bad = d.object(o); bad != "" {
		d.ds.Add(schema.CodeBadSchema, d.hook.Path, bad)
	}
	if bad == "" {
		return
	}
	d.reply = schema.Reply{}
	if d.permits() && (!d.old || d.closedGate()) {
		d.reply.Verdict, d.reply.Reason = schema.Deny, "Hook returned an invalid answer; blocked for safety: "+bad
		return
	}
	d.failed(bad)
}

var verdicts = []struct {
	Native  string
	Verdict schema.Verdict
}{
	{"allow", schema.Allow}, {"deny", schema.Deny}, {"ask", schema.Ask},
}

// object reads the answer; the result says what breaks its rules.
func (d *decoder) object(o ordjson.Object) (bad string) {
	r := &d.reply
	var agent string
	for _, m := range o {
		text, isText := ordjson.String(m.Value)
		switch m.Name {
		case "permission":
			if bad := d.permission(text); bad != "" && !d.old {
				return bad
			}
		case "decision":
			if d.oldAnswer() {
				d.permission(text)
				continue
			}
			r.Extra = append(r.Extra, m)
		case "reason":
			if d.oldAnswer() {
				agent = text
				continue
			}
			r.Extra = append(r.Extra, m)
		case "user_message":
			if !isText {
				return "user_message is no string"
			}
			r.UserReason = text
		case "agent_message":
			if !isText {
				return "agent_message is no string"
			}
			agent = text
		case "additional_context", "additionalContext":
			if !isText {
				return m.Name + " is no string"
			}
			if len(text) <= contextLimit { // longer text is dropped whole
				r.Context = text
			}
		case "updated_input":
			if bad := d.newInput(m.Value); bad != "" {
				return bad
			}
		case "updated_mcp_tool_output":
			r.Output = m.Value
		case "followup_message":
			r.KeepGoing = text
		case "continue":
			b, ok := ordjson.Bool(m.Value)
			if !ok {
				return "continue is no boolean"
			}
			if !b && d.row.Event == schema.PromptSubmit {
				r.Verdict = schema.Deny
			}
		case "env":
			r.Env = envOf(m.Value)
		case "pluginPaths":
			r.Others = append(r.Others, schema.Effect{Feature: schema.EffectPluginPaths, Raw: m.Value})
		default:
			r.Extra = append(r.Extra, m)
		}
	}
	d.settle(agent)
	return ""
}

// settle sorts the messages and drops what Cursor ignores on this event.
func (d *decoder) settle(agent string) {
	r := &d.reply
	switch {
	case d.row.Event == schema.PreCompact:
		r.Notice, r.UserReason = r.UserReason, ""
	case agent == "":
		r.Reason, r.UserReason = r.UserReason, ""
	default:
		r.Reason = agent
		if r.UserReason == agent {
			r.UserReason = ""
		}
	}
	if r.Verdict == schema.NoOpinion {
		r.Reason, r.UserReason = "", ""
	}
	if d.row.Honours&schema.EffectInput == 0 {
		r.Input = nil
	}
	if d.row.Honours&schema.EffectContext == 0 {
		r.Context = ""
	}
	if d.row.Honours&schema.EffectKeepGoing == 0 {
		r.KeepGoing = ""
	}
	if d.view.Kind != schema.MCP || d.row.Honours&schema.EffectFeedback == 0 {
		r.Output = nil
	}
	if d.row.Honours&schema.EffectEnv == 0 {
		r.Env = nil
	}
}

// oldAnswer reports whether the event is answered with decision and reason.
func (d *decoder) oldAnswer() bool {
	return d.old && (d.row.Native == "preToolUse" || d.row.Native == "subagentStart")
}

// closedGate reports whether version 2.4 fails closed on the event.
func (d *decoder) closedGate() bool {
	return d.row.Native == "beforeMCPExecution" || d.row.Native == "beforeReadFile"
}

func (d *decoder) permission(word string) (bad string) {
	if !d.permits() {
		return ""
	}
	for _, w := range verdicts {
		if w.Native != word {
			continue
		}
		switch {
		case w.Verdict == schema.Ask && d.row.Kinds != nil && d.row.Kinds[0] == schema.Read:
			return "permission ask is not allowed on " + d.row.Native
		case w.Verdict == schema.Ask && d.row.Native == "subagentStart":
			d.reply.Verdict = schema.Deny
		case w.Verdict == schema.Ask && d.row.Honours&schema.EffectAsk == 0:
			// accepted and without effect
		default:
			d.reply.Verdict = w.Verdict
		}
		return ""
	}
	return "permission is " + strconv.Quote(word)
}

func (d *decoder) newInput(raw []byte) (bad string) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "updated_input is no object"
	}
	var rows []schema.ArgRow
	if row := rowOfView(d.view); row != nil {
		rows = row.Input
	}
	if d.reply.Input = schema.DecodeArgs(o, rows); d.reply.Input == nil {
		d.reply.Input = schema.Args{}
	}
	d.reply.InputView = d.view
	return ""
}

func envOf(raw []byte) (out []schema.EnvVar) {
	o, _ := ordjson.Members(raw, 0)
	for _, m := range o {
		if s, ok := ordjson.String(m.Value); ok {
			out = append(out, schema.EnvVar{Name: m.Name, Value: s})
		}
	}
	return out
}

// blocked is exit status 2: stdout is the reason, verbatim, then stderr.
func (d *decoder) blocked(stdout, stderr string) {
	reason := "Hook blocked this action"
	switch {
	case stdout != "":
		reason = stdout
	case stderr != "":
		reason = "Hook blocked with message: " + stderr
	}
	if d.row.Blocks == 0 {
		d.ds.Add(schema.CodeIgnoredEffect, d.hook.Path, "exit status 2 has no effect on "+d.row.Native)
		return
	}
	d.reply.Verdict, d.reply.Reason = schema.Deny, reason
}

// failed applies failClosed and the gates that always fail closed in 2.4.
func (d *decoder) failed(reason string) {
	if d.row.Blocks != 0 && (d.hook.Fail == schema.FailClosed || d.old && d.closedGate()) {
		d.reply = schema.Reply{Verdict: schema.Deny, Reason: "Hook failed and is set to fail closed: " + reason}
	}
}

package cursor

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply gives meaning to what a hook did, as Cursor's engine does
// (observed SDK 1.0.32): on events that ask for permission an answer that cannot
// be read blocks, a failing hook does not unless it says failClosed. Version 2.4
// reads decision and reason, and fails closed on its MCP and read gates.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	dec := decoder{row: d.Profile().Row(v.Event), hook: h, view: v, old: oldWords(d.Version),
		nested: readsNested(d.Version)}
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

	nested  bool           // answers in Claude Code's form count
	ignored schema.Feature // what the answer said and the event isn't asked for

	stopBlock  bool // the old form of a stop hook's answer
	stopReason string
}

func (d *decoder) permits() bool { return d.row.Honors&schema.EffectAllow != 0 }

var ends = dialect.Ends{process.Failed: {Fails: true}}

func (d *decoder) decode(res *process.Result) {
	out := ordjson.TrimSpace(res.Stdout)
	rows := ends
	rows[process.Killed].Fails = d.old && d.closedGate() || len(out) == 0
	switch o := rows.Report(d.hook, res, &d.ds); {
	case o == process.NotStarted:
		d.failed("hook could not be started: " + res.Err.Error())
	case o == process.Late:
		d.failed("hook timed out")
	case o == process.Refused:
		d.blocked(strings.ToValidUTF8(string(out), "\ufffd"), strings.ToValidUTF8(string(ordjson.TrimSpace(res.Stderr)),
			"\ufffd"))
	case o == process.Failed:
		why := "hook failed with exit code " + strconv.Itoa(res.Exit)
		if stderr := ordjson.TrimSpace(res.Stderr); len(stderr) > 0 {
			why += ": " + strings.ToValidUTF8(string(stderr), "\ufffd")
		}
		d.failed(why)
	case o == process.Killed && d.old && d.closedGate():
		d.failed("hook was ended by signal " + res.Signal)
	case len(out) == 0:
		if d.hook.Fail == schema.FailClosed { // a killed one as well (observed SDK 1.0.32)
			d.failed("hook returned no output")
		}
	default:
		d.answer(out)
	}
}

// answer reads stdout: the whole text, or the shortest tail that starts with a
// brace and parses.
func (d *decoder) answer(out []byte) {
	o, _, err := ordjson.ParseLast(out)
	if err != nil && out[len(out)-1] == '}' {
		if t, ok := tail(out); ok && len(t) < len(out) {
			o, _, err = ordjson.ParseLast(t)
		}
	}
	bad := ""
	if err != nil {
		bad = "stdout isn't a JSON object: " + err.Error()
		d.ds.Add(schema.CodeBadAnswer, d.hook.Path, bad)
	} else if bad = d.object(d.flat(o)); bad != "" {
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

// object reads the answer; the result says what breaks its rules. The messages
// must be texts on every event, any other field only where Cursor reads it
// (observed SDK 1.0.32).
func (d *decoder) object(o ordjson.Object) (bad string) {
	r := &d.reply
	agent, alias := "", ""
	for _, m := range o {
		text, isText := ordjson.String(m.Value)
		switch m.Name {
		case "permission":
			bad = d.permission(text)
		case "decision", "reason":
			if goes := d.row.Event == schema.Stop || d.row.Event == schema.SubagentStop; goes {
				d.stopWord(m.Name, text)
			} else if !d.oldAnswer(o) {
				r.Extra = append(r.Extra, m)
			} else if m.Name == "reason" {
				agent = text
			} else {
				d.permission(text)
			}
		case "user_message":
			r.UserReason, bad = text, unless(isText, m.Name+" isn't a string")
		case "agent_message":
			agent, bad = text, unless(isText || d.row.Native == "subagentStart", m.Name+" isn't a string")
		case "additional_context":
			r.Context, bad = text, unless(isText || !d.honors(schema.EffectContext) || d.row.Native == "subagentStart",
				m.Name+" isn't a string")
		case "additionalContext":
			alias = text
		case "updated_input":
			bad = d.newInput(m.Value)
		case "updated_mcp_tool_output":
			r.Output = resultText(m.Value)
		case "followup_message":
			r.KeepGoing, bad = unblank(text), unless(isText || !d.honors(schema.EffectKeepGoing),
				m.Name+" isn't a string")
		case "continue":
			bad = d.proceed(o, m.Value)
		case "env":
			bad = d.env(m.Value)
		case "pluginPaths":
			r.Others, bad = append(r.Others, schema.Effect{Feature: schema.EffectPluginPaths, Raw: m.Value}),
				d.plugins(m.Value)
		default:
			r.Extra = append(r.Extra, m)
		}
		if bad != "" {
			return bad
		}
	}
	if _, both := o.Get("additional_context"); !both && d.row.Native != "subagentStart" {
		r.Context = alias
	}
	d.oldMessages(o, &agent)
	return d.finish(agent)
}

func unless(ok bool, msg string) string {
	if ok {
		return ""
	}
	return msg
}

// unblank is a text that the client takes notice of: one of blanks is none
// (observed SDK 1.0.32, for messages and follow-ups).
func unblank(s string) string {
	if strings.TrimFunc(s, ordjson.IsSpace) == "" {
		return ""
	}
	return s
}

func (d *decoder) honors(f schema.Feature) bool { return d.row.Honors&f != 0 }

// finish sorts the messages and drops what Cursor ignores on this event, which
// it reports. The result says if a context that is too long counts as a failure.
func (d *decoder) finish(agent string) (bad string) {
	r := &d.reply
	switch {
	case d.row.Event == schema.PreCompact:
		r.Notice, r.UserReason = r.UserReason, ""
	case d.row.Event == schema.SessionStart:
		if r.EndTurn {
			r.EndReason = r.UserReason
		}
		r.UserReason = ""
	case agent == "":
		r.Reason, r.UserReason = r.UserReason, ""
	default:
		r.Reason = agent
		if r.UserReason == agent {
			r.UserReason = ""
		}
	}
	r.Reason, r.UserReason = unblank(r.Reason), unblank(r.UserReason)
	if utf16Len(r.Context) > contextLimit {
		r.Context = "" // dropped whole
		msg := "additional_context is longer than " + strconv.Itoa(contextLimit) + " characters"
		if d.row.Native == "preToolUse" && d.hook.Fail == schema.FailClosed {
			return msg
		}
		d.ds.Add(schema.CodeIgnoredEffect, d.hook.Path, msg+" and is ignored")
	}
	heard := d.row.Honors | schema.EffectReason | schema.EffectUserReason | schema.EffectAsk
	if d.view.Kind == schema.MCP && d.row.Native == "postToolUse" {
		heard |= schema.EffectOutput
	}
	if r.Verdict == schema.Deny || r.EndTurn { // an answer for several events
		d.ignored &^= schema.EffectDeny | schema.EffectEndTurn
	}
	if ignored := r.Uses()&^heard | d.ignored; ignored != 0 {
		d.ds.Add(schema.CodeIgnoredEffect, d.hook.Path, "Cursor ignores "+ignored.String()+" at "+d.row.Native)
		r.Drop(ignored)
	}
	return ""
}

func utf16Len(s string) (n int) {
	for _, c := range s {
		n += utf16.RuneLen(c)
	}
	return n
}

// closedGate reports whether version 2.4 fails closed on the event.
func (d *decoder) closedGate() bool {
	return d.row.Native == "beforeMCPExecution" || d.row.Native == "beforeReadFile"
}

func (d *decoder) permission(word string) (bad string) {
	if !d.permits() {
		if word == "deny" {
			d.ignored |= schema.EffectDeny
		}
		return ""
	}
	read := d.row.Kinds != nil && d.row.Kinds[0] == schema.Read
	verdict := family.PlainVerdicts.Of(word)
	switch ask := verdict == schema.Ask; {
	case verdict == schema.NoOpinion:
		return d.invalid("permission is " + strconv.Quote(word))
	case ask && read:
		return d.invalid("permission ask is not allowed on " + d.row.Native)
	case ask && d.row.Native == "subagentStart":
		d.reply.Verdict = schema.Deny
	case ask && d.row.Native == "preToolUse":
		d.ds.Add(schema.CodeIgnoredEffect, d.hook.Path, "preToolUse accepts ask but doesn't ask the user")
	default: // of the old and the new word the stricter counts
		d.reply.Verdict = max(d.reply.Verdict, verdict)
	}
	return ""
}

// invalid is msg, or nothing where version 2.4 overlooks a wrong word.
func (d *decoder) invalid(msg string) string { return unless(d.old && !d.closedGate(), msg) }

func (d *decoder) newInput(raw []byte) (bad string) {
	if !d.honors(schema.EffectInput) { // not even looked at
		d.ignored |= schema.EffectInput
		return ""
	}
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "updated_input isn't an object"
	}
	in := schema.DecodeArgs(o, rowOfView(d.view).InputRows())
	switch d.reply.Input = d.applied(in); {
	case len(in) == 0:
		d.reply.Input = schema.Args{}
	case len(d.reply.Input) == 0:
		d.reply.Input = nil
		return ""
	}
	d.reply.InputView = d.view
	return ""
}

// applied keeps the fields that Cursor takes from a rewritten input and
// reports the others: the original's stay.
func (d *decoder) applied(in schema.Args) schema.Args {
	row := rowOfView(d.view)
	kept := in[:0:0]
	for _, a := range in {
		if row != nil && row.Replaces.Has(a.Role) && (a.Role != schema.Rest || d.view.Kind == schema.MCP) {
			kept = append(kept, a)
		} else {
			d.ds.Add(schema.CodeIgnoredEffect, d.hook.Path, "Cursor doesn't accept "+strconv.Quote(a.Name)+
				" in a rewritten input")
		}
	}
	return kept
}

// resultText is the replaced result of an MCP tool: its content blocks, or the
// text that the client makes of any other object (observed SDK 1.0.32).
func resultText(raw []byte) []byte {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return raw
	}
	if blocks, ok := o.Get("content"); ok && ordjson.KindOf(blocks) == ordjson.Array {
		return blocks
	}
	return ordjson.AppendStringBytes(nil, ordjson.AppendCompact(nil, raw))
}

// proceed reads continue: false denies the prompt, or the session (the SDK and version
// 2.4 honor it there, in spite of the docs).
func (d *decoder) proceed(o ordjson.Object, raw []byte) (bad string) {
	b, ok := ordjson.Bool(raw)
	switch e := d.row.Event; {
	case e != schema.PromptSubmit && e != schema.SessionStart:
		if ok && !b && o.Has("permission") { // without it the answer is in another agent's format
			d.ignored |= schema.EffectEndTurn
		}
	case !ok:
		return "continue isn't true or false"
	case !b && e == schema.PromptSubmit:
		d.reply.Verdict = schema.Deny
	case !b:
		d.reply.EndTurn = true
	}
	return ""
}

func (d *decoder) env(raw []byte) (bad string) {
	if !d.honors(schema.EffectEnv) {
		d.ignored |= schema.EffectEnv
		return ""
	}
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "env isn't an object"
	}
	for _, m := range o {
		s, ok := ordjson.String(m.Value)
		if !ok {
			return "env: " + m.Name + " isn't a string"
		}
		d.reply.Env = append(d.reply.Env, schema.EnvVar{Name: m.Name, Value: s})
	}
	return ""
}

func (d *decoder) plugins(raw []byte) (bad string) {
	if !d.honors(schema.EffectPluginPaths) {
		d.ignored |= schema.EffectPluginPaths
		return ""
	}
	list, err := ordjson.Elements(raw, 0)
	for _, m := range list {
		if s, _ := ordjson.String(m.Value); s == "" {
			return "pluginPaths has a value that isn't a path"
		}
	}
	return unless(err == nil, "pluginPaths isn't an array")
}

// blocked is exit code 2: stdout is the reason, verbatim, then stderr.
func (d *decoder) blocked(stdout, stderr string) {
	reason := "Hook blocked this action"
	switch {
	case stdout != "":
		reason = stdout
	case stderr != "":
		reason = "Hook blocked with message: " + stderr
	}
	if d.row.Blocks == 0 {
		d.ds.Add(schema.CodeIgnoredEffect, d.hook.Path, "exit code 2 has no effect on "+d.row.Native)
		return
	}
	d.refuse(reason)
}

func (d *decoder) refuse(reason string) {
	if d.row.Blocks == schema.EffectEndTurn {
		d.reply = schema.Reply{EndTurn: true, EndReason: reason}
		return
	}
	d.reply = schema.Reply{Verdict: schema.Deny, Reason: reason}
}

// failed applies failClosed and the gates that always fail closed in 2.4.
func (d *decoder) failed(reason string) {
	if d.row.Blocks != 0 && (d.hook.Fail == schema.FailClosed || d.old && d.closedGate()) {
		d.refuse("Hook failed and is set to fail closed: " + reason)
	}
}

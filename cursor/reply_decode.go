package cursor

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply interprets a hook's result as Cursor's engine does (observed SDK 1.0.32). On events that ask for
// permission, an unreadable answer blocks; a failing hook doesn't, unless it has failClosed. Version 2.4 reads decision
// and reason, and fails closed on its MCP and read gates.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	row := d.Profile().Row(v.Event)
	if row == nil {
		row = &schema.EventRow{Native: v.Event}
	}
	dec := decoder{Decoder: &family.Decoder{Row: row, Hook: h, View: v}, profile: d.Profile(),
		old: oldWords(d.Version), nested: readsNested(d.Version)}
	dec.decode(res)
	return dec.Reply, dec.Found
}

type decoder struct {
	*family.Decoder
	profile *dialect.Profile
	old     bool
	nested  bool // answers in Claude Code's form count

	stopBlock  bool // the old form of a stop hook's answer
	stopReason string
}

func (d *decoder) permits() bool { return d.Row.Honors&schema.EffectAllow != 0 }

var ends = dialect.Ends{process.Failed: {Fails: true}}

func (d *decoder) decode(res *process.Result) {
	out := ordjson.TrimSpace(res.Stdout)
	rows := ends
	rows[process.Killed].Fails = d.old && d.closedGate() || len(out) == 0

	switch o := rows.Report(d.profile, d.Hook, res, &d.Found); {
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
		if d.Hook.Fail == schema.FailClosed { // also if it was killed (observed SDK 1.0.32)
			d.failed("hook returned no output")
		}
	default:
		d.answer(out)
	}
}

// answer reads stdout: the whole text, or the shortest suffix that starts with a brace and parses.
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
		d.Add(schema.CodeBadAnswer, bad)
	} else if bad = d.object(d.flat(o)); bad != "" {
		d.Add(schema.CodeBadSchema, bad)
	}
	if bad == "" {
		return
	}
	d.Reply = schema.Reply{}
	if d.permits() && (!d.old || d.closedGate()) {
		d.Reply.Verdict, d.Reply.Reason = schema.Deny, "Hook returned an invalid answer; blocked for safety: "+bad
		return
	}
	d.failed(bad)
}

// parts are the fields of an answer. A value must have its shape if Cursor reads the field, messages on every event
// (observed SDK 1.0.32). The last two are from older answers.
var parts = []family.Part{
	{Name: "user_message", Shape: family.Text},
	{Name: "agent_message", Shape: family.Text, Except: starts},
	{Name: "additional_context", Shape: family.Text, Feature: schema.EffectContext, Except: starts},
	{Name: "followup_message", Shape: family.Text, Feature: schema.EffectKeepGoing},
	{Name: "updated_input", Shape: family.Struct, Feature: schema.EffectInput},
	{Name: "env", Shape: family.Struct, Feature: schema.EffectEnv},
	{Name: "pluginPaths", Shape: family.List, Feature: schema.EffectPluginPaths},
	{Name: "permission"}, {Name: "additionalContext"}, {Name: "updated_mcp_tool_output"}, {Name: "continue"},
	{Name: "decision"}, {Name: "reason"},
}

var starts = []schema.Event{schema.SubagentStart}

// object reads the answer; bad describes a violation of its rules.
func (d *decoder) object(o ordjson.Object) (bad string) {
	stops := d.Row.Event == schema.Stop || d.Row.Event == schema.SubagentStop
	rows := slices.Clone(parts)
	if !stops && !d.oldAnswer(o) {
		rows = rows[:len(rows)-2]
	}

	for i, p := range rows {
		if p.Feature&^d.Row.Honors != 0 || slices.Contains(p.Except, d.Row.Event) {
			rows[i].Shape = family.Anything
		}
	}
	known, extra, bad := family.Pick(o, rows)
	if bad != "" {
		return bad
	}

	r := &d.Reply
	r.Extra = extra
	r.UserReason, r.Context = known.Str("user_message"), known.Str("additional_context")
	if !known.Has("additional_context") && d.Row.Event != schema.SubagentStart {
		r.Context = known.Str("additionalContext")
	}

	r.KeepGoing = unblank(known.Str("followup_message"))
	agent := known.Str("agent_message")
	for _, m := range known {
		text, _ := ordjson.String(m.Value)
		switch m.Name {
		case "decision", "reason":
			if stops {
				d.stopWord(m.Name, text)
			} else if m.Name == "reason" {
				agent = text
			} else {
				bad = d.permission(text)
			}
		case "permission":
			bad = d.permission(text)
		case "updated_input":
			d.newInput(m.Value)
		case "updated_mcp_tool_output":
			r.Output = resultText(m.Value)
		case "continue":
			bad = d.proceed(o, m.Value)
		case "env":
			bad = d.env(m.Value)
		case "pluginPaths":
			bad = d.plugins(m.Value)
		}
		if bad != "" {
			return bad
		}
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

// unblank returns a text, "" if it has only blanks: the client ignores it then (observed SDK 1.0.32, for messages and
// follow-ups).
func unblank(s string) string {
	if strings.TrimFunc(s, ordjson.IsSpace) == "" {
		return ""
	}
	return s
}

// finish assigns the messages and drops the effects that Cursor ignores on this event, which it reports. bad is set if
// a context that is too long counts as a failure.
func (d *decoder) finish(agent string) (bad string) {
	r := &d.Reply
	switch {
	case d.Row.Event == schema.PreCompact:
		r.Notice, r.UserReason = r.UserReason, ""
	case d.Row.Event == schema.SessionStart:
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
		if d.Row.Native == "preToolUse" && d.Hook.Fail == schema.FailClosed {
			return msg
		}
		d.Add(schema.CodeIgnoredEffect, msg+" and is ignored")
	}

	heard := d.Row.Honors | schema.EffectReason | schema.EffectUserReason | schema.EffectAsk
	if d.View.Kind == schema.MCP && d.Row.Native == "postToolUse" {
		heard |= schema.EffectOutput
	}
	if r.Verdict == schema.Deny || r.EndTurn { // an answer for several events
		d.Ignored &^= schema.EffectDeny | schema.EffectEndTurn
	}
	if ignored := r.Uses()&^heard | d.Ignored; ignored != 0 {
		d.Add(schema.CodeIgnoredEffect, "Cursor ignores "+ignored.String()+" at "+d.Row.Native)
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
	return d.Row.Native == "beforeMCPExecution" || d.Row.Native == "beforeReadFile"
}

func (d *decoder) permission(word string) (bad string) {
	if !d.permits() {
		if word == "deny" {
			d.Ignored |= schema.EffectDeny
		}
		return ""
	}
	read := slices.Contains(d.Row.Kinds(), schema.Read)
	verdict := family.PlainVerdicts.Of(word)
	switch ask := verdict == schema.Ask; {
	case verdict == schema.NoOpinion:
		return d.invalid("permission is " + strconv.Quote(word))
	case ask && read:
		return d.invalid("permission ask is not allowed on " + d.Row.Native)
	case ask && d.Row.Native == "subagentStart":
		d.Reply.Verdict = schema.Deny
	case ask && d.Row.Native == "preToolUse":
		d.Add(schema.CodeIgnoredEffect, "preToolUse accepts ask but doesn't ask the user")
	default: // the stricter of the old and the new word counts
		d.Reply.Verdict = max(d.Reply.Verdict, verdict)
	}
	return ""
}

// invalid returns msg, or "" if version 2.4 ignores the wrong word.
func (d *decoder) invalid(msg string) string { return unless(d.old && !d.closedGate(), msg) }

func (d *decoder) newInput(raw []byte) {
	o, _ := ordjson.Members(raw, 0)
	if !d.Honors(schema.EffectInput) { // not even checked
		return
	}
	in := schema.DecodeArgs(o, rowOfView(d.View).InputRows())
	switch d.Reply.Input = d.applied(in); {
	case len(in) == 0:
		d.Reply.Input = schema.Args{}
	case len(d.Reply.Input) == 0:
		d.Reply.Input = nil
		return
	}
	d.Reply.InputView = d.View
}

// applied keeps the fields that Cursor takes from a rewritten input and reports the others, whose original values stay.
func (d *decoder) applied(in schema.Args) schema.Args {
	row := rowOfView(d.View)
	kept := in[:0:0]
	for _, a := range in {
		if row != nil && row.Replaces.Has(a.Role) && (a.Role != schema.Rest || d.View.Kind == schema.MCP) {
			kept = append(kept, a)
		} else {
			d.Add(schema.CodeIgnoredEffect, "Cursor doesn't accept "+strconv.Quote(a.Name)+
				" in a rewritten input")
		}
	}
	return kept
}

// resultText returns the new result of an MCP tool: its content blocks, or the text that the client makes from any
// other object (observed SDK 1.0.32).
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

// proceed reads continue: false denies the prompt, or the session (the SDK and version 2.4 honor it there, despite the
// docs).
func (d *decoder) proceed(o ordjson.Object, raw []byte) (bad string) {
	b, ok := ordjson.Bool(raw)
	switch e := d.Row.Event; {
	case e != schema.PromptSubmit && e != schema.SessionStart:
		if ok && !b && o.Has("permission") { // otherwise the answer is in another agent's format
			d.Ignored |= schema.EffectEndTurn
		}
	case !ok:
		return "continue isn't true or false"
	case !b && e == schema.PromptSubmit:
		d.Reply.Verdict = schema.Deny
	case !b:
		d.Reply.EndTurn = true
	}
	return ""
}

func (d *decoder) env(raw []byte) (bad string) {
	if !d.Honors(schema.EffectEnv) {
		return ""
	}
	o, _ := ordjson.Members(raw, 0)
	for _, m := range o {
		s, ok := ordjson.String(m.Value)
		if !ok {
			return "env: " + m.Name + " isn't a string"
		}
		d.Reply.Env = append(d.Reply.Env, schema.EnvVar{Name: m.Name, Value: s})
	}
	return ""
}

func (d *decoder) plugins(raw []byte) (bad string) {
	d.Reply.Others = []schema.Effect{{Feature: schema.EffectPluginPaths, Raw: raw}}
	list, _ := ordjson.Elements(raw, 0)
	for _, m := range list {
		if s, _ := ordjson.String(m.Value); s == "" && d.Honors(schema.EffectPluginPaths) {
			return "pluginPaths has a value that isn't a path"
		}
	}
	return ""
}

// blocked handles exit code 2: the reason is stdout, verbatim, then stderr.
func (d *decoder) blocked(stdout, stderr string) {
	reason := "Hook blocked this action"
	switch {
	case stdout != "":
		reason = stdout
	case stderr != "":
		reason = "Hook blocked with message: " + stderr
	}
	if d.Row.Blocks == 0 {
		d.Add(schema.CodeIgnoredEffect, "exit code 2 has no effect on "+d.Row.Native)
		return
	}
	d.refuse(reason)
}

func (d *decoder) refuse(reason string) {
	if d.Row.Blocks == schema.EffectEndTurn {
		d.Reply = schema.Reply{EndTurn: true, EndReason: reason}
		return
	}
	d.Reply = schema.Reply{Verdict: schema.Deny, Reason: reason}
}

// failed applies failClosed and the gates that always fail closed in 2.4.
func (d *decoder) failed(reason string) {
	if d.Row.Blocks != 0 && (d.Hook.Fail == schema.FailClosed || d.old && d.closedGate()) {
		d.refuse("Hook failed and is set to fail closed: " + reason)
	}
}

// tail returns the part of text that can be an object reaching to its end. At most one suffix that begins with a brace
// is well-formed. It is found by going back from the last brace to its opening one.
func tail(text []byte) ([]byte, bool) {
	depth, quoted := 0, false
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; {
		case c == '"' && !(quoted && escaped(text, i)):
			quoted = !quoted
		case quoted:
		case c == '}':
			depth++
		case c == '{':
			if depth--; depth == 0 {
				return text[i:], true
			}
		}
	}
	return nil, false
}

func escaped(text []byte, i int) bool {
	n := 0
	for i--; i >= 0 && text[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

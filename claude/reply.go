package claude

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply gives meaning to what a hook did, as Claude Code 2.1.328 does:
// one JSON object on stdout is read at every exit status, exit status 2 blocks
// whatever the object says, everything unclear proceeds unless the hook asks
// to block on failure.
func (Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := decoder{row: rowOf(v.Event), hook: h, view: v}
	d.decode(res)
	return d.reply, d.ds
}

type decoder struct {
	row   *schema.EventRow
	hook  *schema.Hook
	view  schema.View
	reply schema.Reply
	ds    schema.Diagnostics
}

func (d *decoder) decode(res *process.Result) {
	switch {
	case res.Err != nil:
		d.ds.Add(schema.CodeNotStarted, d.hook.Path, res.Err.Error())
		d.failed("hook could not be started: " + res.Err.Error())
		return
	case res.TimedOut:
		d.ds.Add(schema.CodeTimedOut, d.hook.Path, "the hook did not end in time and was killed")
		d.failed("hook timed out")
		return
	case res.Released:
		d.ds.Add(schema.CodeReleased, d.hook.Path, "the hook continues in the background")
		return
	}
	out := bytes.TrimSpace(ordjson.TrimBOM(bytes.TrimLeft(res.Stdout, " \t\r\n")))
	bad := ""
	if len(out) > 0 && out[0] == '{' {
		o, err := ordjson.Parse(out)
		switch {
		case err == nil:
			if bad = d.object(o); bad != "" {
				d.ds.Add(schema.CodeBadSchema, d.hook.Path, bad)
				d.reply = schema.Reply{}
			}
		case out[len(out)-1] == '}':
			bad = "stdout looks like JSON and is not: " + err.Error()
			d.ds.Add(schema.CodeBadAnswer, d.hook.Path, bad)
		default:
			d.text(string(out), res.Exit)
		}
	} else if len(out) > 0 {
		d.text(strings.TrimRight(string(res.Stdout), "\n"), res.Exit)
	}
	switch {
	case res.Exit == 2:
		d.block(strings.TrimRight(string(res.Stderr), "\r\n"))
	case bad != "":
		d.failed(bad)
	case res.Exit != 0:
		d.hookFailed(res)
	}
	d.sweep()
}

// object reads the JSON form; the result says what breaks its rules.
func (d *decoder) object(o ordjson.Object) (bad string) {
	r := &d.reply
	for _, m := range o {
		switch m.Name {
		case "continue":
			b, ok := ordjson.Bool(m.Value)
			if !ok {
				return "continue is no boolean"
			}
			r.EndTurn = !b
		case "stopReason":
			r.EndReason, _ = ordjson.String(m.Value)
		case "systemMessage":
			r.Notice, _ = ordjson.String(m.Value)
		case "suppressOutput":
			r.Others = append(r.Others, schema.Effect{Feature: schema.EffectQuiet, Raw: m.Value})
		case "terminalSequence":
			r.Others = append(r.Others, schema.Effect{Feature: schema.EffectTerminal, Raw: m.Value})
		case "decision", "reason", "hookSpecificOutput":
		case "async", "asyncTimeout":
		default:
			r.Extra = append(r.Extra, m)
		}
	}
	if !r.EndTurn {
		r.EndReason = ""
	}
	if bad := d.legacy(o); bad != "" {
		return bad
	}
	if raw, ok := o.Get("hookSpecificOutput"); ok {
		return d.specific(raw)
	}
	return ""
}

// legacy reads the top-level decision.
func (d *decoder) legacy(o ordjson.Object) (bad string) {
	raw, ok := o.Get("decision")
	if !ok {
		return ""
	}
	s, _ := ordjson.String(raw)
	reason, _ := o.Get("reason")
	text, _ := ordjson.String(reason)
	switch s {
	case "approve":
		if d.row.Event == schema.PreTool {
			d.reply.Verdict, d.reply.Reason = schema.Allow, text
		}
	case "block":
		if d.row.Native == "PermissionRequest" {
			return "" // the top-level decision is ignored there
		}
		d.blockWith(text)
	default:
		return "decision is " + strconv.Quote(s) + ", not approve or block"
	}
	return ""
}

// specific reads hookSpecificOutput.
func (d *decoder) specific(raw []byte) (bad string) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "hookSpecificOutput is no object"
	}
	name, _ := o.Get("hookEventName")
	if s, _ := ordjson.String(name); s != d.row.Native {
		return "hookSpecificOutput names the event " + strconv.Quote(s) + ", not " + d.row.Native
	}
	for _, m := range o {
		if bad := d.specificMember(m, o); bad != "" {
			return bad
		}
	}
	return ""
}

func (d *decoder) specificMember(m ordjson.Member, o ordjson.Object) (bad string) {
	r := &d.reply
	text, isText := ordjson.String(m.Value)
	switch m.Name {
	case "hookEventName", "permissionDecisionReason":
	case "permissionDecision":
		reason, _ := o.Get("permissionDecisionReason")
		return d.permission(text, reason)
	case "updatedInput":
		return d.newInput(m.Value)
	case "additionalContext":
		if !isText {
			return "additionalContext is no string"
		}
		if d.row.Honours&schema.EffectKeepGoing != 0 {
			r.KeepGoing = join(r.KeepGoing, text)
		} else {
			r.Context = join(r.Context, text)
		}
	case "updatedToolOutput":
		r.Output = m.Value
	case "updatedMCPToolOutput":
		if _, both := o.Get("updatedToolOutput"); !both && d.view.Kind == schema.MCP {
			r.Output = m.Value
		}
	case "decision":
		if d.row.Event == schema.PermissionRequest {
			return d.requestDecision(m.Value)
		}
		r.Extra = append(r.Extra, m)
	default:
		for _, e := range effects {
			if e.Name == m.Name {
				r.Others = append(r.Others, schema.Effect{Feature: e.Feature, Raw: m.Value})
				return ""
			}
		}
		r.Extra = append(r.Extra, m)
	}
	return ""
}

// effects names the members of hookSpecificOutput that need no more than their
// name (types 0.3.328).
var effects = []struct {
	Name    string
	Feature schema.Feature
}{
	{"retry", schema.EffectRetry},
	{"watchPaths", schema.EffectWatchPaths},
	{"sessionTitle", schema.EffectSessionTitle},
	{"initialUserMessage", schema.EffectInitialPrompt},
	{"displayContent", schema.EffectDisplay},
	{"classifierContext", schema.EffectClassifier},
	{"worktreePath", schema.EffectWorktree},
	{"action", schema.EffectElicit},
	{"reloadSkills", schema.EffectReloadSkills},
	{"suppressOriginalPrompt", schema.EffectHidePrompt},
}

var verdicts = []struct {
	Native  string
	Verdict schema.Verdict
}{
	{"allow", schema.Allow}, {"deny", schema.Deny}, {"ask", schema.Ask}, {"defer", schema.Defer},
}

func (d *decoder) permission(word string, reason []byte) (bad string) {
	for _, w := range verdicts {
		if w.Native == word {
			if w.Verdict >= d.reply.Verdict {
				d.reply.Verdict = w.Verdict
				if s, _ := ordjson.String(reason); s != "" {
					d.reply.Reason = s
				}
			}
			return ""
		}
	}
	return "permissionDecision is " + strconv.Quote(word)
}

func (d *decoder) newInput(raw []byte) (bad string) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "updatedInput is no object"
	}
	d.reply.Input = convertEdits(schema.DecodeArgs(o, inputRows(d.view.Tool)), edit, schema.CanonicalEdits)
	if d.reply.Input == nil {
		d.reply.Input = schema.Args{}
	}
	d.reply.InputView = d.view
	return ""
}

// requestDecision reads PermissionRequest's decision object.
func (d *decoder) requestDecision(raw []byte) (bad string) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "decision is no object"
	}
	get := func(name string) string {
		raw, _ := o.Get(name)
		s, _ := ordjson.String(raw)
		return s
	}
	r := &d.reply
	switch get("behavior") {
	case "allow":
		r.Verdict = schema.Allow
		if raw, ok := o.Get("updatedInput"); ok {
			if bad := d.newInput(raw); bad != "" {
				return bad
			}
		}
		if raw, ok := o.Get("updatedPermissions"); ok {
			r.Others = append(r.Others, schema.Effect{Feature: schema.EffectPermissions, Raw: raw})
		}
	case "deny":
		r.Verdict, r.Reason = schema.Deny, get("message")
		if raw, ok := o.Get("interrupt"); ok {
			r.Others = append(r.Others, schema.Effect{Feature: schema.EffectInterrupt, Raw: raw})
		}
	default:
		return "decision.behavior is neither allow nor deny"
	}
	return ""
}

// text is plain output: context on some events, a path on one, else nothing.
func (d *decoder) text(s string, exit int) {
	if exit != 0 {
		return
	}
	switch d.row.Text {
	case schema.EffectContext:
		d.reply.Context = s
	case schema.EffectWorktree:
		lines := strings.Split(strings.TrimSpace(s), "\n")
		d.reply.Others = append(d.reply.Others, schema.Effect{Feature: schema.EffectWorktree,
			Raw: ordjson.AppendString(nil, strings.TrimSpace(lines[len(lines)-1]))})
	}
}

// block is exit status 2: the JSON's own blocking reason if it gave one, else
// stderr. What else the JSON said is not heard, its context excepted.
func (d *decoder) block(stderr string) {
	if stderr == "" {
		stderr = "No stderr output"
	}
	r := &d.reply
	if d.row.Blocks == 0 {
		d.ds.AddSeverity(schema.CodeIgnoredEffect, schema.Note, d.hook.Path, "exit status 2 does not block "+d.row.Native+": "+stderr)
		return
	}
	already := r.Verdict == schema.Deny || r.Feedback != "" || r.KeepGoing != ""
	if r.Verdict != schema.Deny {
		r.Verdict, r.Reason = schema.NoOpinion, ""
	}
	r.Input = nil
	if !already {
		d.blockWith(stderr)
	} else if d.row.Blocks == schema.EffectDeny && r.Reason == "" {
		r.Reason = stderr
	}
}

// blockWith gives a block the meaning that it has on this event.
func (d *decoder) blockWith(reason string) {
	r := &d.reply
	switch d.row.Blocks {
	case schema.EffectDeny:
		r.Verdict, r.Reason = schema.Deny, reason
	case schema.EffectFeedback:
		r.Feedback = join(r.Feedback, or(reason, "Blocked by hook"))
	case schema.EffectKeepGoing:
		r.KeepGoing = join(r.KeepGoing, or(reason, "Blocked by hook"))
	case schema.EffectEndTurn:
		r.EndTurn, r.EndReason = true, reason
	}
}

// failed applies onFailure: a hook that asks to block on its own failure is
// treated as if it had ended with status 2 (observed 2.1.328; not on the stop
// events, where it is ignored).
func (d *decoder) failed(reason string) {
	if d.hook.Fail == schema.FailClosed && d.row.Blocks != schema.EffectKeepGoing && d.row.Event != schema.TaskCompleted {
		d.reply = schema.Reply{}
		if d.row.Event == schema.PermissionRequest { // heeds this although not exit status 2
			d.reply.Verdict, d.reply.Reason = schema.Deny, reason
			return
		}
		d.blockWith(reason)
	}
}

func (d *decoder) hookFailed(res *process.Result) {
	msg := "exit status " + strconv.Itoa(res.Exit)
	if res.Signal != "" {
		msg = "ended by signal " + res.Signal
	}
	if s := firstLine(res.Stderr); s != "" {
		msg += ": " + s
	}
	d.ds.Add(schema.CodeHookFailed, d.hook.Path, msg)
	d.failed("hook failed: " + msg)
}

// sweep drops what Claude Code itself ignores on this event, and says so.
func (d *decoder) sweep() {
	r := &d.reply
	if ignored := r.Uses() &^ d.row.Honours &^ schema.EffectReason; ignored != 0 {
		d.ds.Add(schema.CodeIgnoredEffect, d.hook.Path, d.row.Native+" does not heed: "+ignored.String())
		drop(r, ignored)
	}
}

func drop(r *schema.Reply, f schema.Feature) {
	if f&(schema.EffectAllow|schema.EffectAsk|schema.EffectDefer|schema.EffectDeny) != 0 {
		r.Verdict, r.Reason = schema.NoOpinion, ""
	}
	if f&schema.EffectInput != 0 {
		r.Input = nil
	}
	if f&schema.EffectOutput != 0 {
		r.Output = nil
	}
	if f&schema.EffectContext != 0 {
		r.Context = ""
	}
	if f&schema.EffectEndTurn != 0 {
		r.EndTurn, r.EndReason = false, ""
	}
	if f&schema.EffectNotice != 0 {
		r.Notice = ""
	}
	kept := r.Others[:0:0]
	for _, o := range r.Others {
		if o.Feature&f == 0 {
			kept = append(kept, o)
		}
	}
	r.Others = kept
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func firstLine(b []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	if len(line) > 300 {
		line = line[:300]
	}
	return string(line)
}

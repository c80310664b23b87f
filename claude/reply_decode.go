package claude

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeReply interprets a hook's result as Claude Code 2.1.328 does. One JSON object on stdout is read at every exit
// code. Exit code 2 blocks whatever the object contains. Anything unclear lets the call proceed unless the hook blocks
// on failure.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := decoder{a.Decoder(h, v)}
	d.read(res)
	d.apply()
	return d.Done()
}

// Refusal is the reply for a model's "no" (observed 2.1.328). It is a denial that also ends the turn unless the hook
// sets otherwise, and on the stop events a reason to continue.
func (a Dialect) Refusal(h *schema.Hook, v schema.View, reason string) schema.Reply {
	d := decoder{a.Decoder(h, v)}
	d.Blocked, d.Reason = true, reason
	if d.Row.Event == schema.PermissionRequest {
		d.Reply.Verdict, d.Reply.Reason = schema.Deny, reason
	}
	d.apply()
	if d.Row.Honors&schema.EffectEndTurn != 0 && d.Row.Blocks != schema.EffectKeepGoing && !h.OnBlock {
		d.Reply.EndTurn, d.Reply.EndReason = true, reason
	}
	return d.Reply
}

type decoder struct{ *family.Decoder }

func (d decoder) read(res *process.Result) {
	o := d.Ended(&dialect.Ends{}, res) // other ends are handled after the output
	switch {
	case o == process.NotStarted:
		d.failed("hook could not be started: " + res.Err.Error())
		return
	case o == process.Late:
		d.failed("hook timed out")
		return
	case res.Released || dialect.GoesOn(trim(res.Stdout)):
		d.Add(schema.CodeReleased, "the hook continues in the background")
		return
	case d.Row.Event == schema.WorktreeCreate && d.Hook.Handler != schema.HandlerHTTP:
		d.worktree(res, o)
		return
	}
	bad := d.output(res)
	switch {
	case o == process.Refused:
		d.exit2(readable(res.Stderr))
	case bad != "":
		d.failed(bad)
	case o != process.Clean:
		d.hookFailed(res)
	}
}

// output reads stdout; bad is the reason if it counts as an error.
func (d decoder) output(res *process.Result) (bad string) {
	out := trim(res.Stdout)
	if len(out) == 0 || out[0] != '{' {
		d.text(readable(out), res.Exit)
		return ""
	}
	o, _, err := ordjson.ParseLast(out)
	switch {
	case err == nil:
		if bad = d.Object(o); bad != "" {
			d.Void()
			if d.misnamed(o) && d.Row.Blocks != 0 {
				d.Blocked, d.Reason = true, o.Str("reason")
				bad += ", and only its block counts"
			}
			d.Add(schema.CodeBadSchema, bad)
		}
	case out[len(out)-1] == '}' && !d.isLog(out):
		bad = d.BadJSON(err)
	default:
		d.text(readable(out), res.Exit)
	}
	return bad
}

// misnamed reports whether an object that blocks would be valid on the event in its hookSpecificOutput: only the block
// counts then (observed 2.1.328).
func (d decoder) misnamed(o ordjson.Object) bool {
	specific, _ := o.Members("hookSpecificOutput")
	event := specific.Str("hookEventName")
	return o.Str("decision") == "block" && d.Agent.Row(event) != nil &&
		d.Agent.Decoder(d.Hook, schema.View{Event: event}).Object(o) == ""
}

// isLog reports whether text is one JSON value per line, none of which is an answer of a hook. That is plain text, not
// an invalid answer (observed 2.1.328).
func (d decoder) isLog(text []byte) bool {
	for _, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		value, _, err := ordjson.ParseLast(slices.Concat([]byte(`{"value":`), line, []byte("}")))
		if err != nil || len(value) != 1 {
			return false
		}
		if o, _, err := ordjson.ParseLast(line); err == nil && (d.answers(o) || dialect.GoesOn(line)) {
			return false
		}
	}
	return true
}

// answers reports whether an object would be an answer by itself.
func (d decoder) answers(o ordjson.Object) bool {
	if d.Agent.Decoder(d.Hook, d.View).Object(o) != "" {
		return false
	}
	return slices.ContainsFunc(o, func(m ordjson.Member) bool {
		return !strings.HasPrefix(m.Name, "async") && slices.ContainsFunc(top, func(p family.Part) bool {
			return p.Name == m.Name
		})
	})
}

func trim(text []byte) []byte { return bytes.TrimSpace(ordjson.TrimBOM(bytes.TrimSpace(text))) }

func readable(text []byte) string { return strings.ToValidUTF8(string(trim(text)), "\uFFFD") }

// text handles plain output: context on some events, otherwise ignored.
func (d decoder) text(s string, exit int) {
	if exit == 0 && s != "" && d.Row.Text == schema.EffectContext {
		d.Reply.Context = s
	}
}

// worktree reads a command's result on WorktreeCreate. The last line that isn't empty is the path, and JSON isn't
// parsed. Any failure fails the event (observed 2.1.328).
func (d decoder) worktree(res *process.Result, end process.Outcome) {
	lines := strings.Split(readable(res.Stdout), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	if end == process.Refused {
		d.exit2(readable(res.Stderr))
	} else if res.Exit != 0 {
		d.hookFailed(res)
	} else if last == "" {
		d.Blocked, d.Reason = true, "the hook printed no path"
	} else {
		d.Reply.Others = []schema.Effect{{Feature: schema.EffectWorktree, Raw: ordjson.AppendString(nil, last)}}
	}
}

// exit2 handles exit code 2. The object's own blocking reason takes precedence over stderr. Nothing else of the object
// counts, except its context. On an event that the exit code doesn't block, the whole object counts.
func (d decoder) exit2(stderr string) {
	stderr = cmp.Or(stderr, "No stderr output")
	if d.Row.Blocks == 0 {
		d.BlocksNothing(stderr)
		return
	}
	r := &d.Reply
	if r.Verdict != schema.Deny {
		r.Verdict, r.Reason = schema.NoOpinion, ""
	}
	r.Input, r.InputView, r.Output = nil, schema.View{}, nil
	r.Drop(schema.EffectElicit)
	d.Blocked, d.Reason = true, cmp.Or(d.Reason, r.Reason, stderr)
}

// failed applies onFailure. A hook that blocks on its own failure is treated as if it had exited with code 2. An object
// that blocks keeps its reason (observed 2.1.328). Asynchronous hooks and the stop events ignore it.
func (d decoder) failed(reason string) {
	switch {
	case d.Blocked || d.Reply.Verdict == schema.Deny:
		return
	case d.Row.Event == schema.WorktreeCreate: // any failure fails it
	case d.Hook.Fail != schema.FailClosed || d.Hook.Async || d.Hook.Rewake:
		return
	case d.Row.Blocks == schema.EffectKeepGoing || d.Row.Event == schema.TaskCompleted:
		return
	}
	d.Reply, d.More = schema.Reply{}, ""
	d.Blocked, d.Reason = true, reason
	if d.Row.Event == schema.PermissionRequest { // honors this, but not exit code 2
		d.Reply.Verdict, d.Reply.Reason = schema.Deny, reason
	}
}

func (d decoder) hookFailed(res *process.Result) {
	msg := schema.FailureText(res.Exit, res.Signal, res.Stderr)
	d.Add(schema.CodeHookFailed, "the hook failed: "+msg)
	d.failed("hook failed: " + msg)
}

const noReason = "Blocked by hook" // the client's text for this case

func (d decoder) apply() {
	r := &d.Reply
	if d.Blocked && d.Row.Blocks != 0 {
		denied := d.Row.Blocks == schema.EffectDeny && r.Verdict == schema.Deny
		if explained := denied && r.Reason != ""; !explained {
			d.Block(cmp.Or(d.Reason, noReason))
		}
	}
	r.KeepGoing = schema.JoinText(r.KeepGoing, d.More)
	if r.Verdict == schema.Deny && r.Reason == "" {
		r.Reason = noReason
	}
}

package antigravity

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// verdicts are the words of decision before a tool. ask is written for no opinion: the user's rules then decide.
var verdicts = family.Verdicts{{Word: "allow", Verdict: schema.Allow}, {Word: "deny", Verdict: schema.Deny},
	{Word: "force_ask", Verdict: schema.Ask}, {Word: noOpinion, Verdict: schema.Ask}}

const (
	noOpinion = "ask"
	goesOn    = "continue"
	steps     = "injectSteps"
	message   = "ephemeralMessage"
)

// unproven are fields of an answer before a tool whose effect no report describes (names from the program 1.0.15,
// agentmemory#1146; antigravity-cli#1059 saw permissionOverrides ignored).
var unproven = []string{"overwrite", "permissionOverrides", "permission_overrides", "allowTool", "allow_tool",
	"denyReason", "deny_reason"}

// decides and adds are the allowed fields of an answer: with any other, all of it is dropped (run of 1.1.5, Rosetta).
var (
	decides = []family.Part{{Name: "decision", Shape: family.Text}, {Name: "reason", Shape: family.Text}}
	adds    = []family.Part{{Name: steps, Shape: family.List}}
)

// parts returns the fields of an answer at an event.
func parts(native string) []family.Part {
	if native == preTool || native == stopped {
		return decides
	}
	return adds
}

// DecodeReply interprets a hook's result. Before a tool, anything but a known decision denies: a failure, a timeout, no
// output and {} (runs of 1.0.3 to 1.2.7; in 1.2.3 the call ran after no output).
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	x := d.Decoder(h, v)
	rows := dialect.Ends{process.Late: {So: "; Antigravity refuses the call"}, process.Killed: {Fails: true},
		process.Failed: {Fails: true}, process.Refused: {Fails: true}}
	end := x.Ended(&rows, res)
	o, _, err := ordjson.ParseLast([]byte(family.Printed(res.Stdout)))
	_, extra, bad := family.Pick(o, parts(v.Event))
	usable := end == process.Clean && err == nil && bad == "" && len(extra) == 0

	switch decision := o.Str("decision"); {
	case x.Row.Event != schema.PreTool && usable:
		d.take(x, o)
	case x.Row.Event != schema.PreTool:
		if x.Reply.Extra = extra; end == process.Clean && len(res.Stdout) > 0 {
			x.Add(schema.CodeBadAnswer, "Antigravity drops the answer: "+why(extra, bad))
		}
	case usable && decision == noOpinion && o.Str("reason") == "": // how hooks without an opinion write it (orca#14701)
	case usable && verdicts.Of(decision) != schema.NoOpinion:
		x.Reply.Verdict, x.Reply.Reason = verdicts.Of(decision), o.Str("reason")
	default:
		if end == process.Clean {
			x.Add(schema.CodeBadAnswer, "Antigravity refuses the call: "+why(extra, bad))
		}
		x.Block(o.Str("reason"))
	}
	return x.Done()
}

// why describes what is wrong with an answer.
func why(extra ordjson.Object, bad string) string {
	switch {
	case len(extra) > 0 && slices.Contains(unproven, extra[0].Name):
		return "what " + extra[0].Name + " does, no report says"
	case len(extra) > 0:
		return "the event has no field " + extra[0].Name
	case bad != "":
		return bad
	}
	return "it needs a JSON object with a decision"
}

// take applies an answer that isn't about a tool.
func (Dialect) take(x *family.Decoder, o ordjson.Object) {
	if x.Row.Event == schema.Stop && o.Str("decision") == goesOn {
		x.Block(o.Str("reason"))
	}
	list, _ := o.Elements(steps)
	for _, m := range list {
		step, _ := ordjson.Members(m.Value, 0)
		for _, field := range []string{message, "userMessage"} {
			if text := step.Str(field); text != "" {
				x.Reply.Context = schema.JoinText(x.Reply.Context, text)
			}
		}
	}
}

// Honors returns the effects that Antigravity applies to c: there is no field for the user alone.
func (d Dialect) Honors(c *schema.Call, _ *schema.Reply) schema.Feature {
	return cmp.Or(d.Row(c.Native), &schema.EventRow{}).Honors
}

// Replaces returns none: no input can be rewritten.
func (Dialect) Replaces(*schema.Call) (roles schema.Roles, whole bool) { return 0, false }

// AppendReply writes r as the answer to c, with a decision before every tool.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	w := ordjson.NewWriter(dst)
	word, reason := "", r.Reason

	switch c.Native {
	case preTool:
		if word = noOpinion; r.Verdict != schema.NoOpinion {
			word = verdicts.Word(r.Verdict)
		}
		if word == "" || r.EndTurn { // no milder word expresses it
			word = verdicts.Word(schema.Deny)
		}
	case stopped:
		if reason = r.KeepGoing; reason != "" {
			word = goesOn
		}
	case preTurn:
		if r.Context != "" {
			w.Raw(steps, append(append([]byte{'['}, ordjson.AppendTexts(nil, message, r.Context)...), ']'))
		}
	}

	if word != "" {
		w.String("decision", word)
	}
	if word != "" && reason != "" {
		w.String("reason", reason)
	}
	return w.Bytes()
}

// Refuse writes the strictest answer for an event that may be unknown.
func (d Dialect) Refuse(dst []byte, native, reason string) []byte {
	if row := d.Row(native); row != nil && row.Event != schema.PreTool {
		return append(dst, "{}"...)
	}
	return append(dst, ordjson.AppendTexts(nil, "decision", "deny", "reason", family.OrReason(reason))...)
}

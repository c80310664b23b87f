package cursor

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// nestedAnswer is the field with an answer in Claude Code's format.
const nestedAnswer = "hookSpecificOutput"

// nestedParts are the fields of such an answer that the client reads, in its order, and the equivalent Cursor fields
// (observed SDK 1.0.32 with its option for them). A value of another kind counts as absent.
var nestedParts = []struct {
	events   []string
	from, to string
	kind     ordjson.Kind // Invalid: any
}{
	{[]string{"preToolUse"}, "permissionDecision", "permission", ordjson.Invalid},
	{[]string{"preToolUse"}, "permissionDecisionReason", "user_message", ordjson.StringKind},
	{[]string{"preToolUse"}, "updatedInput", "updated_input", ordjson.ObjectKind},
	{[]string{"preToolUse", "postToolUse", "beforeSubmitPrompt", "sessionStart"}, "additionalContext",
		"additional_context", ordjson.StringKind},
	{[]string{"stop", "subagentStop"}, "reason", "reason", ordjson.StringKind},
	{[]string{"stop", "subagentStop"}, "decision", "decision", ordjson.StringKind},
}

// overNested are the fields that override a nested decision.
var overNested = []string{"permission", "user_message", "agent_message", "updated_input"}

// nestedName returns the event's name in such an answer, which may also leave it out.
func nestedName(row *schema.EventRow) string {
	return cmp.Or(row.MatchConst, strings.ToUpper(row.Native[:1])+row.Native[1:])
}

// flat converts an answer in Claude Code's format to the equivalent fields. Fields that it ignores stay, and are
// reported.
func (d *decoder) flat(o ordjson.Object) ordjson.Object {
	in, err := o.Members(nestedAnswer)
	if err != nil || !d.nested {
		return o
	}

	if raw, named := in.Get("hookEventName"); named {
		if name, ok := ordjson.String(raw); !ok || name != "" && name != nestedName(d.Row) {
			return o
		}
	}

	decided := slices.ContainsFunc(overNested, o.Has)
	out, ignored := slices.Clone(o), false
	for _, part := range nestedParts {
		raw, ok := in.Get(part.from)
		switch {
		case !ok || !slices.Contains(part.events, d.Row.Native) || part.kind != ordjson.Invalid &&
			part.kind != ordjson.KindOf(raw):
		case part.to == "additional_context" && o.Has(part.to), decided && slices.Contains(overNested, part.to):
			ignored = true
		default:
			out = append(out, ordjson.Member{Name: part.to, Value: raw})
		}
	}
	if len(out) > len(o) && !ignored {
		out.Take(nestedAnswer)
	}
	return out
}

// oldAnswer reports whether an answer's decision and reason count. In version 2.4, they do on two events. For another
// agent, they do in any version on every event that asks for permission, if they make the answer stricter.
func (d *decoder) oldAnswer(o ordjson.Object) bool {
	if d.old && (d.Row.Native == "preToolUse" || d.Row.Native == "subagentStart") {
		return true
	}
	word, _ := o.Text("decision")
	if !d.permits() || word != "deny" {
		return false
	}
	d.outdated("decision")
	return !d.View.Own
}

func (d *decoder) outdated(name string) {
	if !slices.ContainsFunc(d.Found, func(f schema.Diagnostic) bool { return f.Code == schema.CodeOldAnswer }) {
		d.Add(schema.CodeOldAnswer, name+" is the format of an older Cursor; current versions ignore it")
	}
}

// oldMessages reads the messages under their names in version 1.7, if the answer doesn't have them under the current
// ones.
func (d *decoder) oldMessages(o ordjson.Object, agent *string) {
	for _, m := range []struct {
		old, now string
		text     *string
	}{{"userMessage", "user_message", &d.Reply.UserReason}, {"agentMessage", "agent_message", agent}} {
		raw, has := o.Get(m.old)
		text, ok := ordjson.String(raw)
		if _, both := o.Get(m.now); has && ok && !both && d.Reply.Verdict > schema.Allow {
			if d.outdated(m.old); !d.View.Own {
				*m.text = text
			}
		}
	}
}

// stopWord reads the old form of a stop hook's answer, which the client still treats as a follow-up (observed SDK
// 1.0.32).
func (d *decoder) stopWord(name, text string) {
	if name == "decision" {
		d.stopBlock = text == "block"
	} else {
		d.stopReason = text
	}
	if d.stopBlock && d.stopReason != "" && d.Reply.KeepGoing == "" {
		d.Reply.KeepGoing = d.stopReason
	}
}

package cursor

import (
	"slices"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// oldAnswer reports whether an answer's decision and reason count: in version 2.4
// on two events; for another agent, in any version on every event that asks for
// permission where they make the answer stricter.
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

// oldMessages takes the messages by their names in version 1.7, where the answer
// does not have them by the present ones.
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

// stopWord reads the old form of a stop hook's answer, which the client still
// takes for a follow-up (observed SDK 1.0.32).
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

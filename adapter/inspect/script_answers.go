package inspect

import (
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/scriptread"
	"github.com/hookbridge/hookbridge/schema"
)

// denials reports a JSON answer that denies a call in another agent but has no effect in the hook's own. A script that
// can also deny in another way isn't reported.
func (j *judgment) denials(row *schema.EventRow, text string, s *scriptread.Script) {
	if row.Honors&schema.EffectDeny == 0 {
		return
	}
	for _, e := range s.Exits {
		if isRefusal(e.Status) {
			return
		}
	}

	line, title := 0, ""
	for _, from := range adapter.WithHooks() {
		for _, e := range []schema.Event{schema.PreTool, schema.PromptSubmit} { // some agents have another form there
			answer := denialOf(from, e)
			at := writtenAt(text, answer)
			switch {
			case at == 0:
			case j.understands(answer) && j.background():
				j.add(schema.CodeScriptExit, plan.GuardSeverity(j.d, j.hook), at, "denial",
					"the script's answer refuses nothing "+inBackground, "")
				return
			case j.understands(answer):
				return
			case line == 0:
				line, title = at, from.Profile().Title
			}
		}
	}
	if line > 0 {
		j.add(schema.CodeScriptExit, plan.GuardSeverity(j.d, j.hook), line, "denial", "the script answers as for "+
			title+", which refuses nothing at "+j.hook.Native+" in "+j.d.Profile().Title, "")
	}
}

// reason is the reason of a denial that is only compared.
const reason = "looked at"

// denialOf returns the answer with which an agent's hooks deny at an event.
func denialOf(d dialect.Dialect, e schema.Event) []byte {
	s := sample.Event{Event: d.Profile().Generic(e), Project: "/project", Session: "looked-at"}
	if e.IsTool() {
		s.Tool = schema.Shell.String()
	}
	payload, err := sample.Payload(d, s)
	if err != nil {
		return nil
	}
	c, _ := d.DecodeCall(payload, nil)
	if c == nil {
		return nil
	}
	return d.AppendReply(nil, c, &schema.Reply{Verdict: schema.Deny, Reason: reason})
}

// understands reports whether the hook's agent reads an answer as a denial.
func (j *judgment) understands(answer []byte) bool {
	v := schema.View{Event: j.hook.Native, Kind: schema.Shell}
	reply, _ := j.d.DecodeReply(j.hook, v, &process.Result{Stdout: answer})
	return reply.Verdict == schema.Deny
}

// writtenAt returns the line of a script that writes the decision of an answer, 0 if none does.
func writtenAt(text string, answer []byte) int {
	o, err := ordjson.Parse(answer)
	if err != nil {
		return 0
	}
	pair := decisionIn(o, 0)
	if pair == "" {
		return 0
	}
	for i, line := range strings.Split(text, "\n") {
		line = strings.NewReplacer(`"`, "", `\`, "", "'", "", " ", "", "\t", "").Replace(line)
		at := strings.Index(line, pair)
		isComment := strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//")
		if at >= 0 && !isComment && (at == 0 || !ascii.Word(line[at-1])) {
			return i + 1
		}
	}
	return 0
}

// decisionIn returns the field of an answer that contains the decision, with its value: "decision:block".
func decisionIn(o ordjson.Object, depth int) string {
	for _, m := range o {
		word, isText := ordjson.String(m.Value)
		if isText && word != reason && strings.ToLower(word) == word && !strings.Contains(word, " ") {
			return m.Name + ":" + word
		}
	}
	for _, m := range o {
		if inner, err := ordjson.Parse(m.Value); err == nil && depth == 0 {
			if pair := decisionIn(inner, depth+1); pair != "" {
				return pair
			}
		}
	}
	return ""
}

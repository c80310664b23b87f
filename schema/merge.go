package schema

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// MergeRules are a dialect's ways of making one reply of several.
type MergeRules struct {
	// Separator joins texts of the same effect.
	Separator string
	// Reasons says which reasons count: those of the hooks with the winning
	// verdict only, or all.
	AllReasons bool
	// FirstReason keeps only the first of the reasons that count.
	FirstReason bool
	// FirstVerdict lets the first decision win instead of the strictest.
	FirstVerdict bool
	// JoinOutputs joins new results that are texts; otherwise the last one counts.
	JoinOutputs bool
}

// Merge makes one reply of several, in the order given, which must be the
// configuration's and never that of the hooks' ends: the strictest verdict
// wins, texts are joined, of replacements the last counts.
func (m MergeRules) Merge(rs []Reply) Reply {
	if len(rs) == 1 {
		return settle(rs[0])
	}
	var out Reply
	for i := range rs {
		if m.FirstVerdict && out.Verdict == NoOpinion || !m.FirstVerdict && rs[i].Verdict > out.Verdict {
			out.Verdict = rs[i].Verdict
		}
	}
	var reason, user, context, feedback, going, end, notice []string
	for i := range rs {
		r := &rs[i]
		if m.AllReasons || r.Verdict == out.Verdict {
			reason = addText(reason, r.Reason)
			user = addText(user, r.UserReason)
		}
		context = addText(context, r.Context)
		feedback = addText(feedback, r.Feedback)
		going = addText(going, r.KeepGoing)
		end = addText(end, r.EndReason)
		notice = addText(notice, r.Notice)
		if r.Input != nil {
			out.Input, out.InputView = r.Input, r.InputView
		}
		if r.Output != nil {
			out.Objects = r.Objects || m.JoinOutputs && out.Objects
			out.Output = m.output(out.Output, r.Output)
		}
		out.EndTurn = out.EndTurn || r.EndTurn
		out.Env = append(out.Env, r.Env...)
		for _, o := range r.Others {
			if have := out.other(o.Feature); have != nil {
				*have = o
			} else {
				out.Others = append(out.Others, o)
			}
		}
		out.Extra = append(out.Extra, r.Extra...)
	}
	join := func(s []string) string { return strings.Join(s, m.Separator) }
	if m.FirstReason && len(reason) > 1 {
		reason = reason[:1]
	}
	out.Reason, out.UserReason, out.Context, out.Feedback = join(reason), join(user), join(context), join(feedback)
	out.KeepGoing, out.EndReason, out.Notice = join(going), join(end), join(notice)
	return settle(out)
}

// output is the result that is shown where one hook after another replaces it.
func (m MergeRules) output(before, raw []byte) []byte {
	old, isText := ordjson.String(before)
	text, alsoText := ordjson.String(raw)
	if !m.JoinOutputs || !isText || !alsoText {
		return raw
	}
	return ordjson.AppendString(nil, old+m.Separator+text)
}

// settle drops what a stronger effect of the same reply makes void: the end of
// the turn beats the wish to go on, a denied call has no new input.
func settle(r Reply) Reply {
	if r.EndTurn {
		r.KeepGoing = ""
	}
	if r.Verdict == Deny {
		r.Input = nil
	}
	return r
}

func addText(list []string, s string) []string {
	if s == "" {
		return list
	}
	return append(list, s)
}

package schema

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Verdict is a hook's decision on a call. The zero Verdict means no opinion. Greater values are stricter.
type Verdict uint8

const (
	NoOpinion Verdict = iota
	Allow
	Ask
	Defer
	Deny
)

var verdictNames = [...]string{"none", "allow", "ask", "defer", "deny"}

// String returns the canonical word.
func (v Verdict) String() string { return NameOfValue(verdictNames[:], v) }

// A Reply is the answer of one or more hooks: a closed set of effects. The zero Reply has none. Every field except
// those noted counts as used when it isn't zero; TestReplyUses fails if a field is forgotten.
type Reply struct {
	Verdict    Verdict
	Reason     string // for the agent; goes with the verdict
	UserReason string // for the user; "" : the same as Reason
	// Input replaces the whole input of the tool; nil: unchanged. InputView is the view whose field names it uses
	// (lossless: carried by Input).
	Input     Args
	InputView View
	// Prompt replaces the prompt for later hooks; the agent keeps its own (lossless: the dialect that read it says so).
	Prompt string
	Output []byte // replaces the tool's result (JSON)
	// Objects: Output is the hook's objection to the result, which the agent gets even if results can't be replaced
	// (lossless: goes with Output).
	Objects   bool
	Context   string
	Feedback  string
	KeepGoing string // the agent continues with this message
	EndTurn   bool
	EndReason string // for the user; goes with EndTurn
	Env       []EnvVar
	Notice    string
	Others    []Effect       // effects without their own field, in source order
	Extra     ordjson.Object // fields that aren't in a table (lossless: reported by the dialect that read them)
}

// An EnvVar is one environment variable for later commands.
type EnvVar struct{ Name, Value string }

// An Effect is an effect that few dialects support, with its JSON value.
type Effect struct {
	Feature Feature
	Raw     []byte
}

// Uses returns the set of effects that r has.
func (r *Reply) Uses() (f Feature) {
	switch r.Verdict {
	case Allow:
		f |= EffectAllow
	case Ask:
		f |= EffectAsk
	case Defer:
		f |= EffectDefer
	case Deny:
		f |= EffectDeny
	}

	for _, u := range []struct {
		used bool
		f    Feature
	}{
		{r.Reason != "", EffectReason},
		{r.UserReason != "", EffectUserReason},
		{r.Input != nil, EffectInput},
		{r.Output != nil, EffectOutput},
		{r.Context != "", EffectContext},
		{r.Feedback != "", EffectFeedback},
		{r.KeepGoing != "", EffectKeepGoing},
		{r.EndTurn || r.EndReason != "", EffectEndTurn},
		{len(r.Env) > 0, EffectEnv},
		{r.Notice != "", EffectNotice},
	} {
		if u.used {
			f |= u.f
		}
	}
	for _, o := range r.Others {
		f |= o.Feature
	}

	return f
}

// Other returns the JSON value of an effect in Others.
func (r *Reply) Other(f Feature) ([]byte, bool) {
	if o := r.other(f); o != nil {
		return o.Raw, true
	}
	return nil, false
}

func (r *Reply) other(f Feature) *Effect {
	return lists.Find(r.Others, func(o *Effect) bool { return o.Feature == f })
}

// JoinText joins two texts of an answer with a line break; either may be empty.
func JoinText(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// Drop removes the effects of f from the reply.
func (r *Reply) Drop(f Feature) {
	if f&(EffectAllow|EffectAsk|EffectDefer|EffectDeny) != 0 {
		r.Verdict, r.Reason = NoOpinion, ""
	}
	for _, t := range []struct {
		f    Feature
		text *string
	}{
		{EffectReason, &r.Reason}, {EffectContext, &r.Context}, {EffectFeedback, &r.Feedback},
		{EffectKeepGoing, &r.KeepGoing}, {EffectNotice, &r.Notice}, {EffectEndTurn, &r.EndReason},
	} {
		if f&t.f != 0 {
			*t.text = ""
		}
	}

	r.EndTurn = r.EndTurn && f&EffectEndTurn == 0
	if f&EffectInput != 0 {
		r.Input, r.InputView = nil, View{}
	}
	if f&EffectOutput != 0 {
		r.Output, r.Objects = nil, false
	}

	if f&EffectEnv != 0 {
		r.Env = nil
	}
	if r.Others = slices.DeleteFunc(r.Others, func(o Effect) bool { return o.Feature&f != 0 }); len(r.Others) == 0 {
		r.Others = nil
	}
}

// FailureText describes how a hook failed: its signal or exit code, with the first line of its output.
func FailureText(exit int, signal string, output []byte) string {
	msg := "exit code " + strconv.Itoa(exit)
	if signal != "" {
		msg = "ended by signal " + signal
	}
	if s := FirstLine(output); s != "" {
		msg += ": " + s
	}
	return msg
}

// FirstLine returns the first line of a hook's output, for a message: at most about 300 bytes, and valid UTF-8.
func FirstLine(b []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	return strings.ToValidUTF8(string(line[:min(len(line), 300)]), "\uFFFD")
}

// MergeRules are how a dialect combines several replies into one.
type MergeRules struct {
	// Separator joins texts of the same effect.
	Separator string
	// AllReasons: the reasons of all hooks count, not only those of the hooks with the winning verdict.
	AllReasons bool
	// FirstReason keeps only the first of the reasons that count.
	FirstReason bool
	// FirstFeedback keeps only the first hook's feedback about a result.
	FirstFeedback bool
	// FirstVerdict: the first decision wins, not the strictest.
	FirstVerdict bool
	// FirstInput: the first of several new inputs counts, or before it that of the first hook with a decision;
	// otherwise the last one counts.
	FirstInput bool
	// JoinOutputs joins new results that are texts; otherwise the last one counts.
	JoinOutputs bool
	// BareDenial: the agent drops the context that comes with a denial.
	BareDenial bool
	// ContextFirst: the agent shows context instead of the reason of a denial, and instead of feedback about a result.
	ContextFirst bool
	// DenialGoesOn: the agent ignores the end of the turn that comes with a denial.
	DenialGoesOn bool
}

// Merge combines several replies into one, in the given order. It must be the configuration's order and never the order
// in which the hooks ended. The strictest verdict wins, texts are joined, and the last replacement counts unless the
// rules differ.
func (m MergeRules) Merge(rs []Reply) Reply {
	if len(rs) == 1 {
		return m.dropVoided(rs[0])
	}

	var out Reply
	for i := range rs {
		if m.FirstVerdict && out.Verdict == NoOpinion || !m.FirstVerdict && rs[i].Verdict > out.Verdict {
			out.Verdict = rs[i].Verdict
		}
	}

	decided := false
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
		decidesFirst := !decided && r.Verdict != NoOpinion
		if r.Input != nil && (!m.FirstInput || out.Input == nil || decidesFirst) {
			out.Input, out.InputView = r.Input, r.InputView
		}
		decided = decided || r.Verdict != NoOpinion
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
	if m.FirstFeedback && len(feedback) > 1 {
		feedback = feedback[:1]
	}
	out.Reason, out.UserReason, out.Context, out.Feedback = join(reason), join(user), join(context), join(feedback)
	out.KeepGoing, out.EndReason, out.Notice = join(going), join(end), join(notice)
	return m.dropVoided(out)
}

// output returns the result after one hook replaced another's.
func (m MergeRules) output(before, raw []byte) []byte {
	old, isText := ordjson.String(before)
	text, alsoText := ordjson.String(raw)
	if !m.JoinOutputs || !isText || !alsoText {
		return raw
	}
	return ordjson.AppendString(nil, old+m.Separator+text)
}

// dropVoided drops effects that a stronger effect of the same reply voids. The end of the turn overrides continuing, a
// denied call has no new input, and a declined server question no answer.
func (m MergeRules) dropVoided(r Reply) Reply {
	switch first := m.ContextFirst && r.Context != ""; {
	case first && r.Verdict == Deny:
		r.Reason, r.Context = r.Context, ""
	case first && r.Feedback != "":
		r.Feedback, r.Context = r.Context, ""
	}
	if r.EndTurn {
		r.KeepGoing = ""
	}
	if r.Verdict == Deny {
		r.Input = nil
		if r.other(EffectElicit) != nil {
			r.Others = slices.Clone(r.Others) // leaves the hook's own reply unchanged
			r.Drop(EffectElicit)
		}
		if m.BareDenial {
			r.Context = ""
		}
		if m.DenialGoesOn {
			r.EndTurn, r.EndReason = false, ""
		}
	}
	return r
}

func addText(list []string, s string) []string {
	if s == "" {
		return list
	}
	return append(list, s)
}

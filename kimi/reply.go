package kimi

import (
	"cmp"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// The fields of an answer that are read; all others have no effect (source 2.1.0).
const (
	messageField  = "message"
	specificField = "hookSpecificOutput"
	decisionField = "permissionDecision"
	reasonField   = "permissionDecisionReason"
	denial        = "deny"
)

// answer lists these fields for the JSON Schemas.
var answer = family.AnswerRules{
	Top: []family.Part{{Name: messageField, Shape: family.Text}, {Name: specificField, Shape: family.Struct}},
	Specific: []family.Part{
		{Name: messageField, Shape: family.Text}, {Name: decisionField, Shape: family.Text},
		{Name: reasonField, Shape: family.Text}},
}

// DecodeReply interprets a hook's result (observed 2.1.0). Exit code 2 blocks, and only a denial and a message are read
// from a JSON object. Any other exit code is a failure that lets the call proceed.
func (a Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	d := a.Decoder(h, v)
	rows := dialect.Ends{
		process.Late: {So: "; Kimi Code goes on"}, process.Killed: {Fails: true}, process.Failed: {Fails: true},
	}
	switch d.Ended(&rows, res) {
	case process.Refused:
		block(d, trim(res.Stderr))
	case process.Clean:
		output(d, trim(res.Stdout))
	}
	return d.Done()
}

// trim returns a text without blanks and byte order marks around it, as JavaScript trims.
func trim(text []byte) string {
	return strings.TrimFunc(strings.ToValidUTF8(string(text), "\uFFFD"), func(r rune) bool {
		return strings.ContainsRune(blanks, r)
	})
}

const blanks = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004" +
	"\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

func block(d *family.Decoder, reason string) {
	if reason == "" {
		reason = "Blocked by " + d.Row.Native + " hook"
	}
	d.Block(reason)
}

// output reads a hook's output, which as a whole is a JSON object or a text. A prompt hook adds a text, and an object
// without a message, to the context.
func output(d *family.Decoder, text string) {
	o, _, err := ordjson.ParseLast([]byte(text))
	specific, _ := o.Members(specificField)
	message := scalar(o.Value(messageField))
	if message == "" {
		message = scalar(specific.Value(messageField))
	}
	reason := trim([]byte(specific.Str(reasonField)))
	if d.Row.Blocks != 0 && d.UnknownWord(decisionField, specific.Str(decisionField), "allow", denial, "ask") {
		o.Take(specificField)
	}
	switch denied := err == nil && specific.Str(decisionField) == denial; {
	case denied && d.Row.Event == schema.PromptSubmit && message != "":
		block(d, message)
	case denied:
		block(d, reason)
	case d.Row.Event == schema.PromptSubmit && message != "":
		d.Reply.Context = message
	case d.Row.Event == schema.PromptSubmit:
		d.Reply.Context = text
	case err == nil && len(o) > 0 && message == "":
		d.Reply.Extra = o
	}
}

// scalar returns a plain value as a text, trimmed.
func scalar(raw []byte) string {
	switch ordjson.KindOf(raw) {
	case ordjson.StringKind:
		text, _ := ordjson.String(raw)
		return trim([]byte(text))
	case ordjson.Number, ordjson.BoolKind:
		return string(raw)
	}
	return ""
}

// Honors returns the effects that Kimi Code applies to c: a blocked prompt gets no context.
func (a Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := a.Row(c.Native)
	if row == nil {
		return 0
	}
	f := row.Honors
	if row.Event == schema.PromptSubmit { // the reason is shown
		f |= schema.EffectUserReason
	}
	if r != nil && r.Verdict == schema.Deny {
		f &^= schema.EffectContext
	}
	return f
}

// Asks returns false: Kimi Code can't be made to ask.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", false }

// Replaces returns none: no input can be rewritten.
func (Dialect) Replaces(*schema.Call) (roles schema.Roles, whole bool) { return 0, false }

// AppendReply writes r as the answer to c. For a prompt that proceeds without context it is empty: the client shows the
// model any other text, even an object without a message.
func (a Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	row := a.Row(c.Native)
	reason := r.Reason + r.KeepGoing
	if row != nil && row.Event == schema.PromptSubmit {
		reason = cmp.Or(r.UserReason, reason)
	}
	switch {
	case row == nil:
	case r.Verdict >= schema.Ask && row.Blocks == schema.EffectDeny,
		r.KeepGoing != "" && row.Blocks == schema.EffectKeepGoing:
		return denies(dst, reason)
	case row.Event == schema.PromptSubmit && r.Context != "":
		return append(dst, ordjson.AppendTexts(nil, messageField, r.Context)...)
	case row.Event == schema.PromptSubmit:
		return dst
	}
	return append(dst, "{}"...)
}

// Refuse writes the strictest answer for an event that may be unknown.
func (Dialect) Refuse(dst []byte, _, reason string) []byte { return denies(dst, reason) }

func denies(dst []byte, reason string) []byte {
	w, inner := ordjson.NewWriter(dst), ordjson.NewWriter(nil)
	inner.String(decisionField, denial)
	inner.String(reasonField, family.OrReason(reason))
	w.Raw(specificField, inner.Bytes())
	return w.Bytes()
}

package family

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// AnswerRules says what an answer may hold. A value of the wrong type voids all of it.
type AnswerRules struct {
	Top      []Part // other members mean nothing
	Specific []Part // members of hookSpecificOutput
	// Named: hookSpecificOutput is read by the rules of the event that it names, which
	// may be any; else it must name the event at hand, and what that does not honor
	// counts as absent, whatever its type.
	Named bool
	// QuietHides: a hook that suppresses its output has no message for the user.
	QuietHides bool
	// Silent are events of which an answer with hookSpecificOutput is void.
	Silent []schema.Event
	// NoReason is the reason of a refusal that has none.
	NoReason string
	// Decides are the events that take permissionDecision, Verdicts its words.
	Decides  []schema.Event
	Verdicts Verdicts
}

// A Part is a member of an answer.
type Part struct {
	Name    string
	Shape   Shape
	Null    bool           // null is as good as no value
	Words   []string       // what a text must be one of
	Feature schema.Feature // the effect; 0: none of its own
	On      []string       // native events whose hookSpecificOutput has it; nil: all
	// Except are events that ignore it although they honor the effect, said otherwise.
	Except []schema.Event
}

// A Shape is what the value of a member must be.
type Shape uint8

const (
	Anything Shape = iota
	Text
	Flag
	Yes // true
	Number
	Struct
	List
	TextList
	Request // the decision of a permission request
)

var shapeNames = [...]string{"", "a string", "a boolean", "true", "a number", "an object", "an array",
	"an array of strings", "a decision"}

var shapeKinds = [...]ordjson.Kind{Text: ordjson.StringKind, Flag: ordjson.BoolKind, Number: ordjson.Number,
	Struct: ordjson.ObjectKind, List: ordjson.Array}

// wrong says what is wrong with a value, "" if nothing is.
func (p *Part) wrong(raw []byte) string {
	k, ok := ordjson.KindOf(raw), true
	switch p.Shape {
	case Anything:
	case Yes:
		ok = string(raw) == "true"
	case TextList:
		ok = ordjson.Strings(raw) != nil
	case Request:
		return wrongRequest(raw)
	default:
		ok = k == shapeKinds[p.Shape]
	}
	if !ok && !(p.Null && k == ordjson.Null) {
		return p.Name + " is " + schema.An(k.String()) + ", not " + shapeNames[p.Shape]
	}
	if s, _ := ordjson.String(raw); p.Words != nil && !slices.Contains(p.Words, s) {
		return p.Name + " is " + strings.ToValidUTF8(string(raw[:min(len(raw), 80)]), "") + ", not " +
			strings.Join(p.Words, " or ")
	}
	return ""
}

// Top are the members of an answer at its top as most agents know them, whatever their values are.
var Top = []Part{{Name: "continue"}, {Name: "stopReason"}, {Name: "suppressOutput"}, {Name: "decision"},
	{Name: "reason"}, {Name: "hookSpecificOutput"}, {Name: "systemMessage", Feature: schema.EffectNotice}}

// The members of a decision on a permission request.
var (
	granted = []Part{{Name: "updatedInput", Shape: Struct, Feature: schema.EffectInput},
		{Name: "updatedPermissions", Shape: List, Feature: schema.EffectPermissions}}
	denied = []Part{{Name: "message", Shape: Text}, {Name: "interrupt", Shape: Flag, Feature: schema.EffectInterrupt}}
)

func wrongRequest(raw []byte) string {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "decision is not an object"
	}
	parts := map[string][]Part{"allow": granted, "deny": denied}[o.Str("behavior")]
	if parts == nil {
		return "decision.behavior is neither allow nor deny"
	}
	_, _, bad := Pick(o, parts)
	return bad
}

// Shown is the text that JavaScript shows for a value: "" for one that counts as false.
func Shown(raw []byte) string {
	switch ordjson.KindOf(raw) {
	case ordjson.StringKind:
		text, _ := ordjson.String(raw)
		return text
	case ordjson.ObjectKind:
		return "[object Object]"
	case ordjson.Array:
		list, _ := ordjson.Elements(raw, 0)
		return strings.Join(lists.Map(list, func(m ordjson.Member) string { return Shown(m.Value) }), ",")
	}
	if ordjson.Truthy(raw) {
		return string(raw)
	}
	return ""
}

// Pick sorts the members of o into those that parts know and the rest. bad says which
// of the first has not its shape.
func Pick(o ordjson.Object, parts []Part) (known, extra ordjson.Object, bad string) {
	for _, m := range o {
		i := slices.IndexFunc(parts, func(p Part) bool { return p.Name == m.Name })
		if i < 0 {
			extra = append(extra, m)
			continue
		}
		if bad := parts[i].wrong(m.Value); bad != "" {
			return nil, nil, bad
		}
		known = append(known, m)
	}
	return known, extra, ""
}

package family

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// AnswerRules are the rules for an answer. A value of the wrong type voids all of it.
type AnswerRules struct {
	Top      []Part // other fields have no effect
	Specific []Part // fields of hookSpecificOutput
	// Named: hookSpecificOutput follows the rules of the event that it names, which may be any. Otherwise it must name
	// the current event, and a field that this event doesn't honor counts as absent, whatever its type.
	Named bool
	// QuietHides: a hook that suppresses its output shows the user no message.
	QuietHides bool
	// Silent are events at which an answer with hookSpecificOutput is void.
	Silent []schema.Event
	// NoReason is the reason of a denial without one.
	NoReason string
	// Decides are the events that accept permissionDecision, Verdicts its words.
	Decides  []schema.Event
	Verdicts Verdicts
}

// A Part is a field of an answer.
type Part struct {
	Name    string
	Shape   Shape
	Null    bool           // null counts as absent
	Words   []string       // the allowed texts
	Feature schema.Feature // the effect; 0: none
	On      []string       // native events whose hookSpecificOutput has it; nil: all
	// Except are events that ignore the field although they honor its effect through another one.
	Except []schema.Event
}

// A Shape is the required form of a field's value.
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

// wrong describes what is wrong with a value, "" if nothing is.
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

// Top are the top-level fields of an answer that most agents accept, with any value.
var Top = []Part{{Name: "continue"}, {Name: "stopReason"}, {Name: "suppressOutput"}, {Name: "decision"},
	{Name: "reason"}, {Name: "hookSpecificOutput"}, {Name: "systemMessage", Feature: schema.EffectNotice}}

// The fields of a decision on a permission request.
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

// Shown returns JavaScript's text for a value: "" if the value is falsy.
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

// Pick divides the fields of o into those in parts and the rest. bad describes the first one with the wrong shape.
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

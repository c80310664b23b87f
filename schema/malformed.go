package schema

import (
	"slices"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A textRule says whether a field must be text.
type textRule uint8

const (
	anyType    textRule = iota
	text                // wherever an agent sends it
	textOrNull          // null where the agent has nothing to name
)

// textRules are by field; those behind the last are anyType.
var textRules = [...]textRule{
	FieldToolName: text, FieldToolUseID: textOrNull, FieldCwd: text, FieldToolCwd: text, FieldSession: text,
	FieldCommand: text, FieldPath: text, FieldPrompt: text, FieldTranscript: textOrNull, FieldAgentType: textOrNull, FieldMode: textOrNull,
}

// allows reports whether a value of that kind is what the field may hold.
func (f Field) allows(kind ordjson.Kind) bool {
	if int(f) >= len(textRules) || textRules[f] == anyType || kind == ordjson.StringKind {
		return true
	}
	return textRules[f] == textOrNull && kind == ordjson.Null
}

// CheckShape reports the members of a payload that have a type no agent sends.
// It needs c's event and values. usable is false if the payload does not say what
// the tool call is: no hook could judge it. With textInput a tool's input may also
// be a text that holds JSON.
func CheckShape(c *Call, textInput bool) (ds Diagnostics, usable bool) {
	usable = true
	bad := func(v *Value, want string, essential bool) {
		ds.Add(CodeShape, ordjson.Pointer("", v.Name), v.Name+" is "+An(ordjson.KindOf(v.Raw).String())+", not "+want).Event = c.Native
		usable = usable && !essential
	}
	named := false
	for i := range c.Values {
		v := &c.Values[i]
		kind := ordjson.KindOf(v.Raw)
		named = named || v.Field == FieldToolName
		switch {
		case !v.Field.allows(kind):
			bad(v, "a string", c.Event.IsTool() && (v.Field == FieldToolName || c.Gate && (v.Field == FieldCommand || v.Field == FieldPath)))
		case v.Field == FieldToolInput && !isInput(v.Raw, textInput):
			bad(v, "an object", true)
		case v.Field == FieldRoots && kind != ordjson.Array:
			bad(v, "an array", false)
		}
	}
	if c.Event.IsTool() && !c.Gate && !named {
		ds.Add(CodeShape, "", "the payload has no tool name").Event = c.Native
		usable = false
	}
	return ds, usable
}

func isInput(raw []byte, text bool) bool {
	if s, ok := ordjson.String(raw); ok && text {
		return s == "" || ordjson.Check([]byte(s)) == nil
	}
	return ordjson.KindOf(raw) == ordjson.ObjectKind
}

// required are the members of a tool's input that a guard needs, by kind, in addition
// to a command. All are strings.
var required = [...][]Role{
	Read: {RolePath}, Write: {RolePath, RoleContent}, Edit: {RolePath, RoleOldText, RoleNewText},
	MultiEdit: {RolePath}, Delete: {RolePath}, Notebook: {RolePath, RoleCellSource}, Fetch: {RoleURL},
}

// CheckInput reports required members of a tool's input that aren't strings. It needs
// the tool as the payload names it. usable is false if there are any: hooks would
// judge a different call.
func CheckInput(c *Call) (ds Diagnostics, usable bool) {
	usable = true
	at := ""
	var needs []Role
	if k := c.Tool.Kind(); int(k) < len(required) {
		needs = required[k]
	}
	for _, v := range c.Values {
		if v.Field == FieldToolInput {
			at = ordjson.Pointer("", v.Name)
		}
	}
	for _, a := range c.Tool.Input {
		essential := a.Role == RoleCommand || slices.Contains(needs, a.Role)
		if essential && ordjson.KindOf(a.Raw) != ordjson.StringKind {
			ds.Add(CodeShape, ordjson.Pointer(at, a.Name), a.Name+" in the tool's input is "+An(ordjson.KindOf(a.Raw).String())+
				", not a string").Event = c.Native
			usable = false
		}
	}
	return ds, usable
}

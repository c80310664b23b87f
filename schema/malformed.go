package schema

import "github.com/hookbridge/hookbridge/internal/ordjson"

// textFields are texts wherever an agent sends them. The value says whether an
// agent may also send null: it does where it has nothing to name.
var textFields = map[Field]bool{
	FieldToolName: false, FieldToolUseID: true, FieldCwd: false, FieldToolCwd: false, FieldSession: false,
	FieldCommand: false, FieldPath: false, FieldPrompt: false, FieldTranscript: true, FieldAgentType: true, FieldMode: true,
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
		null, text := textFields[v.Field]
		named = named || v.Field == FieldToolName
		switch {
		case text && kind != ordjson.StringKind && !(null && kind == ordjson.Null):
			bad(v, "a string", c.Event.IsTool() && (v.Field == FieldToolName || c.Gate && (v.Field == FieldCommand || v.Field == FieldPath)))
		case v.Field == FieldToolInput && !isInput(v.Raw, textInput):
			bad(v, "an object", true)
		case v.Field == FieldRoots && kind != ordjson.Array:
			bad(v, "an array", false)
		}
	}
	if c.Event.IsTool() && !c.Gate && !named {
		ds.Add(CodeShape, "", "the payload names no tool").Event = c.Native
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

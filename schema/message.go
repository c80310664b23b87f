package schema

import (
	"slices"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Message is one message of a session's transcript, or the part on one line: agents spread a message over several
// lines.
type Message struct {
	Dialect string // the dialect that read it
	From    Speaker
	ID      string // the model's message id, the same on all its lines; "" if the transcript has none
	Time    string // RFC 3339, "" if the transcript has none
	Model   string
	Meta    bool   // written by the agent or a hook, not by the user
	Side    bool   // of a subagent's thread
	Stop    string // why the model stopped, on its last line: end_turn, tool_use, ...
	Usage   Usage
	Blocks  []Block
	// Outcome is the JSON value with a tool's result for programs, if an agent keeps one in addition to the model's
	// text; nil: none.
	Outcome []byte
}

// A Speaker is the author of a message. A tool's results are in the user's messages.
type Speaker uint8

const (
	User Speaker = iota
	Assistant
)

// Usage counts the tokens of the request that produced a message; Known is false if the transcript doesn't count them.
type Usage struct {
	Known                                bool
	Input, Output, CacheRead, CacheWrite int64
}

// A BlockKind is the kind of a message's part.
type BlockKind uint8

const (
	BlockOther    BlockKind = iota // Raw, in the agent's format: an image, a document
	BlockText                      // Text
	BlockThinking                  // Text
	BlockUse                       // Tool: a call of a tool
	BlockResult                    // Result of the call Tool.UseID
)

// A Block is a part of a message. JSON values are the original bytes and must not be changed.
type Block struct {
	Kind   BlockKind
	Text   []byte // JSON string
	Tool   Tool
	Result []byte // JSON: a string, or an array of content blocks
	Failed bool   // the result is an error
	Raw    []byte // JSON of the whole block
	Type   string // the agent's name for the block's type
}

// A Thread is the conversation to which messages are written. The writer counts Lines, so that ids derived from it are
// the same on every attempt.
type Thread struct {
	Session string
	Agent   string // id of the subagent whose thread it is, "" for the main one
	Cwd     string
	Model   string // for messages that don't name their own
	Version string // of the agent that reads the transcript
	Now     time.Time
	Lines   int // written so far
}

// At returns the time of a message that has none, in the form that all transcripts use. Its length is always the same,
// so that every line keeps its place in a new copy.
func (t *Thread) At(m *Message) string {
	if m.Time != "" {
		return m.Time
	}
	return t.Now.UTC().Format(TranscriptTime)
}

// TranscriptTime is the layout of times in transcripts.
const TranscriptTime = "2006-01-02T15:04:05.000Z"

// List returns the message as a list, nil if it has no blocks.
func (m Message) List() []Message {
	if len(m.Blocks) == 0 {
		return nil
	}
	return []Message{m}
}

// TextBlocks returns a JSON text as a list of one content block.
func TextBlocks(text []byte) []byte {
	w := ordjson.NewWriter([]byte{'['})
	w.String("type", "text")
	w.Raw("text", text)
	return append(w.Bytes(), ']')
}

// A textRule is whether a field must be text.
type textRule uint8

const (
	anyType    textRule = iota
	text                // in every agent that sends it
	textOrNull          // null if the agent has no value
)

// textRules are by field; fields after the last are anyType.
var textRules = [...]textRule{
	FieldToolName: text, FieldToolUseID: textOrNull, FieldCwd: text, FieldToolCwd: text, FieldSession: text,
	FieldCommand: text, FieldPath: text, FieldPrompt: text, FieldTranscript: textOrNull, FieldAgentType: textOrNull,
	FieldMode: textOrNull}

// allows reports whether the field may have a value of that kind.
func (f Field) allows(kind ordjson.Kind) bool {
	if int(f) >= len(textRules) || textRules[f] == anyType || kind == ordjson.StringKind {
		return true
	}
	return textRules[f] == textOrNull && kind == ordjson.Null
}

// CheckShape reports the fields of a payload whose type no agent sends. It needs c's event and values. usable is false
// if the payload doesn't identify the tool call: no hook could check it. With textInput, a tool's input may also be a
// text with JSON.
func CheckShape(c *Call, textInput bool) (ds Diagnostics, usable bool) {
	usable = true
	bad := func(v *Value, want string, essential bool) {
		ds.Add(CodeShape, ordjson.Pointer("", v.Name), v.Name+" is "+An(ordjson.KindOf(v.Raw).String())+", not "+
			want).Event = c.Native
		usable = usable && !essential
	}

	named := false
	for i := range c.Values {
		v := &c.Values[i]
		kind := ordjson.KindOf(v.Raw)
		named = named || v.Field == FieldToolName
		switch {
		case !v.Field.allows(kind):
			guarded := c.Gate && (v.Field == FieldCommand || v.Field == FieldPath)
			bad(v, "a string", c.Event.IsTool() && (v.Field == FieldToolName || guarded))
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

// required are the fields of a tool's input that a guard needs, by kind, in addition to a command. All are strings.
var required = [...][]Role{
	Read: {RolePath}, Write: {RolePath, RoleContent}, Edit: {RolePath, RoleOldText, RoleNewText},
	MultiEdit: {RolePath}, Delete: {RolePath}, Notebook: {RolePath, RoleCellSource}, Fetch: {RoleURL},
}

// CheckInput reports required fields of a tool's input that aren't strings. It needs the tool as the payload names it.
// readable is false if there are any. Clients convert numbers and booleans to text. Other values are passed unchanged
// to hooks, which may not understand them.
func CheckInput(c *Call) (ds Diagnostics, readable bool) {
	readable = true
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
		kind := ordjson.KindOf(a.Raw)
		essential := a.Role == RoleCommand || slices.Contains(needs, a.Role)
		if kind == ordjson.StringKind || !essential || a.Name == "" { // a payload field has no name
			continue
		}
		d := ds.Add(CodeOddInput, ordjson.Pointer(at, a.Name), a.Name+" in the tool's input is "+An(kind.String())+
			", not a string")
		d.Event = c.Native
		readable = false
		if kind != ordjson.Number && kind != ordjson.BoolKind {
			d.Severity = Weaker
		}
	}

	return ds, readable
}

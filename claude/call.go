package claude

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// payload is the order of the members (observed 2.1.328), and what stands for those
// that Claude Code always sends and another agent may lack.
var payload = []family.PayloadRow{
	{Field: schema.FieldSession, Stand: `""`},
	{Field: schema.FieldTranscript, Stand: `""`},
	{Field: schema.FieldCwd},
	{Field: schema.FieldTurn, Not: []schema.Event{schema.MessageDisplay}, OwnOnly: []schema.Event{schema.SessionStart}}, // only after the first prompt
	{Field: schema.FieldMode, Only: modeEvents, Stand: `"default"`},
	{Field: schema.FieldAgentID}, {Field: schema.FieldAgentType}, {Field: schema.FieldEffort},
	{Field: schema.FieldEvent},
	{Field: schema.FieldToolName, Tool: true},
	{Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}},
	{Field: schema.FieldToolUseID, Tool: true},
	{Field: schema.FieldServer, Tool: true},
	{Late: true, Field: schema.FieldSource, Only: []schema.Event{schema.SessionStart}, Stand: `"startup"`},
	{Late: true, Field: schema.FieldReason, Only: []schema.Event{schema.SessionEnd}, Stand: `"other"`},
	{Late: true, Field: schema.FieldError, Only: []schema.Event{schema.StopFailure}, Stand: `"unknown"`},
	{Late: true, Field: schema.FieldError, Stand: `""`},
	{Late: true, Field: schema.FieldStopActive, Stand: "false"},
	{Late: true, Field: schema.FieldInterrupted, Stand: "false"},
	{Late: true, Field: schema.FieldTrigger, Stand: `"auto"`},
	{Late: true, Field: schema.FieldInstructions, Stand: `""`},
	{Late: true, Field: schema.FieldPrompt, Stand: `""`},
}

var renames = []family.Rename{{Field: schema.FieldTurn, Event: schema.MessageDisplay, Name: "turn_id"}}

// results are the shapes of tool_response (observed 2.1.328).
var results = []family.ResultShape{
	{Kinds: []schema.Kind{schema.Shell, schema.Delete}, Members: []family.ResultMember{
		{Name: "stdout", Role: schema.RoleStdout, Stand: `""`, Form: family.NoLineEnd}, {Name: "stderr", Role: schema.RoleStderr, Stand: `""`},
		{Name: "interrupted", Role: schema.RoleInterrupted, Stand: "false"}, {Name: "isImage", Stand: "false"}, {Name: "noOutputExpected", Stand: "false"}}},
	{Kinds: []schema.Kind{schema.Read}, Members: []family.ResultMember{
		{Name: "type", Stand: `"text"`}, {Name: "file", Role: schema.RoleContent, Stand: `""`, Form: family.FileObject}}},
	{Kinds: []schema.Kind{schema.Write}, Members: []family.ResultMember{
		{Name: "type", Form: family.Written}, {Name: "filePath", Role: schema.RolePath, Stand: `""`}, {Name: "content", Role: schema.RoleContent, Stand: `""`},
		{Name: "structuredPatch", Stand: "[]"}, {Name: "originalFile", Role: schema.RoleOriginal, Stand: "null"}, {Name: "userModified", Stand: "false"}}},
	{Kinds: []schema.Kind{schema.Edit}, Members: []family.ResultMember{
		{Name: "filePath", Role: schema.RolePath, Stand: `""`}, {Name: "oldString", Role: schema.RoleOldText, Stand: `""`}, {Name: "newString", Role: schema.RoleNewText, Stand: `""`},
		{Name: "originalFile", Role: schema.RoleOriginal, Stand: "null"}, {Name: "structuredPatch", Stand: "[]"}, {Name: "userModified", Stand: "false"},
		{Name: "replaceAll", Role: schema.RoleReplaceAll, Stand: "false"}}},
	{Kinds: []schema.Kind{schema.MultiEdit}, Members: []family.ResultMember{
		{Name: "filePath", Role: schema.RolePath, Stand: `""`}, {Name: "edits", Role: schema.RoleEdits, Stand: "[]", Form: family.EditList},
		{Name: "originalFile", Role: schema.RoleOriginal, Stand: "null"}, {Name: "structuredPatch", Stand: "[]"}, {Name: "userModified", Stand: "false"},
		{Name: "replaceAll", Role: schema.RoleReplaceAll, Stand: "false"}}},
}

// read takes over what one name means on different events, and what only the
// environment says.
func read(_ *family.Agent, c *schema.Call, o ordjson.Object, env schema.Environ) {
	c.Remote = env.Get(remoteVariable)
	c.Version = cmp.Or(c.Version, versionIn(env))
	turn, extra := "prompt_id", "turn_id"
	if c.Event == schema.MessageDisplay {
		turn, extra = extra, turn
	}
	for i := range c.Values {
		if c.Values[i].Field == schema.FieldSource && c.Event == schema.PromptSubmit {
			c.Values[i].Field = schema.FieldPromptSource
		}
	}
	if raw, ok := o.Get(extra); ok {
		c.Extra.Take(turn)
		c.Extra.Take(extra)
		c.Extra = append(c.Extra, ordjson.Member{Name: extra, Value: raw})
		c.Values = slices.DeleteFunc(c.Values, func(v schema.Value) bool { return v.Field == schema.FieldTurn })
		if raw, ok := o.Get(turn); ok {
			c.Set(schema.FieldTurn, raw)
		}
	}
}

// nameServer takes the server from the payload's own member: the end of the server's
// name isn't visible in the tool's name.
func nameServer(c *schema.Call) {
	o, err := ordjson.Members(c.Get(schema.FieldServer), 0)
	if c.Tool.Kind() != schema.MCP || err != nil {
		return
	}
	server, _ := o.Text("name")
	if rest, ok := cutServer(c.Str(schema.FieldToolName), server); ok {
		c.Tool.Server, c.Tool.Name = server, rest
	}
}

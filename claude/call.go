package claude

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// payload is the order of the fields (observed 2.1.328), with defaults for fields that Claude Code always sends and
// another agent may lack.
var payload = []family.PayloadRow{
	{Field: schema.FieldSession, Default: `""`},
	{Field: schema.FieldTranscript, Default: `""`},
	{Field: schema.FieldCwd},
	// only after the first prompt
	{Field: schema.FieldTurn, Not: []schema.Event{schema.MessageDisplay}, OwnOnly: []schema.Event{schema.SessionStart}},
	{Field: schema.FieldMode, Only: modeEvents, Default: `"default"`},
	{Field: schema.FieldAgentID}, {Field: schema.FieldAgentType}, {Field: schema.FieldEffort},
	{Field: schema.FieldEvent},
	{Field: schema.FieldToolName, Tool: true},
	{Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}},
	{Field: schema.FieldToolUseID, Tool: true},
	{Field: schema.FieldServer, Tool: true},
	{Late: true, Field: schema.FieldSource, Only: []schema.Event{schema.SessionStart}, Default: `"startup"`},
	{Late: true, Field: schema.FieldReason, Only: []schema.Event{schema.SessionEnd}, Default: `"other"`},
	{Late: true, Field: schema.FieldError, Only: []schema.Event{schema.StopFailure}, Default: `"unknown"`},
	{Late: true, Field: schema.FieldError, Default: `""`},
	{Late: true, Field: schema.FieldStopActive, Default: "false"},
	{Late: true, Field: schema.FieldAgentTranscript, Default: `""`},
	{Late: true, Field: schema.FieldInterrupted, Default: "false"},
	{Late: true, Field: schema.FieldTrigger, Default: `"auto"`},
	{Late: true, Field: schema.FieldInstructions, Default: `""`},
	{Late: true, Field: schema.FieldPrompt, Default: `""`},
}

var renames = []family.Rename{{Field: schema.FieldTurn, Event: schema.MessageDisplay, Name: "turn_id"}}

// results are the shapes of tool_response (observed 2.1.328).
var results = []family.ResultShape{
	{Kinds: []schema.Kind{schema.Shell, schema.Delete}, Members: []family.ResultMember{
		{Name: "stdout", Role: schema.RoleStdout, Default: `""`, Form: family.NoLineEnd},
		{Name: "stderr", Role: schema.RoleStderr, Default: `""`},
		{Name: "interrupted", Role: schema.RoleInterrupted, Default: "false"}, {Name: "isImage", Default: "false"},
		{Name: "noOutputExpected", Default: "false"}}},
	{Kinds: []schema.Kind{schema.Read}, Members: []family.ResultMember{
		{Name: "type", Default: `"text"`},
		{Name: "file", Role: schema.RoleContent, Default: `""`, Form: family.FileObject}}},
	{Kinds: []schema.Kind{schema.Write}, Members: []family.ResultMember{
		{Name: "type", Form: family.Written}, {Name: "filePath", Role: schema.RolePath, Default: `""`},
		{Name: "content", Role: schema.RoleContent, Default: `""`},
		{Name: "structuredPatch", Default: "[]"}, {Name: "originalFile", Role: schema.RoleOriginal, Default: "null"},
		{Name: "userModified", Default: "false"}}},
	{Kinds: []schema.Kind{schema.Edit}, Members: []family.ResultMember{
		{Name: "filePath", Role: schema.RolePath, Default: `""`},
		{Name: "oldString", Role: schema.RoleOldText, Default: `""`},
		{Name: "newString", Role: schema.RoleNewText, Default: `""`},
		{Name: "originalFile", Role: schema.RoleOriginal, Default: "null"}, {Name: "structuredPatch", Default: "[]"},
		{Name: "userModified", Default: "false"},
		{Name: "replaceAll", Role: schema.RoleReplaceAll, Default: "false"}}},
	{Kinds: []schema.Kind{schema.MultiEdit}, Members: []family.ResultMember{
		{Name: "filePath", Role: schema.RolePath, Default: `""`},
		{Name: "edits", Role: schema.RoleEdits, Default: "[]", Form: family.EditList},
		{Name: "originalFile", Role: schema.RoleOriginal, Default: "null"}, {Name: "structuredPatch", Default: "[]"},
		{Name: "userModified", Default: "false"},
		{Name: "replaceAll", Role: schema.RoleReplaceAll, Default: "false"}}},
}

// timedOut is the start of the error of a command that timed out (observed 2.1.328).
const timedOut = "Exit code 143\nCommand timed out after "

// read handles names that have different meanings on different events.
func read(_ *family.Agent, c *schema.Call, o ordjson.Object, _ schema.Environ) {
	if c.Event == schema.PreSkillCommand { // guards of other agents see the command like any other
		c.Event = schema.PreTool
	}
	turn, extra := "prompt_id", "turn_id"
	if c.Event == schema.MessageDisplay {
		turn, extra = extra, turn
	}
	for i := range c.Values {
		if c.Values[i].Field == schema.FieldSource && c.Event == schema.PromptSubmit {
			c.Values[i].Field = schema.FieldPromptSource
		}
	}
	if c.Event == schema.PostToolFailure && strings.HasPrefix(c.Str(schema.FieldError), timedOut) {
		c.SetStr(schema.FieldFailure, "timeout")
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

// nameServer reads the server from the payload's own field: in the tool's name, the end of the server's name isn't
// visible.
func nameServer(a *family.Agent, c *schema.Call) {
	o, err := ordjson.Members(c.Get(schema.FieldServer), 0)
	if c.Tool.Kind() != schema.MCP || err != nil {
		return
	}
	server, _ := o.Text("name")
	if rest, ok := cutServer(a, c.Str(schema.FieldToolName), server); ok {
		c.Tool.Server, c.Tool.Name = server, rest
	}
}

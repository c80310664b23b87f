package antigravity

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

const since = schema.AtMost + known // no report dates the features

// The events, which payloads don't name.
const (
	preTool  = "PreToolUse"
	postTool = "PostToolUse"
	preTurn  = "PreInvocation"
	postTurn = "PostInvocation"
	stopped  = "Stop"
)

// events are all five. Each source is a report of a run, except docs.
var events = []schema.EventRow{
	{Native: preTool, Event: schema.PreTool, Match: schema.MatchTool, Blocks: schema.EffectDeny, Since: since,
		Honors: schema.EffectAllow | schema.EffectDeny | schema.EffectAsk | schema.EffectReason,
		// whether allow approves isn't known: it did in 1.2.3 (nodeterm#798), and not in 1.2.7 (antigravity-cli#1053)
		Source: "reported for 1.1.2 (safe-chains), 1.1.21 (plur#1033), 1.2.3 (nodeterm#798)"},
	{Native: postTool, Event: schema.PostTool, Match: schema.MatchTool, Since: since,
		Source: "reported for 1.1.5 (Rosetta), 1.1.x (ai-tc#187), with and without toolCall: nothing is read"},
	{Native: preTurn, Event: schema.SessionStart, Also: []schema.Event{schema.PreModel}, Since: since,
		Honors: schema.EffectContext, Source: "reported for 1.1.21 (plur#1033)"},
	{Native: postTurn, Event: schema.PostModel, Since: since, Source: "docs, as others quote them"},
	{Native: stopped, Event: schema.Stop, Fields: []schema.Field{schema.FieldReason, schema.FieldError}, Since: since,
		Honors: schema.EffectKeepGoing, Blocks: schema.EffectKeepGoing, Source: "reported for 1.1.5 (Rosetta)"},
}

// actions are the events of a call.
var actions = []dialect.Sequence{{Action: schema.PreTool, Events: []string{preTool, dialect.ToolRuns, postTool},
	Source: "reported for 1.1.5 (Rosetta)"}}

// fields are the names of payload fields; those in an object have its name and a dot as their prefix. The event is
// hookbridge's own field: the command of the entry names it.
var fields = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: eventField, Field: schema.FieldEvent}, {Name: "conversationId", Field: schema.FieldSession},
	{Name: "workspacePaths", Field: schema.FieldRoots}, {Name: "transcriptPath", Field: schema.FieldTranscript},
	{Name: "modelName", Field: schema.FieldModel}, {Name: toolField + ".name", Field: schema.FieldToolName},
	{Name: toolField + ".args", Field: schema.FieldToolInput}, {Name: "error", Field: schema.FieldError,
		On: []schema.Event{schema.Stop}},
	{Name: "terminationReason", Field: schema.FieldReason},
}}

const (
	eventField = "event"
	toolField  = "toolCall"
	turnField  = "invocationNum"
)

// payload is the order of the fields, with defaults for fields that another agent may lack.
var payload = []family.PayloadRow{
	{Field: schema.FieldToolName, Tool: true}, {Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldSession, Default: `""`}, {Field: schema.FieldRoots, Default: `[]`},
	{Field: schema.FieldTranscript, Default: `""`}, {Field: schema.FieldModel, Default: `""`},
	{Late: true, Field: schema.FieldReason, Default: `""`},
}

// more writes fields that other agents' payloads lack.
func more(w *ordjson.Writer, c *schema.Call, v schema.View) {
	switch {
	case c.Event.IsTool():
		if w.Int("stepIdx", 0); c.Event != schema.PreTool {
			w.String("error", "")
		}
	case v.Event == preTurn, v.Event == postTurn:
		turn := int64(0)
		if c.Event == schema.PreModel {
			turn = 1
		}
		w.Int(turnField, turn)
		if v.Event == preTurn {
			w.Int("initialNumSteps", 0)
		}
	case v.Event == stopped:
		w.Int("executionNum", 0)
		w.Bool("fullyIdle", true)
	}
}

const (
	oldText = "TargetContent"
	newText = "ReplacementContent"
)

// tools have the arguments of a report (Rosetta, 1.1.5).
var tools = []schema.ToolRow{
	{Name: "run_command", Kinds: []schema.Kind{schema.Shell}, Parts: []schema.Kind{schema.Delete},
		Input: []schema.ArgRow{{Name: "CommandLine", Role: schema.RoleCommand}, {Name: "Cwd", Role: schema.RoleCwd}}},
	{Name: "view_file", Kinds: []schema.Kind{schema.Read},
		Input: []schema.ArgRow{{Name: "AbsolutePath", Role: schema.RolePath}}},
	{Name: "write_to_file", Kinds: []schema.Kind{schema.Write, schema.Notebook},
		Input: []schema.ArgRow{{Name: targetFile, Role: schema.RolePath}, {Name: "CodeContent",
			Role: schema.RoleContent}}},
	{Name: "replace_file_content", Kinds: []schema.Kind{schema.Edit, schema.Notebook},
		Input: []schema.ArgRow{{Name: targetFile, Role: schema.RolePath}, {Name: oldText, Role: schema.RoleOldText},
			{Name: newText, Role: schema.RoleNewText}}},
	{Name: "multi_replace_file_content", Kinds: []schema.Kind{schema.MultiEdit, schema.Edit, schema.Notebook},
		Input: []schema.ArgRow{{Name: targetFile, Role: schema.RolePath}, {Name: "ReplacementChunks",
			Role: schema.RoleEdits}}},
	// No report has the arguments of these (skillsaw#591, uxnan#245, Rosetta): what they do is in their names.
	{Name: "list_dir", Aliases: []string{"list_directory"}, Kinds: []schema.Kind{schema.List}},
	{Name: "grep_search", Kinds: []schema.Kind{schema.Grep}},
	{Name: "find_by_name", Kinds: []schema.Kind{schema.Glob}},
	{Name: "search_web", Kinds: []schema.Kind{schema.WebSearch}},
}

const targetFile = "TargetFile"

// plainTools are tools without a row (skillsaw#591, uxnan#245, Rosetta).
var plainTools = []string{"ask_question", "start_subagent"}

package codebuddy

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	since      = schema.AtMost + "2.117.0" // no older version was tried
	seen       = "observed 2.117.0"
	fromSource = "package 2.117.0"
	refuse     = schema.EffectDeny | schema.EffectReason
	starts     = schema.EffectContext | schema.EffectWatchPaths | schema.EffectNotice
)

// failing are the tools whose failures are results (observed 2.117.0, Other for DeferExecuteTool).
var failing = []schema.Kind{schema.Shell, schema.Read, schema.Other}

// events are those that the client raises: ConfigChange, Elicitation and others exist in name only. Matchers count for
// five of them.
var events = []schema.EventRow{
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool, Allow: schema.AllowApproves,
		Honors: schema.EffectAllow | schema.EffectAsk | refuse | schema.EffectInput | schema.EffectNotice,
		Blocks: schema.EffectDeny, More: schema.Deferred,
		Since: since, Source: seen + ": continue false is a denial, an allow lifts the denials before it"},
	{Native: "PermissionRequest", Event: schema.PermissionRequest, Fields: []schema.Field{schema.FieldSuggestions},
		Asked: true, Allow: schema.AllowApproves,
		Honors: schema.EffectAllow | refuse | schema.EffectInput | schema.EffectNotice, Since: since,
		Source: fromSource},
	{Native: "PermissionDenied", Event: schema.PermissionDenied, Fields: []schema.Field{schema.FieldReason},
		Only: schema.ByMode, Since: since, Source: seen},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool,
		Also: []schema.Event{schema.PostToolFailure}, AlsoFor: failing,
		Honors: schema.EffectContext | schema.EffectNotice, Since: since,
		Source: seen + ": a block and exit code 2 do nothing; also for commands that fail"},
	{Native: "PostToolUseFailure", Event: schema.PostToolFailure, Never: []schema.Kind{schema.Shell, schema.Read},
		Fields: []schema.Field{schema.FieldError, schema.FieldInterrupted},
		Honors: schema.EffectContext | schema.EffectNotice, Since: since, Source: seen + ": the matcher is ignored"},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, Fields: []schema.Field{schema.FieldPrompt},
		Honors: refuse | schema.EffectContext | schema.EffectNotice, Blocks: schema.EffectDeny,
		Text: schema.EffectContext, Since: since, Source: seen},
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchField, MatchField: schema.FieldSource,
		Fields: []schema.Field{schema.FieldSource},
		Honors: starts | schema.EffectInitialPrompt, Text: schema.EffectContext, Beside: true, Since: since,
		Source: seen + ": the prompt's hooks run at the same time, and the model waits for both"},
	{Native: "Setup", Event: schema.Setup, Fields: []schema.Field{schema.FieldTrigger}, Honors: starts,
		Text: schema.EffectContext, More: schema.EachSession,
		Since: since, Source: seen},
	{Native: "SessionEnd", Event: schema.SessionEnd, Match: schema.MatchField, MatchField: schema.FieldReason,
		Fields: []schema.Field{schema.FieldReason},
		Since:  since, Source: "docs 2.117.0"},
	{Native: "Stop", Event: schema.Stop, Fields: stopped, Honors: schema.EffectKeepGoing | schema.EffectNotice,
		Blocks: schema.EffectKeepGoing,
		Since:  since,
		Source: fromSource + ": continue false sends the agent on"},
	{Native: "FinalStop", Event: schema.Stop, Fields: []schema.Field{schema.FieldFinalStatus}, Since: since,
		Source: seen + ": after Stop, whatever its hooks said; nothing is honored"},
	{Native: "SubagentStart", Event: schema.SubagentStart, Since: since, Source: fromSource},
	{Native: "SubagentStop", Event: schema.SubagentStop, Fields: []schema.Field{schema.FieldAgentTranscript,
		schema.FieldStopActive, schema.FieldLastMessage},
		Honors: schema.EffectKeepGoing | schema.EffectNotice, Blocks: schema.EffectKeepGoing, Since: since,
		Source: fromSource},
	{Native: "Notification", Event: schema.Notification, Match: schema.MatchField,
		MatchField: schema.FieldNotificationType,
		Fields:     []schema.Field{schema.FieldMessage, schema.FieldNotificationType, schema.FieldTitle}, Since: since,
		Source: seen},
	{Native: "PreCompact", Event: schema.PreCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldInstructions}, Honors: schema.EffectContext,
		Text:  schema.EffectContext,
		Since: since, Source: fromSource + ": text is appended to the instructions, nothing blocks"},
	{Native: "PostCompact", Event: schema.PostCompact, Fields: []schema.Field{schema.FieldTrigger,
		schema.FieldCompactSummary}, Since: since, Source: fromSource},
	{Native: "InstructionsLoaded", Event: schema.InstructionsLoaded, Fields: []schema.Field{schema.FieldPath,
		schema.FieldMemoryType, schema.FieldLoadReason}, Since: since, Source: seen + ": the matcher is ignored"},
	{Native: "CwdChanged", Event: schema.CwdChanged, Fields: []schema.Field{schema.FieldOldCwd, schema.FieldNewCwd},
		Since: since, Source: fromSource},
	{Native: "FileChanged", Event: schema.FileChanged, Fields: []schema.Field{schema.FieldPath,
		schema.FieldFileEvent}, Since: since, Source: fromSource},
	{Native: "TaskCreated", Event: schema.TaskCreated, Fields: task, Since: since, Source: fromSource},
	{Native: "TaskCompleted", Event: schema.TaskCompleted, Fields: task, Since: since, Source: fromSource},
	{Native: "TeammateIdle", Event: schema.TeammateIdle, Fields: []schema.Field{schema.FieldTeammate,
		schema.FieldTeam}, Since: since, Source: fromSource},
}

var (
	stopped = []schema.Field{schema.FieldStopActive, schema.FieldLastMessage, schema.FieldBackgroundTasks,
		schema.FieldCrons}
	task = []schema.Field{schema.FieldTaskID, schema.FieldTaskSubject, schema.FieldTaskDescription,
		schema.FieldTeammate, schema.FieldTeam}
)

var actions = []dialect.Sequence{{Action: schema.PreTool, Source: seen,
	Events: []string{"PreToolUse", "PermissionRequest", dialect.ToolRuns, "PostToolUse"}}}

var members = schema.MemberTable{Shared: &family.AllFields, Rows: []schema.MemberRow{
	{Name: "final_stop_reason", Field: schema.FieldFinalStatus},
	{Name: "background_tasks", Field: schema.FieldBackgroundTasks}, {Name: "session_crons", Field: schema.FieldCrons},
}}

// payload is the order of the fields (observed 2.117.0), with defaults for those that the client always sends.
var payload = []family.PayloadRow{
	{Field: schema.FieldSession, Default: `""`}, {Field: schema.FieldTranscript, Default: `""`},
	{Field: schema.FieldCwd, Not: []schema.Event{schema.SessionStart}}, {Field: schema.FieldEvent},
	{Field: schema.FieldToolName, Tool: true}, {Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}}, {Field: schema.FieldToolUseID,
		Tool: true},
	{Field: schema.FieldAgentType}, {Field: schema.FieldAgentID}, {Field: schema.FieldMode, Default: `"default"`},
	{Field: schema.FieldModel},
	{Late: true, Field: schema.FieldSource, Only: []schema.Event{schema.SessionStart}, Default: `"startup"`},
	{Late: true, Field: schema.FieldReason, Only: []schema.Event{schema.SessionEnd}, Default: `"other"`},
	{Late: true, Field: schema.FieldError, Default: `""`}, {Late: true, Field: schema.FieldStopActive,
		Default: "false"},
	{Late: true, Field: schema.FieldInterrupted, Default: "false"}, {Late: true, Field: schema.FieldTrigger,
		Default: `"auto"`},
	{Late: true, Field: schema.FieldPrompt, Default: `""`}, {Late: true, Field: schema.FieldMessage, Default: `""`},
}

// plainTools are tools without a row (names in the package of 2.117.0). DeferExecuteTool calls a deferred tool, which
// hooks then see as a separate call.
var plainTools = []string{"KillShell", "TodoWrite", "SaveMemory", "TaskOutput", "TaskCreate", "TaskGet",
	"TaskUpdate", "TaskList",
	"TaskStop", "EnterPlanMode", "ExitPlanMode", "Skill", "AskUserQuestion", "LSP", "ToolSearch", "DeferExecuteTool",
	"SendMessage",
	"EnterWorktree", "LeaveWorktree", "CronCreate", "CronDelete", "CronList", "WaitForMcpServers"}

// tools returns Claude Code's tools that the client also has, under one name each.
func tools(of []schema.ToolRow) (out []schema.ToolRow) {
	for _, t := range of {
		if t.Kinds == nil {
			continue
		}
		if t.Aliases, t.Before, t.Output, t.More = nil, nil, nil, nil; t.Kinds[0] == schema.Shell {
			t.Output = shellOutput
		} else if t.Kinds[0] != schema.Glob {
			t.Path = located
		}
		out = append(out, t)
	}
	return out
}

// located is how tools read a path; Glob takes it unchanged (observed 2.117.0, package).
var located = schema.PathRules{Scheme: true, Home: true, Slash: true, Whole: true, Prefix: "@",
	Links: schema.WholeLinks}

// A command's result doesn't include its output, unless it failed (observed 2.117.0).
var shellOutput = []schema.ArgRow{{Name: "exitCode", Role: schema.RoleExitCode}, {Name: "interrupted",
	Role: schema.RoleInterrupted},
	{Name: "is_error", Role: schema.RoleIsError}}

package opencode

import (
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	name = "opencode"
	kilo = "kilo"
	seen = "observed 1.18.33"
	// since is the first version whose plugins have all of these hooks (a guess; none older was tried).
	since = "1.0"
)

// profile holds the constants of OpenCode (observed 1.18.33, where no other source is
// named) and of the plugin.
var profile = dialect.Profile{
	Name: name, Title: "OpenCode", Known: []string{"1.18.33"}, Events: events, Actions: &actions,
	Tools: tools, HostOnly: "OpenCode runs JavaScript plugins and has no command hooks",
	Programs: []dialect.Program{{Name: "cli", Version: "1.18.33"}, {Name: kilo, FullName: kilo, Version: "7.7.9"}},
	MCP:      dialect.MCPNames{Between: "_", NameRules: schema.NameRules{Else: '_', Kept: "-"}, Loose: true},
	Grammar:  schema.GrammarNamesOnly, Vocabularies: words,
	Files: dialect.Files{
		Skeleton: `{"hooks":{}}`, EventsAt: "/hooks", Folders: []string{".kilo"},
		Members: []dialect.HookMember{{Feature: schema.HookTimeout, Name: "timeout"},
			{Feature: schema.HookFailPolicy, Name: "failClosed"}, {Feature: schema.HookArgs, Name: "args"}},
	},
	Payloads: dialect.Payloads{
		Fields: &members, Marks: []dialect.Mark{{Sure: 8, Members: []string{"worktree"}}},
	},
	Answers: dialect.Answers{
		StopBlocks: 8, LoopLimit: -1,
	},
	Timing: dialect.Timing{
		Timeouts:       []dialect.TimeoutRow{{Default: 600 * time.Second}},
		LongestTimeout: dialect.LongestTimer, // of the plugin
	},
	Environment: dialect.Environment{
		EnvFile:       dialect.EnvFile{Usable: true}, // variables reach the commands of the model
		HostVariables: dialect.Variables{"OPENCODE", "OPENCODE_PID", "KILO", "KILO_PID", "KILOCODE_VERSION"},
	},
}

const (
	notice = schema.EffectNotice
	refuse = schema.EffectDeny | schema.EffectReason
)

// events are those that the plugin passes on.
var events = []schema.EventRow{
	{Native: "SessionStart", Event: schema.SessionStart, Match: schema.MatchField, MatchField: schema.FieldSource,
		Fields: []schema.Field{schema.FieldSource},
		Honors: schema.EffectContext | schema.EffectEnv | notice, Since: since,
		Source: seen + ": session.created, the first prompt of an older session, session.compacted"},
	{Native: "UserPromptSubmit", Event: schema.PromptSubmit, Fields: []schema.Field{schema.FieldPrompt},
		Honors: refuse | schema.EffectContext | schema.EffectEndTurn | notice, Blocks: schema.EffectDeny, Since: since,
		Source: seen + ": chat.message; the reason is a toast"},
	{Native: "PreToolUse", Event: schema.PreTool, Match: schema.MatchTool, EndDenies: true, Allow: schema.AllowApproves,
		Honors: schema.EffectAllow | refuse | schema.EffectInput | schema.EffectContext | schema.EffectEndTurn | notice,
		Blocks: schema.EffectDeny,
		Since:  since, Source: seen +
			": tool.execute.before, where nothing makes the client ask; context comes with the result"},
	{Native: "PermissionRequest", Event: schema.PermissionRequest, Match: schema.MatchTool, Asked: true,
		Allow:  schema.AllowApproves,
		Honors: schema.EffectAllow | refuse | notice, Blocks: schema.EffectDeny, Since: since,
		Source: seen + ": permission.asked; `opencode run` rejects first"},
	{Native: "PostToolUse", Event: schema.PostTool, Match: schema.MatchTool,
		Also: []schema.Event{schema.PostToolFailure}, AlsoFor: []schema.Kind{schema.Shell},
		Honors: schema.EffectOutput | schema.EffectFeedback | schema.EffectContext | schema.EffectEndTurn | notice,
		Blocks: schema.EffectFeedback,
		Since:  since, Source: seen + ": tool.execute.after, also of a command that failed"},
	{Native: "PostToolUseFailure", Event: schema.PostToolFailure, Match: schema.MatchTool,
		Fields: []schema.Field{schema.FieldError},
		Honors: schema.EffectFeedback | schema.EffectContext | notice, Blocks: schema.EffectFeedback, Since: since,
		Source: seen + ": message.part.updated"},
	{Native: "SubagentStart", Event: schema.SubagentStart, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldPrompt},
		Honors: refuse | schema.EffectContext | notice, Blocks: schema.EffectDeny, Since: since,
		Source: seen + ": chat.message of a child session"},
	{Native: "SubagentStop", Event: schema.SubagentStop, Match: schema.MatchField, MatchField: schema.FieldAgentType,
		Fields: []schema.Field{schema.FieldLastMessage}, Honors: schema.EffectFeedback | schema.EffectContext | notice,
		Blocks: schema.EffectFeedback,
		Since:  since, Source: seen + ": tool.execute.after of task, when the sub-agent has ended"},
	{Native: "Stop", Event: schema.Stop, Fields: []schema.Field{schema.FieldStopActive, schema.FieldLastMessage},
		Honors: schema.EffectKeepGoing | schema.EffectEndTurn | notice, Blocks: schema.EffectKeepGoing,
		Since: since, Source: seen + ": session.idle; `opencode run` ends there"},
	{Native: "PreCompact", Event: schema.PreCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger, schema.FieldInstructions},
		Honors: refuse | schema.EffectContext | notice, Blocks: schema.EffectDeny, Since: since,
		Source: seen + ": experimental.session.compacting"},
	{Native: "PostCompact", Event: schema.PostCompact, Match: schema.MatchField, MatchField: schema.FieldTrigger,
		Fields: []schema.Field{schema.FieldTrigger},
		Honors: notice, Since: since, Source: seen + ": session.compacted"},
	{Native: "Notification", Event: schema.Notification, Match: schema.MatchField,
		MatchField: schema.FieldNotificationType,
		Fields:     []schema.Field{schema.FieldNotificationType, schema.FieldMessage}, Honors: notice, Since: since,
		Source: seen + ": a permission dialog that no hook answered"},
	{Native: "SessionEnd", Event: schema.SessionEnd, Match: schema.MatchField, MatchField: schema.FieldReason,
		Fields: []schema.Field{schema.FieldReason},
		Since:  since, Source: seen + ": dispose, session.deleted"},
}

// actions are the events of a call.
var actions = []dialect.Sequence{
	{Action: schema.PreTool, Source: seen, Events: []string{"PreToolUse", "PermissionRequest", "Notification",
		dialect.ToolRuns, "PostToolUse"}},
}

// members names the members of the payload; worktree, patterns, metadata and permission
// have no counterpart elsewhere.
var members = schema.MemberTable{Shared: &family.AllFields}

// payload is the order of the members.
var payload = []family.PayloadRow{
	{Field: schema.FieldSession, Default: `""`}, {Field: schema.FieldCwd}, {Field: schema.FieldEvent},
	{Field: schema.FieldAgentID}, {Field: schema.FieldAgentType},
	{Field: schema.FieldToolName, Tool: true}, {Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolUseID, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}},
	{Late: true, Field: schema.FieldSource, Default: `"startup"`},
	{Late: true, Field: schema.FieldReason, Default: `"other"`},
	{Late: true, Field: schema.FieldTrigger, Default: `"auto"`},
	{Late: true, Field: schema.FieldInstructions, Default: `""`},
	{Late: true, Field: schema.FieldStopActive, Default: "false"},
	{Late: true, Field: schema.FieldLastMessage, Default: `""`},
	{Late: true, Field: schema.FieldPrompt, Default: `""`}, {Late: true, Field: schema.FieldError, Default: `""`},
	{Late: true, Field: schema.FieldNotificationType, Default: `"permission_prompt"`},
	{Late: true, Field: schema.FieldMessage, Default: `""`},
}

const (
	shellTool = "bash"
	patchTool = "apply_patch"
)

const all = family.AllRoles

// deletes: there is no tool that deletes files, so the model uses commands.
var deletes = []schema.Kind{schema.Delete}

// tools names the tools and the members of their input. A model of the GPT family gets
// apply_patch in place of edit and write.
var tools = []schema.ToolRow{
	{Name: shellTool, Kinds: []schema.Kind{schema.Shell}, Replaces: all, Parts: deletes,
		Input: []schema.ArgRow{{Name: "command", Role: schema.RoleCommand},
			{Name: "description", Role: schema.RoleDescription}, {Name: "workdir", Role: schema.RoleCwd},
			{Name: "timeout", Role: schema.RoleTimeout}}},
	{Name: "read", Kinds: []schema.Kind{schema.Read}, Replaces: all,
		Input: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath},
			{Name: "offset", Role: schema.RoleOffset}, {Name: "limit", Role: schema.RoleLimit}}},
	{Name: "write", Kinds: []schema.Kind{schema.Write}, Replaces: all,
		Input: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath}, {Name: "content", Role: schema.RoleContent}}},
	{Name: "edit", Kinds: []schema.Kind{schema.Edit}, Replaces: all,
		Input: []schema.ArgRow{{Name: "filePath", Role: schema.RolePath},
			{Name: "oldString", Role: schema.RoleOldText}, {Name: "newString", Role: schema.RoleNewText},
			{Name: "replaceAll", Role: schema.RoleReplaceAll}}},
	{Name: patchTool, Kinds: []schema.Kind{schema.Edit, schema.Write}, Parts: deletes, Replaces: all,
		Input: []schema.ArgRow{{Name: "patchText", Role: schema.RoleCommand}}},
	{Name: "grep", Kinds: []schema.Kind{schema.Grep}, Replaces: all,
		Input: []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern},
			{Name: "path", Role: schema.RolePath}, {Name: "include", Role: schema.RoleGlob}}},
	{Name: "glob", Kinds: []schema.Kind{schema.Glob}, Replaces: all,
		Input: []schema.ArgRow{{Name: "pattern", Role: schema.RoleGlob}, {Name: "path", Role: schema.RolePath}}},
	{Name: "webfetch", Kinds: []schema.Kind{schema.Fetch}, Replaces: all,
		Input: []schema.ArgRow{{Name: "url", Role: schema.RoleURL}}},
	{Name: "websearch", Kinds: []schema.Kind{schema.WebSearch}, Replaces: all,
		Input: []schema.ArgRow{{Name: "query", Role: schema.RoleQuery}}},
	{Name: "task", Kinds: []schema.Kind{schema.Agent}, Replaces: all,
		Input: []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt},
			{Name: "description", Role: schema.RoleDescription},
			{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}}},
	{Name: "todowrite"}, {Name: "skill"}, {Name: "question"}, {Name: "lsp"}, {Name: "plan_exit"},
	// Kilo's own, whose names could be those of MCP tools (package 7.7.9).
	{Name: "background_process"}, {Name: "board_post"}, {Name: "board_read"}, {Name: "cron_create"},
	{Name: "cron_delete"}, {Name: "cron_list"},
	{Name: "schedule_wakeup"}, {Name: "cancel_wakeup"}, {Name: "link_pr"}, {Name: "notify_user"}, {Name: "send_file"},
	{Name: "browser_open"},
	{Name: "kilo_local_recall"}, {Name: "agent_manager"},
}

// words are the closed vocabularies. Nearest and WriteOnly say what the plugin would call
// things that only other agents know.
var words = schema.Vocabularies{
	{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
		{Native: "startup", Nearest: []string{"new", "clear"}}, {Native: "resume", Nearest: []string{"fork"}},
		{Native: "compact"}}},
	{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
		{Native: "clear"},
		{Native: "other", Nearest: []string{"prompt-exit", "completed", "window-close", "user-close", "aborted",
			"error", "bypass-disabled", "timeout", "logout", "resume"}}}},
	{Field: schema.FieldTrigger, Events: []schema.Event{schema.PreCompact, schema.PostCompact},
		Words: []schema.Word{{Native: "manual"}, {Native: "auto"}}},
	{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification},
		Words: []schema.Word{{Native: "permission_prompt"}}},
	&agentTypes,
}

var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/plan", "builtin/shell", "builtin/statusline-setup", "builtin/guide"}},
	{Native: "explore", Canonical: "builtin/explore"},
}}

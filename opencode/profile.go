package opencode

import (
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	name = "opencode"
	kilo = "kilo"
	seen = "observed 1.18.33"
)

// Dialect is the plugin's protocol, in Claude Code's format; New returns it.
type Dialect struct{ family.ModuleAgent }

// New returns the dialect of the newest version.
func New() Dialect { return of(newest.Agent()) }

func of(a *family.Agent) Dialect { return Dialect{family.ModuleAgent{Agent: a, Module: plugin}} }

// At returns the dialect at a version or program.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect {
		if a.Data.Name == kilo {
			a.Data.Title = "Kilo Code"
			a.Data.Ways = &kiloWays
			a.Data.Tools = tools(schema.NoLinks)
			a.Data.Folders = []string{".kilo", ".kilocode"}
			a.Data.Primary = dialect.PrimaryToo // observed 7.7.9; OpenCode 1.18.33 loads the worktree's own
		}
		return of(a)
	})
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Traces: d, Servers: d, ServerNames: d, Imports: d, EntryFile: d, Splits: d}
}

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent: its events, payloads and answers are Claude Code's, as far as the plugin passes them on.
func makeAgent() *family.Agent {
	origin := claude.New()
	data, answer := makeProfile(origin.Data), answerOf(*origin.Answer)
	return &family.Agent{
		Data: &data, File: &family.ModuleEntries, Payload: family.ModulePayload(origin.Payload, sent), CallID: "call_",
		OwnTools: true, Answer: &answer,
		Merging: schema.MergeRules{Separator: "\n", FirstReason: true},
		Steps: family.Steps{Entry: (*family.Parser).Flat, Hook: family.JoinArgs, Classify: classify,
			ReadResult: readResult, Result: appendResult, More: more, Decide: family.DecideModule, Take: take, Fit: fit,
			Output: family.ModuleOutput},
	}
}

// makeProfile holds the constants of OpenCode (observed 1.18.33, unless another source is named) and of the plugin.
func makeProfile(origin *dialect.Profile) dialect.Profile {
	return dialect.Profile{
		Name: name, Title: "OpenCode", Known: []string{"1.18.34"}, Client: name, Events: eventsOf(origin),
		Actions: &actions, Ways: &ways,
		Tools: tools(schema.WholeLinks), HostOnly: "runs JavaScript plugins and has no command hooks",
		Programs: []dialect.Program{{Name: "cli", Version: "1.18.33"},
			{Name: kilo, FullName: kilo, Version: "7.7.9", Client: kilo}},
		MCP:     dialect.MCPNames{Between: "_", NameRules: origin.MCP.NameRules, Loose: true},
		Grammar: schema.Grammar{All: "*", Names: "_|", Expression: schema.JavaScript}, Vocabularies: words(origin),
		Files: dialect.Files{
			Skeleton: origin.Skeleton, EventsAt: origin.EventsAt,
			Layers:  dialect.LayersToTop,
			Members: family.ModuleEntries.Members(""),
		},
		Payloads: dialect.Payloads{
			Fields: &family.AllFields,
			Sent:   recorded,
			Marks:  []dialect.Mark{{Sure: 8, Members: []string{"worktree"}}},
		},
		Answers: dialect.Answers{RefusalStatus: family.ModuleRefusal, StopBlocks: 8, LoopLimit: -1},
		Timing: dialect.Timing{ // of the plugin
			Timeouts: []dialect.TimeoutRow{{Default: 600 * time.Second}}, LongestTimeout: dialect.LongestTimer,
		},
		Environment: dialect.Environment{
			EnvFile: dialect.EnvFile{Usable: true}, // variables reach the commands of the model
			Reads: []dialect.EnvRow{{Name: "XDG_CONFIG_HOME", Moves: dialect.MovesHooks},
				{Name: settingsVariable(name), Moves: dialect.MovesServers},
				{Name: settingsVariable(kilo), Moves: dialect.MovesServers}},
			Starts:        dialect.Start{Below: true},
			HostVariables: dialect.Variables{"OPENCODE", "OPENCODE_PID", "KILO", "KILO_PID", "KILOCODE_VERSION"},
		},
	}
}

const (
	notice = schema.EffectNotice
	refuse = schema.EffectDeny | schema.EffectReason
	// able are the effects that the plugin supports on events that have them.
	able = refuse | notice | schema.EffectAllow | schema.EffectInput | schema.EffectContext | schema.EffectOutput |
		schema.EffectFeedback | schema.EffectKeepGoing | schema.EffectEndTurn | schema.EffectEnv
)

// raised are the events that the plugin passes on, their causes in OpenCode, and notes about them.
var raised = []family.Raised{
	{Name: "SessionStart", From: "session.created, the first prompt of an older session, session.compacted"},
	{Name: "UserPromptSubmit", From: "chat.message", Note: "the reason is a toast"},
	{Name: "PreToolUse", From: "tool.execute.before",
		Note: "nothing makes the client ask; context comes with the result"},
	{Name: "PermissionRequest", From: "permission.asked"},
	{Name: "PostToolUse", From: "tool.execute.after", Note: "also of a command that failed"},
	{Name: "PostToolUseFailure", From: "message.part.updated"},
	{Name: "SubagentStart", From: "chat.message of a child session"},
	{Name: "SubagentStop", From: "tool.execute.after of task, when the sub-agent has ended"},
	{Name: "Stop", From: "session.idle"},
	{Name: "PreCompact", From: "experimental.session.compacting"},
	{Name: "PostCompact", From: "session.compacted"},
	{Name: "Notification", From: "a permission dialog that no hook answered"},
	{Name: "SessionEnd", From: "dispose, session.deleted"},
}

// eventsOf returns Claude Code's events as the plugin passes them on. 1.0 is the first version whose plugins have all
// of these hooks (a guess; none older was tried).
func eventsOf(origin *dialect.Profile) []schema.EventRow {
	rows := family.ModuleEvents(origin, raised, sent, able, "1.0", seen)
	for i := range rows {
		switch row := &rows[i]; row.Event {
		case schema.PreTool:
			row.EndDenies = true
		case schema.PermissionRequest:
			row.Honors &^= schema.EffectInput
			row.Blocks = schema.EffectDeny
			row.Races = true // the dialog is on the screen meanwhile
		case schema.PostTool:
			row.Also, row.AlsoFor = []schema.Event{schema.PostToolFailure}, []schema.Kind{schema.Shell}
		case schema.SubagentStart:
			row.Fields = []schema.Field{schema.FieldPrompt}
			row.Honors |= refuse
			row.Blocks = schema.EffectDeny
		case schema.SubagentStop: // it has ended
			row.Honors, row.Blocks = schema.EffectFeedback|schema.EffectContext|notice, schema.EffectFeedback
		case schema.Notification:
			row.Honors = notice
		case schema.SessionEnd:
			row.Honors = 0
		}
	}

	return rows
}

// actions are the events of a call.
var actions = []dialect.Sequence{
	{Action: schema.PreTool, Source: seen, Events: []string{"PreToolUse", "PermissionRequest", "Notification",
		dialect.ToolRuns, "PostToolUse"}},
}

// sent are the fields of the payload; worktree, patterns, metadata and permission have no
// counterpart elsewhere.
var sent = []schema.Field{
	schema.FieldSession, schema.FieldCwd, schema.FieldEvent, schema.FieldAgentID, schema.FieldAgentType,
	schema.FieldToolName, schema.FieldToolInput, schema.FieldToolUseID, schema.FieldToolOutput, schema.FieldSource,
	schema.FieldReason, schema.FieldTrigger, schema.FieldInstructions, schema.FieldStopActive, schema.FieldLastMessage,
	schema.FieldPrompt, schema.FieldError, schema.FieldNotificationType, schema.FieldMessage,
}

const (
	shellTool = "bash"
	patchTool = "apply_patch"
)

// plainTools are tools without a kind whose names could belong to MCP tools. The second line has Kilo's own (package
// 7.7.9).
const plainTools = "todowrite skill question lsp plan_exit " +
	"background_process board_post board_read cron_create cron_delete cron_list schedule_wakeup cancel_wakeup " +
	"link_pr notify_user send_file browser_open kilo_local_recall agent_manager goal suggest"

// tools returns the tools and the fields of their input. A model of the GPT family gets apply_patch instead of edit and
// write. An absolute path goes to the system unchanged; read is how the reading tool does it (observed 1.18.34, Kilo
// 7.7.9).
func tools(read schema.Links) []schema.ToolRow {
	// No tool deletes files, so the model uses commands.
	deletes := []schema.Kind{schema.Delete}
	rows := []schema.ToolRow{
		{Name: shellTool, Kinds: []schema.Kind{schema.Shell}, Parts: deletes,
			Input: append(family.WatchInput(), schema.ArgRow{Name: "workdir", Role: schema.RoleCwd},
				schema.ArgRow{Name: "timeout", Role: schema.RoleTimeout})},
		{Name: "read", Kinds: []schema.Kind{schema.Read}, Input: camel(family.ReadInput()),
			Path: schema.PathRules{Links: read}},
		{Name: "write", Kinds: []schema.Kind{schema.Write, schema.Notebook}, Input: camel(family.WriteInput()),
			Path: unjoined},
		{Name: "edit", Kinds: []schema.Kind{schema.Edit, schema.Notebook}, Input: camel(family.EditInput()),
			Path: unjoined},
		{Name: patchTool, Kinds: []schema.Kind{schema.Edit, schema.Write}, Parts: deletes,
			Input: []schema.ArgRow{{Name: "patchText", Role: schema.RoleCommand}}},
		{Name: "grep", Kinds: []schema.Kind{schema.Grep},
			Input: append(family.GrepInput()[:2], schema.ArgRow{Name: "include", Role: schema.RoleGlob})},
		{Name: "glob", Kinds: []schema.Kind{schema.Glob}, Input: family.GlobInput()},
		{Name: "webfetch", Kinds: []schema.Kind{schema.Fetch}, Input: family.FetchInput()[:1]},
		{Name: "websearch", Kinds: []schema.Kind{schema.WebSearch}, Input: family.SearchInput()},
		{Name: "task", Kinds: []schema.Kind{schema.Agent},
			Input: []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt},
				{Name: "description", Role: schema.RoleDescription},
				{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}}},
	}
	for i := range rows {
		rows[i].Replaces = family.AllRoles
	}
	for name := range strings.FieldsSeq(plainTools) {
		rows = append(rows, schema.ToolRow{Name: name})
	}

	return rows
}

var unjoined = schema.PathRules{Links: schema.WholeLinks}

// camel returns Claude Code's field names in OpenCode's spelling.
func camel(rows []schema.ArgRow) []schema.ArgRow {
	for i := range rows {
		rows[i].Name = strings.NewReplacer("_p", "P", "_s", "S", "_a", "A").Replace(rows[i].Name)
	}
	return rows
}

// words returns the closed vocabularies. Nearest is for values that only other agents have.
func words(origin *dialect.Profile) schema.Vocabularies {
	return schema.Vocabularies{
		{Field: schema.FieldSource, Events: []schema.Event{schema.SessionStart}, Words: []schema.Word{
			{Native: "startup", Nearest: []string{"new", "clear"}}, {Native: "resume", Nearest: []string{"fork"}},
			{Native: "compact"}}},
		{Field: schema.FieldReason, Events: []schema.Event{schema.SessionEnd}, Words: []schema.Word{
			{Native: "clear"},
			{Native: "other", Nearest: []string{"prompt-exit", "completed", "window-close", "user-close", "aborted",
				"error", "bypass-disabled", "timeout", "logout", "resume"}}}},
		origin.Vocabularies.For(schema.PreCompact, schema.FieldTrigger),
		{Field: schema.FieldNotificationType, Events: []schema.Event{schema.Notification},
			Words: []schema.Word{{Native: "permission_prompt"}}},
		&agentTypes,
	}
}

var agentTypes = schema.Vocabulary{Field: schema.FieldAgentType, Open: true, Words: []schema.Word{
	{Native: "general", Canonical: "builtin/general-purpose",
		Nearest: []string{"builtin/plan", "builtin/shell", "builtin/statusline-setup", "builtin/guide"}},
	{Native: "explore", Canonical: "builtin/explore"},
}}

var (
	ways     = []dialect.Way{{Command: "opencode run", Less: runsOnce}}
	kiloWays = []dialect.Way{{Command: "kilo run", Less: runsOnce}}
)

// runsOnce is what both programs don't do without their terminal.
var runsOnce = []dialect.Less{
	{Native: "PermissionRequest", Effects: schema.EffectAllow, Source: "observed 1.18.33: it rejects first"},
	{Native: "Stop", Effects: schema.EffectKeepGoing, Source: "observed 1.18.33"}}

// recorded are fields without a canonical counterpart (conformance/payloads).
var recorded = []dialect.SentFields{
	{Events: []string{"PermissionRequest"},
		Fields: `{"tool_use_id":"call_1","patterns":["echo hello"],"metadata":{"command":"echo hello"}}`},
	{Events: []string{"SubagentStart", "SubagentStop"},
		Fields: `{"agent_id":"ses_1","agent_type":"explore"}`},
}

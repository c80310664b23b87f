package claude

import (
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// tools are the built-in tools and their fields (observed 2.1.328; MultiEdit and LS are gone from new builds but remain
// in configurations). Every field of a rewritten input counts, so Replaces is all roles.
var tools = []schema.ToolRow{ // More: the tools as sent to the model, 2.1.332
	{Name: "Bash", Kinds: []schema.Kind{schema.Shell}, Replaces: all, Parts: deletes, Input: family.ShellInput(),
		Output: shellOutput, More: []string{"dangerouslyDisableSandbox"}},
	// On Windows, and with CLAUDE_CODE_USE_POWERSHELL_TOOL if pwsh is available; the matcher Bash doesn't select it
	// (observed 2.1.328).
	{Name: "PowerShell", Kinds: []schema.Kind{schema.Shell}, Replaces: all, Parts: deletes, Input: family.ShellInput(),
		Output: shellOutput},
	{Name: "Read", Kinds: []schema.Kind{schema.Read}, Replaces: all, Input: family.ReadInput(),
		More: []string{"pages", "allow_large"}},
	{Name: "Write", Kinds: []schema.Kind{schema.Write}, Replaces: all, Input: family.WriteInput(),
		Output: family.ChangeOutput(), More: none},
	{Name: "Edit", Kinds: []schema.Kind{schema.Edit}, Replaces: all, Input: family.EditInput(),
		Output: family.ChangeOutput(), More: none},
	{Name: "MultiEdit", Kinds: []schema.Kind{schema.MultiEdit}, Replaces: all,
		Input:  []schema.ArgRow{{Name: "file_path", Role: schema.RolePath}, {Name: "edits", Role: schema.RoleEdits}},
		Output: family.ChangeOutput()},
	{Name: "NotebookEdit", Kinds: []schema.Kind{schema.Notebook}, Replaces: all, Input: family.NotebookInput(),
		Output: []schema.ArgRow{{Name: "original_file", Role: schema.RoleOriginal},
			{Name: "updated_file", Role: schema.RoleContent}}, More: []string{"cell_id", "cell_type", "edit_mode"}},
	{Name: "Grep", Kinds: []schema.Kind{schema.Grep}, Replaces: all, Input: family.GrepInput()},
	{Name: "Glob", Kinds: []schema.Kind{schema.Glob}, Replaces: all, Input: family.GlobInput()},
	{Name: "LS", Kinds: []schema.Kind{schema.List}, Replaces: all, Input: family.ListInput()},
	{Name: "WebFetch", Kinds: []schema.Kind{schema.Fetch}, Replaces: all, Input: family.FetchInput(),
		More: []string{"offset"}},
	{Name: "WebSearch", Kinds: []schema.Kind{schema.WebSearch}, Replaces: all, Input: family.SearchInput(),
		More: []string{"allowed_domains", "blocked_domains"}},
	{Name: "Agent", Aliases: []string{"Task"},
		Before: []schema.Renamed{{Name: "Task", Until: "2.1.63", Source: "issue 29677 of claude-code"}},
		Kinds:  []schema.Kind{schema.Agent}, Replaces: all, Input: agentInput},
	// Runs a command in the background. Hooks that accept Bash see a Bash call with its command (observed 2.1.328,
	// PreToolUse only).
	{Name: "Monitor", Also: []schema.Kind{schema.Shell}, Replaces: all, Parts: deletes, Input: family.WatchInput()},
	// Tools without a kind, with two names each (alias table of the SDK).
	{Name: "TaskStop", Aliases: []string{"KillShell", "KillBash"}},
	{Name: "ListAgents", Aliases: []string{"ListPeers"}},
	{Name: "SendUserMessage", Aliases: []string{"Brief"}},
	{Name: "ListMcpResourcesTool", Aliases: []string{"ListMcpResources"}},
	{Name: "ReadMcpResourceTool", Aliases: []string{"ReadMcpResource"}},
	{Name: "ReadMcpResourceDirTool", Aliases: []string{"ReadMcpResourceDir"}},
	{Name: "SetGoal", Aliases: []string{"ProposeGoal"}},
}

var shellOutput = []schema.ArgRow{{Name: "stdout", Role: schema.RoleStdout}, {Name: "stderr", Role: schema.RoleStderr},
	{Name: "interrupted", Role: schema.RoleInterrupted}}

var agentInput = []schema.ArgRow{{Name: "prompt", Role: schema.RolePrompt},
	{Name: "description", Role: schema.RoleDescription},
	{Name: "subagent_type", Role: schema.RoleAgentType, Words: &agentTypes}, {Name: "model", Role: schema.RoleModel}}

// plainTools are tools without a row (names in the declarations of 2.1.332).
var plainTools = []string{"Skill", "TodoWrite", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "TaskCreate",
	"TaskGet", "TaskList", "TaskUpdate",
	"EnterWorktree", "ExitWorktree", "CronCreate", "CronDelete", "CronList", "ToolSearch", "SendMessage", "Workflow",
	"Artifact", "ClaudeDesign", "EndConversation", "LSP", "OfferChromeSetup", "Projects", "PushNotification",
	"ReadNotifications", "RemoteTrigger", "ReportFindings", "ScheduleWakeup", "SendFeedback", "SendUserFile",
	"ShareOnboardingGuide", "ShowOnboardingRolePicker", "SubagentHandback", "WaitForMcpServers", "propose_skills"}

const all = family.AllRoles

var none = []string{} // of More

// deletes: no tool deletes files, so the model uses commands.
var deletes = []schema.Kind{schema.Delete}

func cutServer(a *family.Agent, name, server string) (tool string, ok bool) {
	if server == "" {
		return "", false
	}
	return strings.CutPrefix(name, a.Data.MCP.Join(server, ""))
}

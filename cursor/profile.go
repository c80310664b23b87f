package cursor

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// profile holds Cursor's constants (observed SDK 1.0.32, where no other source is
// named). Variables that a hook sets are part of its answer.
var profile = dialect.Profile{
	Programs: programs,
	Skeleton: `{"version":1,"hooks":{}}`,
	Newest:   editorVersion, // the newest editor that a payload was captured from
	AnswerWords: []string{"permission", "user_message", "agent_message", "followup_message", "updated_input", "additional_context",
		"userMessage", "agentMessage"},
	ContextLimit:  contextLimit,
	LoopLimit:     5,
	KeepsEnv:      true, // docs 2026-08; the SDK leaves them out for tool hooks
	PatchesInput:  true, // updated_input is applied member by member
	Vocabularies:  words,
	HostVariables: hookVariables,
	Members: []dialect.HookMember{
		{Feature: schema.HookTimeout, Name: "timeout"},
		{Feature: schema.HookFailPolicy, Name: "failClosed"},
		{Feature: schema.HookLoopLimit, Name: "loop_limit"},
		{Feature: schema.HookPrompt, Name: "type"},
		{Feature: schema.HookModel, Name: "model"},
	},
}

// hookVariables describe one hook run.
var hookVariables = dialect.Variables{Names: []string{"CURSOR_PROJECT_DIR", "CURSOR_VERSION", "CURSOR_USER_EMAIL", "CURSOR_TRANSCRIPT_PATH",
	"CURSOR_PLUGIN_ROOT", remoteVariable}}

// remoteVariable is set for hooks of agents in the cloud: to "true", up to version
// 2.4 to a path (docs 2026-08 and 2026-01).
const remoteVariable = "CURSOR_CODE_REMOTE"

// Profile returns the dialect's constants.
func (Dialect) Profile() *dialect.Profile { return &profile }

package schema

import (
	"math/bits"
	"strings"
)

// A Feature is one thing that a hook or its reply may use and that a dialect may lack. Features form a set; a
// translation's losses are a set difference.
type Feature uint64

// Effects of a reply.
const (
	EffectAllow Feature = 1 << iota
	EffectAsk
	EffectDeny // on a prompt, a compaction, a configuration change: reject it
	EffectDefer
	EffectReason     // reason for the agent
	EffectUserReason // reason for the user
	EffectInput      // the tool's input is replaced
	EffectOutput     // the tool's result is replaced
	EffectContext    // text added to the agent's context
	EffectFeedback   // a complaint about a finished call, for the agent
	EffectKeepGoing  // the agent must continue working
	EffectEndTurn    // the agent's turn ends
	EffectEnv        // environment variables for later commands
	EffectNotice     // text for the user only
	EffectPermissions
	EffectInterrupt
	EffectRetry
	EffectWatchPaths
	EffectSessionTitle
	EffectInitialPrompt
	EffectDisplay
	EffectClassifier
	EffectWorktree
	EffectElicit
	EffectPluginPaths
	EffectQuiet
	EffectTerminal
	EffectReloadSkills
	EffectHidePrompt
	numEffects = iota
)

// Features of a configured hook.
const (
	HookMatcher Feature = 1 << (iota + 32)
	HookCondition
	HookTimeout
	HookFailPolicy
	HookLoopLimit
	HookAsync
	HookRewake
	HookOnce
	HookStatus
	HookShell
	HookArgs
	HookEnv
	HookHTTP
	HookPrompt
	HookAgent
	HookMCPTool
	HookCallback
	HookSequential
	HookModel
	HookOnBlock
	numHookFeatures = iota
)

var effectNames = [numEffects]string{
	"allow", "ask", "deny", "defer", "reason", "user-reason", "input", "output", "context", "feedback", "keep-going",
	"end-turn", "env", "notice", "permissions", "interrupt", "retry", "watch-paths", "session-title", "initial-prompt",
	"display", "classifier", "worktree", "elicit", "plugin-paths", "quiet", "terminal", "reload-skills", "hide-prompt",
}

var hookFeatureNames = [numHookFeatures]string{
	"matcher", "condition", "timeout", "fail-policy", "loop-limit", "async", "rewake", "once", "status", "shell",
	"args", "hook-env", "http", "prompt", "agent", "mcp-tool", "callback", "sequential", "model", "on-block",
}

// Name returns the name of a single feature.
func (f Feature) Name() string {
	n := bits.TrailingZeros64(uint64(f))
	switch {
	case n < numEffects:
		return effectNames[n]
	case n >= 32 && n-32 < numHookFeatures:
		return hookFeatureNames[n-32]
	}
	return "feature(invalid)"
}

// Each calls do for every feature of the set, in order of declaration.
func (f Feature) Each(do func(Feature)) {
	for f != 0 {
		one := f & -f
		do(one)
		f &^= one
	}
}

// Names lists the names; it never returns nil.
func (f Feature) Names() []string {
	names := []string{}
	f.Each(func(one Feature) { names = append(names, one.Name()) })
	return names
}

// String returns the names, separated by commas.
func (f Feature) String() string { return strings.Join(f.Names(), ",") }

// MarshalJSON writes the names into a document, as an array.
func (f Feature) MarshalJSON() ([]byte, error) {
	if f == 0 {
		return []byte("[]"), nil
	}
	return []byte(`["` + strings.Join(f.Names(), `","`) + `"]`), nil
}

// SilentEffects only affect the terminal of the hook's own agent.
const SilentEffects = EffectQuiet | EffectTerminal

// A Field is the meaning of one field of a payload. The zero Field is invalid; fields that aren't in a dialect's table
// stay in Call.Extra.
//
// Values are canonical: durations are in milliseconds, and closed vocabularies (FieldMode, FieldSource, FieldReason,
// FieldStatus ...) have the values given here.
type Field uint8

const (
	_ Field = iota
	FieldSession
	FieldTurn
	FieldCwd
	FieldRoots
	FieldTranscript
	FieldMode // default, plan, accept-edits, auto, dont-ask, bypass
	FieldEffort
	FieldModel
	FieldModelID
	FieldModelParams
	FieldUser
	FieldVersion
	FieldEvent
	FieldTime // RFC 3339, in UTC
	FieldAgentID
	FieldAgentType
	FieldAgentParent
	FieldAgentTranscript
	FieldToolName
	FieldToolInput
	FieldToolOutput
	FieldToolUseID
	FieldToolCwd
	FieldParentToolUse
	FieldError
	FieldErrorDetails
	FieldFailure // error, timeout, permission-denied
	FieldInterrupted
	FieldDuration // milliseconds
	FieldServer
	FieldServerName
	FieldServerURL
	FieldServerCommand
	FieldSandbox
	FieldSuggestions
	FieldCommand
	FieldPath
	FieldContent
	FieldEdits
	FieldAttachments
	FieldOutput
	FieldResult
	FieldToolCalls
	FieldPrompt
	FieldComposer
	FieldPromptSource
	FieldSessionTitle
	FieldExpansion
	FieldCommandName
	FieldCommandArgs
	FieldCommandSource
	FieldInvokedBy // user, claude, other
	FieldSource    // startup, resume, clear, compact, fork, new
	FieldReason    // completed, aborted, error, window-close, user-close, clear, resume, logout, prompt-exit, other
	FieldBackground
	FieldFinalStatus
	FieldStopActive
	FieldLastMessage
	FieldBackgroundTasks
	FieldCrons
	FieldStatus // completed, aborted, error
	FieldLoopCount
	FieldCommandNumber // of the session's commands, from 0
	FieldInputTokens
	FieldOutputTokens
	FieldCacheReadTokens
	FieldCacheWriteTokens
	FieldTask
	FieldDescription
	FieldSummary
	FieldToolCallID
	FieldSubagentModel
	FieldParallel
	FieldGitBranch
	FieldMessageCount
	FieldToolCallCount
	FieldModifiedFiles
	FieldChildSession
	FieldTrigger // manual, auto; init, maintenance
	FieldInstructions
	FieldCompactSummary
	FieldContextPercent
	FieldContextTokens
	FieldContextWindow
	FieldToCompact
	FieldFirstCompaction
	FieldMessage
	FieldTitle
	FieldNotificationType
	FieldText
	FieldDelta
	FieldMessageID
	FieldIndex
	FieldFinal
	FieldMemoryType
	FieldLoadReason
	FieldGlobs
	FieldTriggerPath
	FieldParentPath
	FieldOldCwd
	FieldNewCwd
	FieldFileEvent
	FieldDirectory
	FieldTaskID
	FieldTaskSubject
	FieldTaskDescription
	FieldTeammate
	FieldTeam
	FieldWorktreeName
	FieldWorktreePath
	FieldElicitMode
	FieldElicitURL
	FieldElicitID
	FieldElicitSchema
	FieldElicitAction
	FieldFromModel
	FieldToModel
	FieldRequestedModel
	FieldModelRequest
	FieldModelResponse
	FieldThread
	FieldRequestID   // of a request to the model, as the next four
	FieldRequestKind // sampling, ..
	FieldAttempt     // from 1
	FieldResponseID
	FieldDetails     // of a notification
	FieldTokens      // used by a request to the model
	FieldIdleSeconds // since the last response of a resumed session
	FieldCacheExpired
	FieldCacheCost // US dollars
	NumFields
)

// A Value is one field of a payload: its meaning and its JSON value in
// canonical form.
type Value struct {
	Field Field
	Raw   []byte
	Name  string // native name, "" if the field was not read from a payload
}

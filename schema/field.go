package schema

// A Field is the meaning of one member of a payload. The zero Field is invalid;
// members that no dialect's table names stay in Call.Extra.
//
// Values are canonical: durations in milliseconds, closed vocabularies
// (FieldMode, FieldSource, FieldReason, FieldStatus ...) with the values given here.
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
	FieldSource // startup, resume, clear, compact, fork, new
	FieldReason // completed, aborted, error, window-close, user-close, clear, resume, logout, prompt-exit, other
	FieldBackground
	FieldFinalStatus
	FieldStopActive
	FieldLastMessage
	FieldBackgroundTasks
	FieldCrons
	FieldStatus // completed, aborted, error
	FieldLoopCount
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
	FieldDetails     // of a notification
	FieldTokens      // what a request to the model used
	FieldIdleSeconds // since the last response of a resumed session
	FieldCacheExpired
	FieldCacheCost // US dollars
	NumFields
)

// A Value is one member of a payload: its meaning and its JSON value in
// canonical form.
type Value struct {
	Field Field
	Raw   []byte
	Name  string // native name, "" if the member was not read from a payload
}

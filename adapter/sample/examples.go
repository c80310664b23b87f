package sample

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A fieldExample is a value that clients send in a field, in canonical form.
type fieldExample struct {
	field  schema.Field
	text   string
	events []schema.Event // events with this value; nil: all events without an earlier row
}

// projectMark stands for the project's folder in an example.
const projectMark = "{PROJECT}"

func on(events ...schema.Event) []schema.Event { return events }

// fieldExamples are examples of the fields of payloads. Values that hooks match and decide by are as clients sent them
// (Claude Code 2.1.328, Codex 0.169.0, Cursor, Gemini CLI 0.61.0, Grok Build 1.0.41, Qwen Code 0.24.4); names of
// models, ids and counts are made up.
var fieldExamples = []fieldExample{
	{schema.FieldPrompt, `"/greet Bob"`, on(schema.PromptExpand)},
	{schema.FieldPrompt, `"Fix the failing test."`, nil},
	{schema.FieldPromptSource, `"user"`, on(schema.TurnStart)},
	{schema.FieldExpansion, `"slash_command"`, nil}, {schema.FieldCommandName, `"greet"`, nil},
	{schema.FieldCommandArgs, `"Bob"`, nil}, {schema.FieldCommandSource, `"projectSettings"`, nil},
	{schema.FieldInvokedBy, `"user"`, nil},
	{schema.FieldSource, `"startup"`, on(schema.SessionStart)},
	{schema.FieldSource, `"project_settings"`, on(schema.ConfigChange)},
	{schema.FieldSource, `"slash_command"`, on(schema.DirectoryAdded)},
	{schema.FieldSource, `"command"`, on(schema.PreModelSwitch, schema.PostModelSwitch)},
	{schema.FieldSource, `"startup"`, nil},
	{schema.FieldReason, `"end_turn"`, on(schema.Stop)}, {schema.FieldReason, `"other"`, nil},
	{schema.FieldStatus, `"completed"`, nil}, {schema.FieldFinalStatus, `"completed"`, nil},
	{schema.FieldLoopCount, "0", nil}, {schema.FieldCommandNumber, "0", nil}, {schema.FieldStopActive, "false", nil},
	{schema.FieldLastMessage, `"Done."`, nil}, {schema.FieldBackgroundTasks, "[]", nil}, {schema.FieldCrons, "[]", nil},
	{schema.FieldTrigger, `"manual"`, nil}, {schema.FieldInstructions, `""`, nil},
	{schema.FieldCompactSummary, `"<summary>The test is fixed.</summary>"`, nil},
	{schema.FieldMessage, `"name?"`, on(schema.Elicitation)},
	{schema.FieldMessage, `"The agent waits for you."`, nil}, {schema.FieldTitle, `"Permission needed"`, nil},
	{schema.FieldNotificationType, `"permission"`, nil}, {schema.FieldDetails, "{}", nil},
	{schema.FieldText, `"Done."`, nil}, {schema.FieldDelta, `"Done."`, nil},
	{schema.FieldMessageID, `"msg_01"`, nil}, {schema.FieldIndex, "0", nil}, {schema.FieldFinal, "true", nil},
	{schema.FieldError, "null", on(schema.PostModel)}, {schema.FieldError, `"rate_limit"`, on(schema.StopFailure)},
	{schema.FieldError, `"it failed"`, nil},
	{schema.FieldErrorDetails, `"429 Too Many Requests"`, nil}, {schema.FieldFailure, `"error"`, nil},
	{schema.FieldAgentID, `"agent-1"`, nil}, {schema.FieldAgentType, `"builtin/general-purpose"`, nil},
	{schema.FieldAgentParent, `"simulated"`, nil}, {schema.FieldSubagentModel, `"default"`, nil},
	{schema.FieldToolCallID, `"call_1"`, nil}, {schema.FieldChildSession, `"child-1"`, nil},
	{schema.FieldParallel, "false", nil}, {schema.FieldGitBranch, `"main"`, nil},
	{schema.FieldTask, `"Say what this project does."`, nil}, {schema.FieldDescription, `"Read the project"`, nil},
	{schema.FieldSummary, `"It prints a greeting."`, nil}, {schema.FieldModifiedFiles, "[]", nil},
	{schema.FieldMessageCount, "5", nil}, {schema.FieldToolCallCount, "2", nil},
	{schema.FieldDuration, "12", nil}, {schema.FieldInterrupted, "false", nil}, {schema.FieldBackground, "false", nil},
	{schema.FieldComposer, `"agent"`, nil},
	{schema.FieldInputTokens, "10", nil}, {schema.FieldOutputTokens, "5", nil}, {schema.FieldCacheReadTokens, "0", nil},
	{schema.FieldCacheWriteTokens, "0", nil}, {schema.FieldContextPercent, "85", nil},
	{schema.FieldContextTokens, "170000", nil}, {schema.FieldContextWindow, "200000", nil},
	{schema.FieldToCompact, "40", nil}, {schema.FieldFirstCompaction, "true", nil},
	{schema.FieldTokens, `{"input_tokens":10,"cached_input_tokens":0,"cache_write_input_tokens":0,"output_tokens":5,` +
		`"reasoning_output_tokens":0,"total_tokens":15}`, nil},
	{schema.FieldRequestKind, `"sampling"`, nil}, {schema.FieldRequestID, `"request-1"`, nil},
	{schema.FieldAttempt, "1", nil}, {schema.FieldThread, `"thread-1"`, nil}, {schema.FieldResponseID, `"resp_1"`, nil},
	{schema.FieldModel, `"example-model"`, nil}, {schema.FieldFromModel, `"example-model"`, nil},
	{schema.FieldToModel, `"example-model-fast"`, nil}, {schema.FieldRequestedModel, `"example-model-fast"`, nil},
	{schema.FieldModelRequest, `{"model":"example-model","messages":[{"role":"user","content":` +
		`"Fix the failing test."}],"config":{"temperature":1,"topP":0.95,"topK":64}}`, nil},
	{schema.FieldModelResponse, `{"text":"Done.","candidates":[{"content":{"role":"model","parts":["Done."]},` +
		`"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5,` +
		`"totalTokenCount":15}}`, nil},
	{schema.FieldSuggestions, `[{"type":"addDirectories","directories":["{PROJECT}"],"destination":"session"}]`, nil},
	{schema.FieldPath, `"{PROJECT}/settings.json"`, on(schema.ConfigChange)},
	{schema.FieldPath, `"{PROJECT}/AGENTS.md"`, on(schema.InstructionsLoaded)},
	{schema.FieldPath, `"{PROJECT}/watch.txt"`, on(schema.FileChanged)}, {schema.FieldFileEvent, `"change"`, nil},
	{schema.FieldMemoryType, `"Project"`, nil}, {schema.FieldLoadReason, `"session_start"`, nil},
	{schema.FieldOldCwd, `"{PROJECT}"`, nil}, {schema.FieldNewCwd, `"{PROJECT}/sub"`, nil},
	{schema.FieldDirectory, `"{PROJECT}/docs"`, nil},
	{schema.FieldTaskID, `"1"`, nil}, {schema.FieldTaskSubject, `"Fix the test"`, nil},
	{schema.FieldTaskDescription, `"Make the failing test pass."`, nil},
	{schema.FieldTeammate, `"reviewer"`, on(schema.TeammateIdle)},
	{schema.FieldTeam, `"main"`, on(schema.TeammateIdle)},
	{schema.FieldWorktreeName, `"feature"`, nil}, {schema.FieldWorktreePath, `"{PROJECT}/worktrees/feature"`, nil},
	{schema.FieldServer, `"example"`, nil}, {schema.FieldServerName, `"example"`, on(schema.Elicitation,
		schema.ElicitationResult)},
	{schema.FieldElicitMode, `"form"`, nil}, {schema.FieldElicitAction, `"accept"`, nil},
	{schema.FieldElicitSchema, `{"type":"object","properties":{"name":{"type":"string"}}}`, nil},
	{schema.FieldContent, `{"name":"Bob"}`, on(schema.ElicitationResult)},
}

// example returns a value of a field at an event of the host, in canonical form, or nil. For a field with a fixed set
// of words it is one that the host sends at the event.
func example(host dialect.Dialect, row *schema.EventRow, f schema.Field, project string) []byte {
	if f == schema.FieldToolCalls {
		return toolCalls(host)
	}
	x := lists.Find(fieldExamples, func(x *fieldExample) bool {
		return x.field == f && (x.events == nil || slices.Contains(x.events, row.Event))
	})
	if x == nil {
		return nil
	}
	quoted := string(ordjson.AppendString(nil, project))
	text := strings.ReplaceAll(x.text, projectMark, strings.Trim(quoted, `"`))
	words := Words(host, row.Event, f)
	word, isText := ordjson.String([]byte(text))
	sent := func(w schema.Word) bool { return w.Meaning() == word }
	if len(words) == 0 || !isText || slices.ContainsFunc(words, sent) {
		return []byte(text)
	}
	return ordjson.AppendString(nil, words[0].Meaning())
}

// Words returns the words that the host sends in a field at an event; none if any value may occur.
func Words(host dialect.Dialect, e schema.Event, f schema.Field) (words []schema.Word) {
	p := host.Profile()
	v := p.Vocabularies.For(e, f)
	if v == nil || v.Open {
		return nil
	}
	for _, w := range v.Words {
		if w.Native != "" && !w.WriteOnly && schema.Since(p.AsOf, w.Since) {
			words = append(words, w)
		}
	}
	return words
}

// toolCalls returns a batch of one call of the host's shell.
func toolCalls(host dialect.Dialect) []byte {
	row := host.Profile().ToolOfKind(schema.Shell)
	if row == nil {
		return nil
	}
	call := ordjson.NewWriter(nil)
	call.String("tool_name", row.NameAt(host.Profile().AsOf))
	call.Raw("tool_input", appendNative(examples(row.Input, ""), row.Input))
	call.String("tool_use_id", "simulated-tool")
	call.String("tool_response", "hello")
	return append(append([]byte{'['}, call.Bytes()...), ']')
}

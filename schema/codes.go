package schema

// A Code names a kind of finding for good: codes are never reused. The first
// digit tells where it arises: 0 syntax of an input, 1 meaning of the source,
// 2 what the target cannot say, 3 at run time, 4 how hooks are installed.
type Code string

// Codes of findings. Their titles, severities and explanations are in Codes.
const (
	CodeSyntax       Code = "HB001"
	CodeShape        Code = "HB002"
	CodeUnreadable   Code = "HB003"
	CodeNoEventName  Code = "HB010"
	CodeUnknownEvent Code = "HB011"

	CodeSkippedEvent   Code = "HB101"
	CodeVoidFile       Code = "HB102"
	CodeVoidHook       Code = "HB103"
	CodeDeadMatcher    Code = "HB104"
	CodeUnknownMember  Code = "HB105"
	CodeDisabled       Code = "HB106"
	CodeMilliseconds   Code = "HB107"
	CodePluginRoot     Code = "HB108"
	CodeRefusedFile    Code = "HB109"
	CodeDeadCondition  Code = "HB110"
	CodeIgnoredOnce    Code = "HB111"
	CodeBadCondition   Code = "HB112"
	CodeIgnoredMatcher Code = "HB113"
	CodeOddMatcher     Code = "HB114"
	CodeRepeated       Code = "HB115"
	CodeNoVersion      Code = "HB116"

	CodeNoEvent      Code = "HB201"
	CodeNoFeature    Code = "HB202"
	CodeAskDenied    Code = "HB203"
	CodeInputDenied  Code = "HB204"
	CodeContextCut   Code = "HB205"
	CodeRelayed      Code = "HB206"
	CodeContextLost  Code = "HB207"
	CodeOutputKept   Code = "HB208"
	CodeEndTurn      Code = "HB209"
	CodeNoticeLost   Code = "HB210"
	CodeEffectLost   Code = "HB211"
	CodeMemberLost   Code = "HB212"
	CodeAskAllowed   Code = "HB213"
	CodeDenyLost     Code = "HB214"
	CodeAskRelayed   Code = "HB215"
	CodeEnvLost      Code = "HB216"
	CodeKeepGoLost   Code = "HB217"
	CodeAskUncertain Code = "HB218"
	CodeUntyped      Code = "HB219"
	CodeAllowPassed  Code = "HB220"
	CodeDeadValue    Code = "HB222"

	CodeNotStarted    Code = "HB301"
	CodeTimedOut      Code = "HB302"
	CodeBadAnswer     Code = "HB303"
	CodeBadSchema     Code = "HB304"
	CodeHookFailed    Code = "HB305"
	CodeTruncated     Code = "HB306"
	CodeNoEvaluator   Code = "HB307"
	CodeNoHandler     Code = "HB308"
	CodeHTTP          Code = "HB309"
	CodeAlreadyRun    Code = "HB310"
	CodeOwnImport     Code = "HB311"
	CodeState         Code = "HB312"
	CodeUntrusted     Code = "HB313"
	CodeForeignAnswer Code = "HB314"
	CodeSlowMatcher   Code = "HB315"
	CodeReleased      Code = "HB316"
	CodeServerUnknown Code = "HB317"
	CodeDetached      Code = "HB318"
	CodeIgnoredEffect Code = "HB319"
	CodeBridge        Code = "HB320"
	CodeEnvFile       Code = "HB321"
	CodeEvaluator     Code = "HB322"
	CodeModule        Code = "HB323"
	CodeTranscript    Code = "HB324"
	CodeOldAnswer     Code = "HB325"
	CodeHooksChanged  Code = "HB326"

	CodeNotCalled     Code = "HB401"
	CodeRunsTwice     Code = "HB402"
	CodeForeignImport Code = "HB403"
	CodeAlwaysRuns    Code = "HB404"
	CodeUnreviewed    Code = "HB405"
)

// A CodeInfo documents a Code. docs/codes.md and the explain command use it.
type CodeInfo struct {
	Code     Code
	Severity Severity // the usual severity; a case may differ
	Title    string
	Text     string
}

// Codes returns every code in order. The list is shared and must not be changed.
func Codes() []CodeInfo { return codes }

var codes = []CodeInfo{
	{CodeSyntax, Error, "not valid JSON",
		"The text isn't valid JSON, or it nests deeper than 10,000 levels. The position is that of the first mistake."},
	{CodeShape, Error, "not the expected kind of document",
		"The text is valid JSON, but not a document that this agent reads here."},
	{CodeUnreadable, Error, "file can't be read",
		"The file exists but can't be read. Hooks from other files still run."},
	{CodeNoEventName, Error, "payload has no event name",
		"The payload has no event name, so hookbridge can't know which hooks to run."},
	{CodeUnknownEvent, Error, "unknown event",
		"The payload names an event that this version of hookbridge doesn't know for the host."},

	{CodeSkippedEvent, Loss, "unknown event in a hook file",
		"The agent that owns this file doesn't know the event. It skips these hooks, and so does hookbridge."},
	{CodeVoidFile, Weaker, "agent rejects the whole file",
		"The agent that owns this file rejects all of it because of this entry. None of its hooks run."},
	{CodeVoidHook, Weaker, "agent skips this hook",
		"The agent that owns this file skips this entry. The other hooks of the file run."},
	{CodeDeadMatcher, Weaker, "matcher can never match",
		"The matcher isn't a valid JavaScript regular expression, or it matches no tool of the agent. The hook never runs."},
	{CodeUnknownMember, Note, "unknown setting, ignored",
		"The agent that owns this file doesn't know this setting and ignores it."},
	{CodeDisabled, Note, "hooks are switched off",
		"A setting switches these hooks off."},
	{CodeMilliseconds, Note, "timeout looks like the wrong unit",
		"The number looks like milliseconds where the agent reads seconds, or like seconds where it reads milliseconds."},
	{CodePluginRoot, Weaker, "plugin variable outside a plugin",
		"Only plugin hooks get the plugin's root folder in a variable. In a settings file the command fails."},
	{CodeRefusedFile, Weaker, "file rejected",
		"The file isn't a regular file inside the folder that it belongs to, so it isn't read."},
	{CodeDeadCondition, Weaker, "condition can never be true",
		"A condition on an event without a tool is never true, and neither is the condition \"*\". The hook never runs."},
	{CodeIgnoredOnce, Note, "once has no effect here",
		"The agent honors once only in the front matter of a skill. This hook runs every time."},
	{CodeBadCondition, Note, "condition is not a valid rule",
		"The condition isn't a valid permission rule. The hook runs for every call that its matcher accepts."},
	{CodeIgnoredMatcher, Note, "matcher has no effect on this event",
		"This event has nothing to match. The hook always runs."},
	{CodeOddMatcher, Note, "matcher looks like a glob",
		"The matcher looks like a glob, but the agent reads it as a regular expression."},
	{CodeRepeated, Loss, "duplicate member",
		"An object has the same member twice. The agent reads the last one and ignores the others, and so does hookbridge."},
	{CodeNoVersion, Weaker, "version is missing",
		"The file has no version. The agent may reject all of it; hookbridge runs its hooks."},

	{CodeNoEvent, Weaker, "the host has no such event", "No event of the host corresponds; the hook is never run there."},
	{CodeNoFeature, Loss, "the host lacks this", "The host has no counterpart for a member of the hook."},
	{CodeAskDenied, Note, "ask became deny", "The host can't ask the user at this event, so the call is denied with the hook's reason. Where it can ask at another event for the same call, --ask relay makes it do so."},
	{CodeInputDenied, Note, "rewritten input became deny", "The host cannot apply the hook's new input here, so the act is denied."},
	{CodeContextCut, Loss, "context cut", "The host takes no longer text; the rest was cut."},
	{CodeRelayed, Note, "delivered later", "The host has no channel on this event; a later event of the session delivers it."},
	{CodeContextLost, Loss, "context has no channel", "The host has no channel for context on this event or after it."},
	{CodeOutputKept, Weaker, "tool result not replaced", "The host cannot replace the result of this tool; the agent sees the original."},
	{CodeEndTurn, Weaker, "turn cannot be ended", "The host cannot end the turn; the bridge denies the further tool calls of the turn that it sees."},
	{CodeNoticeLost, Note, "notice to the user has no channel", "The host shows the user nothing on this event."},
	{CodeEffectLost, Loss, "effect has no channel", "The host has no counterpart for this effect of the answer."},
	{CodeMemberLost, Note, "payload member not carried", "The hook's dialect has no such member in its payload."},
	{CodeAskAllowed, Weaker, "ask became allow", "--ask allow lets the act proceed without asking."},
	{CodeDenyLost, Error, "deny has no channel", "The host cannot refuse this event; the act goes on."},
	{CodeAskRelayed, Note, "ask moved to the gate event", "The question is asked by the host's gate event for the same act."},
	{CodeEnvLost, Loss, "environment has no channel", "The host takes no environment on this event."},
	{CodeKeepGoLost, Weaker, "agent cannot be sent back", "The host does not let a hook keep the agent working on this event."},
	{CodeAskUncertain, Weaker, "the host may not ask", "This version of the host is known to approve or ignore the question by itself."},
	{CodeUntyped, Note, "event without a type", "The types of the target's SDK do not know the event, though its client raises it; the written module casts it."},
	{CodeAllowPassed, Note, "allow became no opinion", "The host's own permission rules decide, as they do without the hook. Either its hooks can't approve a call there, or the hook's agent means no objection by allow; --allow approve then skips the prompt."},
	{CodeDeadValue, Note, "the host never sends a value of the matcher", "The matcher lists values, and the host never sends some of them. The hook runs for the others."},

	{CodeNotStarted, Weaker, "hook could not be started", "The command or its folder does not exist or cannot be executed. The hook's dialect says what that means; usually the act proceeds."},
	{CodeTimedOut, Weaker, "hook timed out", "The hook did not end within its time limit and was killed with its children."},
	{CodeBadAnswer, Weaker, "answer is not readable", "The hook's output looks like JSON and is not; its dialect ignores it."},
	{CodeBadSchema, Weaker, "answer breaks its dialect's rules", "A member of the answer has a value that the hook's own agent refuses; the whole answer is ignored."},
	{CodeHookFailed, Note, "hook failed", "The hook ended with a status that its dialect treats as a failure that does not block."},
	{CodeTruncated, Loss, "hook output cut", "The hook wrote more than the limit; the rest was read and dropped."},
	{CodeNoEvaluator, Weaker, "no evaluator", "Prompt and agent hooks need a model; give one with --evaluator."},
	{CodeNoHandler, Weaker, "handler kind cannot run here", "The bridge has no way to run this kind of handler."},
	{CodeHTTP, Weaker, "HTTP hook failed", "The request failed, was refused by a setting, or the answer was no JSON object with a 2xx status; the act proceeds."},
	{CodeAlreadyRun, Note, "already run for this act", "The host raised a second event for the same act; the hook ran at the first."},
	{CodeOwnImport, Note, "host runs these hooks itself", "The payload comes from the agent whose hooks were asked for; it runs them without the bridge."},
	{CodeState, Loss, "session memory unavailable", "The relay's state file could not be used; what needs a second event is not carried."},
	{CodeUntrusted, Weaker, "project not trusted", "The entry demands trust, and the project's hook files are not trusted as they are now; its hooks were not run."},
	{CodeForeignAnswer, Weaker, "answer in another dialect's words", "The answer uses members of another agent's dialect; the hook's own agent ignores them."},
	{CodeSlowMatcher, Note, "matcher hit its time limit", "The regular expression took too long; it counts as a match."},
	{CodeReleased, Note, "hook went on in the background", "The hook said that it continues asynchronously; what it answers later is not read."},
	{CodeServerUnknown, Note, "MCP server unknown", "The host did not name the server of the tool; hooks were asked under the configured or assumed server names."},
	{CodeDetached, Note, "hook runs in the background", "An asynchronous hook was started and not waited for."},
	{CodeIgnoredEffect, Note, "effect ignored by the hook's own agent", "The hook's own agent ignores this member on this event; so does the bridge."},
	{CodeBridge, Error, "bridge failed", "The bridge itself could not do its work."},
	{CodeEnvFile, Loss, "line of the environment file not understood", "Only assignments and exports are carried."},
	{CodeEvaluator, Weaker, "evaluator gave no usable answer", "The act proceeds, as with the hook's own agent."},
	{CodeModule, Error, "module of callbacks unusable", "The module could not be loaded, exports no hooks, or there is no Node.js to run it."},
	{CodeTranscript, Note, "transcript missing or incomplete", "Hooks get a copy of the host's transcript in their own agent's format. The host has none, or part of it could not be translated."},
	{CodeOldAnswer, Note, "answer in an older format", "The answer uses words of an older version of the hook's agent. They count where they make the decision stricter or give it a reason; the agent's current version ignores them."},
	{CodeHooksChanged, Note, "hooks changed during the session", "The hook files changed after the session's first call. The agent would keep the hooks that it started with; hookbridge reads the files at each call. The severity is weaker if a hook is gone or different. With --pin-hooks every tool call is denied until a new session starts."},

	{CodeNotCalled, Weaker, "the host doesn't call hookbridge", "The host's hook files have no entry of hookbridge at an event that the hook needs, or one that can't run. The hook doesn't run there."},
	{CodeRunsTwice, Weaker, "the hook runs twice", "Several entries run the hook for the same call, so its side effects happen twice."},
	{CodeForeignImport, Weaker, "the host imports the file by itself", "The host reads the other agent's hook file by itself and runs its hooks with its own payload, which their scripts don't understand. With hookbridge installed they run twice."},
	{CodeAlwaysRuns, Note, "the hook always runs", "The hook belongs to a skill or a sub-agent. The host doesn't say when that is active, so the hook runs at every event."},
	{CodeUnreviewed, Weaker, "the host waits for a review", "The host runs a hook only after its user has reviewed it, and again after every change. Until then it skips the hook without a warning."},
}

// Info returns the documentation of c; ok is false for an unknown code.
func (c Code) Info() (info CodeInfo, ok bool) {
	for _, i := range codes {
		if i.Code == c {
			return i, true
		}
	}
	return CodeInfo{}, false
}

// Severity returns the usual severity of c, Error for an unknown code.
func (c Code) Severity() Severity {
	if i, ok := c.Info(); ok {
		return i.Severity
	}
	return Error
}

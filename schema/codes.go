package schema

import "github.com/hookbridge/hookbridge/internal/lists"

// A Code names a kind of finding. Codes are never reused. The first digit is the
// area: 0 syntax of an input, 1 meaning of the source, 2 not supported by the
// target, 3 run time, 4 installation.
type Code string

// RejectsFile reports whether the agent, as far as the tables know it, runs no hook of a file with such a finding.
func (c Code) RejectsFile() bool { return c == CodeVoidFile || c == CodeNewerWord }

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
	CodeNewerWord      Code = "HB117"
	CodeNewerPart      Code = "HB118"
	CodeScriptField    Code = "HB119"
	CodeScriptExit     Code = "HB120"

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
	CodeFewerCalls   Code = "HB223"
	CodeManyAnswers  Code = "HB224"
	CodeMoreCalls    Code = "HB225"
	CodeServerName   Code = "HB226"
	CodeWayLacks     Code = "HB227"
	CodeWayAnswers   Code = "HB228"
	CodeNotAwaited   Code = "HB229"
	CodeRuleLeft     Code = "HB230"
	CodeScriptLost   Code = "HB231"

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
	CodeOddInput      Code = "HB327"

	CodeNotCalled     Code = "HB401"
	CodeRunsTwice     Code = "HB402"
	CodeForeignImport Code = "HB403"
	CodeAlwaysRuns    Code = "HB404"
	CodeUnreviewed    Code = "HB405"
	CodeScenario      Code = "HB406"
	CodeTooOld        Code = "HB407"
	CodeExcluded      Code = "HB408"
	CodeChoice        Code = "HB409"

	CodePluginStale    Code = "HB501"
	CodePluginFolder   Code = "HB502"
	CodePluginQuotes   Code = "HB503"
	CodePluginTimeout  Code = "HB504"
	CodePluginPointer  Code = "HB505"
	CodePluginHidden   Code = "HB506"
	CodePluginScript   Code = "HB507"
	CodePluginVersion  Code = "HB508"
	CodePluginArgs     Code = "HB509"
	CodePluginTooLong  Code = "HB510"
	CodePluginRejected Code = "HB511"
	CodePluginMoves    Code = "HB512"
)

// A CodeInfo documents a Code. docs/codes.md and the explain command use it.
type CodeInfo struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"` // the usual severity; a case may differ
	Title    string   `json:"title"`
	Text     string   `json:"text"`
}

// Codes returns every code in order. The list is shared and must not be changed.
func Codes() []CodeInfo { return codes }

var codes = []CodeInfo{
	{CodeSyntax, Error, "not valid JSON or YAML",
		"The text isn't valid JSON, YAML or TOML, or it nests deeper than 100,000 levels. The position is that of " +
			"the first mistake."},
	{CodeShape, Error, "not the expected kind of document",
		"The text is JSON, YAML or another format that can be read, but not a document that is expected here."},
	{CodeUnreadable, Error, "file missing or unreadable",
		"There is no hook file where one is expected, or the file can't be read. Hooks from other files still run."},
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
		"The matcher isn't a valid JavaScript regular expression, or it matches no tool of the agent. The hook " +
			"never runs."},
	{CodeUnknownMember, Note, "unknown setting, ignored",
		"The agent that owns this file doesn't know this setting and ignores it."},
	{CodeDisabled, Note, "hooks are switched off",
		"A setting switches these hooks off."},
	{CodeMilliseconds, Note, "timeout looks like the wrong unit",
		"The number looks like milliseconds where the agent reads seconds, or like seconds where it reads " +
			"milliseconds."},
	{CodePluginRoot, Weaker, "plugin variable outside a plugin",
		"Only plugin hooks get the plugin's root folder in a variable. In a settings file the command fails."},
	{CodeRefusedFile, Weaker, "file rejected",
		"The file isn't a regular file inside the folder that it belongs to, or a symbolic link leads to it. Its " +
			"agent doesn't read it."},
	{CodeDeadCondition, Weaker, "condition can never be true",
		"A condition on an event without a tool is never true. Neither is the condition \"*\", several rules in one " +
			"text, what isn't a rule, or a rule about a tool that the matcher excludes. The hook never runs."},
	{CodeIgnoredOnce, Note, "once has no effect here",
		"The agent honors once only in the front matter of a skill. This hook runs every time."},
	{CodeBadCondition, Note, "condition is not a valid rule",
		"The condition isn't a valid permission rule. The hook runs for every call that its matcher accepts."},
	{CodeIgnoredMatcher, Note, "matcher has no effect on this event",
		"This event has nothing to match. The hook always runs."},
	{CodeOddMatcher, Note, "matcher looks like a glob",
		"The matcher looks like a glob, but the agent reads it as a regular expression."},
	{CodeRepeated, Loss, "duplicate field",
		"An object has the same field twice. The agent reads the last one and ignores the others, and so does " +
			"hookbridge."},
	{CodeNoVersion, Weaker, "version is missing",
		"The file has no version. The agent may reject all of it; hookbridge runs its hooks."},
	{CodeNewerWord, Weaker, "unknown word in a hook file",
		"hookbridge doesn't know this word, and the agent as of the version that hookbridge knows rejects the whole " +
			"file because of it. A newer version may know the word, so hookbridge runs the other hooks of the file."},
	{CodeNewerPart, Weaker, "unknown word in a hook's entry",
		"hookbridge can't read this part of an entry, and the agent as of the version that hookbridge knows skips " +
			"the hook, its group or all hooks of the event because of it. A newer version may read it, so hookbridge " +
			"runs what it can read."},
	{CodeScriptField, Weaker, "script reads what its agent never sends", "A hook's script reads a field, or compares " +
		"the tool with a name, that another agent has and the hook's own agent doesn't. The test never holds."},
	{CodeScriptExit, Loss, "exit status that refuses nothing", "The status refuses a call at other events only."},

	{CodeNoEvent, Weaker, "no such event in the host",
		"The host has no event for this hook, so the hook never runs there."},
	{CodeNoFeature, Loss, "setting not supported by the host",
		"The host has no counterpart for a setting of the hook. convert reports every setting that its file " +
			"can't state; install and doctor report a setting that is lost in a call of hookbridge, too."},
	{CodeAskDenied, Note, "ask became deny",
		"The host can't ask the user at this event, so the call is denied with the hook's reason. Where it can ask " +
			"at another event for the same call, --ask relay makes it do so."},
	{CodeInputDenied, Note, "rewritten input became deny",
		"The hook rewrote the tool's input, and the host can't apply that here. The call is denied, so that the " +
			"original input doesn't run."},
	{CodeContextCut, Loss, "context truncated",
		"The text is longer than the host accepts, or shows its model whole. The rest was cut off, or is in a file " +
			"whose path the model sees."},
	{CodeRelayed, Note, "delivered at a later event",
		"The host doesn't accept this text at this event. A later event of the session delivers it."},
	{CodeContextLost, Loss, "context lost",
		"The host accepts no context at this event or at a later one. The agent doesn't see the text."},
	{CodeOutputKept, Weaker, "tool result not replaced",
		"The host can't replace the result of this tool. The agent sees the original result, and the reason if a " +
			"hook blocked it."},
	{CodeEndTurn, Weaker, "turn not ended",
		"The hook ended the turn, and the host can't do that. hookbridge denies the remaining tool calls of the " +
			"turn that it sees."},
	{CodeNoticeLost, Note, "message to the user lost",
		"The host shows no message to the user at this event."},
	{CodeEffectLost, Loss, "effect not supported by the host",
		"The host has no counterpart for this part of the hook's answer."},
	{CodeMemberLost, Note, "payload field not translated",
		"The hook's agent has no such field, or no such value of it, so the hook doesn't see it."},
	{CodeAskAllowed, Weaker, "ask became allow",
		"The hook asked for confirmation. --ask allow lets the call proceed without asking."},
	{CodeDenyLost, Error, "deny not supported at this event",
		"The hook denied this, and the host can't block it. The call proceeds."},
	{CodeAskRelayed, Note, "user is asked at another event",
		"The host asks the user at another event of the same call."},
	{CodeEnvLost, Loss, "environment variables lost",
		"The host accepts no environment variables at this event."},
	{CodeKeepGoLost, Weaker, "agent can't be kept working",
		"The hook wants the agent to continue, and the host doesn't allow that at this event. The agent stops."},
	{CodeAskUncertain, Weaker, "host may not ask",
		"The hook asked for confirmation. This version of the host approves or ignores such a question by itself."},
	{CodeUntyped, Note, "event without a type",
		"The types of the target's SDK don't have this event, although its client sends it. The generated module " +
			"adds a cast."},
	{CodeAllowPassed, Note, "allow became no opinion",
		"The host's own permission rules decide, as they do without the hook. Either its hooks can't approve a call " +
			"there, or the hook's agent means \"no objection\" by allow. In the second case --allow approve skips " +
			"the prompt."},
	{CodeDeadValue, Note, "host never sends some values of the matcher",
		"The matcher lists values, and the host never sends some of them. The hook runs for the others."},
	{CodeFewerCalls, Weaker, "host raises the event for fewer calls",
		"The host raises this event only for some calls: for example only for calls it asks its user about, " +
			"not for some tools, or not for denied calls. So the hook may miss calls that it gets in its own " +
			"agent. A hook on the event before a tool call gets every call."},
	{CodeManyAnswers, Weaker, "host merges several hooks' answers differently",
		"Several hooks run at this event, and the host merges their answers by other rules than the hooks' agent. " +
			"An allow may override a denial, only one of several rewritten inputs or results may count, or a hook " +
			"may not see what the previous one changed. An entry of hookbridge runs all hooks and merges their " +
			"answers by their agent's rules. Copied hooks can't be merged."},
	{CodeMoreCalls, Loss, "host raises the event for more calls",
		"The host also raises this event for other calls, and its payload doesn't show the difference. For " +
			"example, a hook for successful calls also runs after failed ones."},
	{CodeServerName, Note, "MCP server has another name in the host",
		"The hook's agent adds the name of a plugin, or of a connector, to the name of an MCP server. Other agents " +
			"don't, so hookbridge runs the hook for the tools of the server's own name."},
	{CodeWayLacks, Loss, "host does less when it is started without its terminal",
		"The host never raises this event, or ignores a part of the answer, if it is started in this way."},
	{CodeWayAnswers, Weaker, "host answers a question itself",
		"The host runs a call that a hook asks about without asking its user, because of its permission mode or of " +
			"the way in which it was started. Where the payload shows the mode, hookbridge denies the call instead."},
	{CodeNotAwaited, Loss, "host doesn't wait for the hook",
		"The host goes on while the hook runs. The next hook may start before this one has ended, and a hook may be " +
			"ended with the session."},
	{CodeRuleLeft, Weaker, "permission rule not converted, or in part",
		"An agent refuses calls by a rule in its settings, without a hook. A guard can't refuse all of them, or the " +
			"rule isn't about exactly one tool. Calls that only the rule refuses run in the target."},
	{CodeScriptLost, Weaker, "script reads what a host never sends", "A hook's script reads a field that the hook's " +
		"own agent sends. The host has nothing of the kind, so hookbridge can't fill it in."},

	{CodeNotStarted, Weaker, "hook could not be started",
		"The command or its working directory doesn't exist, or can't be executed. The hook's agent decides what " +
			"that means; usually the call proceeds."},
	{CodeTimedOut, Weaker, "hook timed out",
		"The hook exceeded its timeout. It was killed with its child processes."},
	{CodeBadAnswer, Weaker, "output is not valid JSON",
		"The output of the hook looks like JSON but isn't valid, so the hook's agent ignores it."},
	{CodeBadSchema, Weaker, "answer has an invalid value",
		"A field of the answer has a value that the hook's own agent rejects. It ignores the whole answer."},
	{CodeHookFailed, Note, "hook failed",
		"The hook exited with a code that its agent treats as a failure that doesn't block."},
	{CodeTruncated, Loss, "hook output truncated",
		"The hook wrote more than the limit. The rest was dropped."},
	{CodeNoEvaluator, Weaker, "no evaluator",
		"Prompt and agent hooks need a model, and no --evaluator is set. The hook was skipped."},
	{CodeNoHandler, Weaker, "unsupported kind of hook",
		"hookbridge can't run this kind of hook outside its own agent."},
	{CodeHTTP, Weaker, "HTTP hook failed",
		"The request failed, a setting forbids it, or the answer wasn't a JSON object with a 2xx status. The call " +
			"proceeds, unless the hook's agent denies it then."},
	{CodeAlreadyRun, Note, "already run for this call",
		"The host sent a second event for the same call. The hook ran at the first one."},
	{CodeOwnImport, Note, "host runs these hooks itself",
		"The payload comes from the agent that these hooks are written for. It runs them without hookbridge."},
	{CodeState, Loss, "session file unavailable",
		"hookbridge couldn't use its session file. Anything held for a later event is lost."},
	{CodeUntrusted, Weaker, "project not trusted",
		"The entry requires trust, and the project's current hook files aren't trusted. Its hooks didn't run."},
	{CodeForeignAnswer, Weaker, "answer in another agent's format",
		"The answer, or a field of it, is in another agent's format. The hook's own agent ignores it."},
	{CodeSlowMatcher, Note, "matcher took too long",
		"The regular expression exceeded its time limit. hookbridge treats that as a match."},
	{CodeReleased, Note, "hook continues in the background",
		"The hook announced that it continues asynchronously. hookbridge doesn't read what it prints later."},
	{CodeServerUnknown, Note, "MCP server unknown",
		"The host didn't name the tool's MCP server. The hooks for the configured or assumed servers ran."},
	{CodeDetached, Note, "hook runs in the background",
		"The hook is asynchronous. hookbridge started it and didn't wait for it."},
	{CodeIgnoredEffect, Note, "the hook's own agent ignores this",
		"The hook's own agent ignores this part of the answer at this event, and so does hookbridge."},
	{CodeBridge, Error, "hookbridge failed",
		"hookbridge itself failed and ran no hooks. The message says why."},
	{CodeEnvFile, Loss, "line of the environment file ignored",
		"The hook wrote a line that is neither an assignment nor an export. Only these are supported."},
	{CodeEvaluator, Weaker, "evaluator gave no usable answer",
		"The evaluator failed, or its answer couldn't be read. The call proceeds, as in the hook's own agent."},
	{CodeModule, Error, "module can't be loaded",
		"The module can't be loaded, exports no hooks, or Node.js isn't installed."},
	{CodeTranscript, Note, "transcript missing or incomplete",
		"Hooks get a copy of the host's transcript in their own agent's format. The host has none, or part of it " +
			"couldn't be translated."},
	{CodeOldAnswer, Note, "answer in an older format",
		"The answer uses the format of an older version of the hook's agent. hookbridge honors it where it makes " +
			"the decision stricter or adds a reason; the current version of the agent ignores it."},
	{CodeHooksChanged, Note, "hooks changed during the session",
		"The hook files changed after the session's first call. The agent would keep the hooks that it started " +
			"with; hookbridge reads the files at each call. The severity is weaker if a hook is gone or different. " +
			"Without --pin-hooks this needs an entry at the session's start: hookbridge keeps no state of a session " +
			"for this alone. With --pin-hooks every tool call is denied until a new session starts."},
	{CodeOddInput, Note, "arguments that the tool doesn't take",
		"The model called a tool of the host with an argument of another type, or without the command, path or " +
			"address that the tool acts on. Hooks see a number or boolean as text, any other value as it is, and a " +
			"field of another name in the place of the missing one. The severity is weaker if hooks may not " +
			"understand the call; an entry with --fail-closed denies a call with an argument that isn't text."},

	{CodeNotCalled, Weaker, "the host doesn't call hookbridge",
		"The host's hook files have no working entry of hookbridge at an event that the hook needs, so the hook " +
			"doesn't run there."},
	{CodeRunsTwice, Weaker, "the hook runs twice", "Several entries run the hook for the same call, so its side " +
		"effects happen twice."},
	{CodeForeignImport, Weaker, "the host sends the hook its own payload",
		"The host runs another agent's hook without hookbridge: it imports the hook file by itself, or convert " +
			"copied the hook (--wrap never). The script gets the host's payload, which it may not understand, and " +
			"the host reads the answer in its own way. An imported hook runs twice where hookbridge is installed."},
	{CodeAlwaysRuns, Note, "the hook always runs", "The hook belongs to a skill or a sub-agent. The host doesn't " +
		"say when that is active, so the hook runs at every event."},
	{CodeUnreviewed, Weaker, "the host waits for an approval",
		"The host runs a hook only after its user has approved it, or has trusted the project's folder. Some hosts " +
			"want a new approval after every change. Until then most skip the hook without a warning."},
	{CodeScenario, Weaker, "a scenario fails", "The hooks answer a scenario of hookbridge test differently from " +
		"what it expects under this agent. The scenario is out of date, or a guard doesn't hold there."},
	{CodeTooOld, Weaker, "hookbridge is older than the project requires",
		"hookbridge.yaml requires a newer hookbridge, and install has written that into the entries. An older one " +
			"refuses the calls that hooks could refuse if the launcher's policy is closed, or else runs the hooks " +
			"and notifies the user."},
	{CodeExcluded, Note, "the hook is excluded from this agent",
		"hookbridge.yaml excludes the hook from the agent, and the entry doesn't run it."},
	{CodeChoice, Weaker, "a choice in hookbridge.yaml isn't what happens", "A choice under hooks names no hook, and " +
		"excludes none, or an entry doesn't follow it: it runs an excluded hook, or leaves out another one."},

	{CodePluginStale, Weaker, "a plugin's files are out of date",
		"The plugin's hooks have changed since hookbridge plugin write wrote this file, or somebody has edited " +
			"the file."},
	{CodePluginFolder, Weaker, "an agent doesn't set this variable for the plugin's folder",
		"The command uses a variable for the plugin's folder. An agent that reads the file doesn't set it, or " +
			"doesn't replace it in this form, so the command fails there."},
	{CodePluginQuotes, Weaker, "the plugin's folder isn't quoted",
		"The command uses the plugin's folder without double quotes. It fails if the folder's path has a space."},
	{CodePluginTimeout, Weaker, "agents read a timeout in different units",
		"Several agents read the file, some in seconds and some in milliseconds. The hook may time out at once " +
			"in one of them."},
	{CodePluginPointer, Weaker, "a manifest's hooks are not read",
		"The manifest names hooks in a form that an agent ignores, reads differently, or rejects in some versions."},
	{CodePluginHidden, Weaker, "a manifest hides another one's hooks",
		"An agent reads another manifest first. That one names no hooks, so the agent finds none."},
	{CodePluginScript, Weaker, "a plugin's script is missing or not executable",
		"The command starts a file of the plugin that doesn't exist or isn't executable."},
	{CodePluginVersion, Note, "a plugin's manifests state different versions",
		"Agents show different versions of the same plugin, and some decide by the version whether to update."},
	{CodePluginArgs, Weaker, "an agent drops a command's arguments",
		"The hook has its arguments in a separate list. An agent that reads the file runs the command without " +
			"them."},
	{CodePluginTooLong, Note, "an agent grants a hook less time",
		"The hook's timeout is longer than an agent allows at this event. The agent stops it early."},
	{CodePluginRejected, Weaker, "an agent rejects a plugin's file",
		"An agent that reads the file rejects it, or a hook in it. The agent that the file is written for " +
			"accepts it."},
	{CodePluginMoves, Weaker, "an update moves the plugin",
		"The hooks belong to an installed plugin, in a folder named after its version. An update installs them " +
			"in another folder. The converted entries then run the old hooks, or fail."},
}

// Info returns the documentation of c; ok is false for an unknown code.
func (c Code) Info() (info CodeInfo, ok bool) {
	if i := lists.Find(codes, func(i *CodeInfo) bool { return i.Code == c }); i != nil {
		return *i, true
	}
	return info, false
}

// Severity returns the usual severity of c, Error for an unknown code.
func (c Code) Severity() Severity {
	if i, ok := c.Info(); ok {
		return i.Severity
	}
	return Error
}

// Severities lists those that findings of c have: the usual one, and those of the cases
// that weigh differently. A finding about a hook that can block is weaker where the same
// about another hook is a loss.
func (c Code) Severities() []Severity {
	usual := []Severity{c.Severity()}
	switch c {
	case CodeNoEvent, CodeNoFeature: // of a guard; of a hook that informs; of a matcher's value
		return []Severity{Weaker, Loss, Note}
	case CodeDenyLost, CodeOddInput: // of a hook that may deny; of what hooks may not understand
		return append(usual, Weaker)
	case CodeDeadMatcher: // of a hook that informs; one name of several that match something
		return append(usual, Loss, Note)
	case CodeVoidHook, CodeNoEvaluator, CodeNoHandler, CodeHTTP, CodeNotCalled, CodeNotStarted, CodeTimedOut,
		CodeBadAnswer, CodeBadSchema, CodeEvaluator, CodeForeignImport:
		return append(usual, Loss)
	}
	return usual
}

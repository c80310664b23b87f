package schema

// Advice says what to do about a Code. The explain command and docs/codes.md
// are made from it.
type Advice struct {
	Code   Code
	Do     string
	Before string // an example of what raises it
	After  string // what becomes of that, or what to write instead
}

// Advice returns what to do about c; ok is false for an unknown code.
func (c Code) Advice() (a Advice, ok bool) {
	for _, a := range advice {
		if a.Code == c {
			return a, true
		}
	}
	return Advice{}, false
}

// About returns the feature that a code is about, 0 if it is about none: what the
// agents can do with that is what the code means in each of them.
func (c Code) About() Feature {
	for _, a := range codeFeatures {
		for _, code := range a.codes {
			if code == c {
				return a.feature
			}
		}
	}
	return 0
}

var codeFeatures = []struct {
	feature Feature
	codes   []Code
}{
	{EffectAsk, []Code{CodeAskDenied, CodeAskAllowed, CodeAskRelayed, CodeAskUncertain}},
	{EffectInput, []Code{CodeInputDenied}},
	{EffectContext, []Code{CodeContextCut, CodeRelayed, CodeContextLost}},
	{EffectOutput, []Code{CodeOutputKept}},
	{EffectEndTurn, []Code{CodeEndTurn}},
	{EffectNotice, []Code{CodeNoticeLost}},
	{EffectDeny, []Code{CodeDenyLost}},
	{EffectEnv, []Code{CodeEnvLost, CodeEnvFile}},
	{EffectKeepGoing, []Code{CodeKeepGoLost}},
	{HookTimeout, []Code{CodeMilliseconds, CodeTimedOut}},
	{HookCondition, []Code{CodeDeadCondition, CodeBadCondition}},
	{HookOnce, []Code{CodeIgnoredOnce}},
	{HookFailPolicy, []Code{CodeNotStarted, CodeHookFailed}},
	{HookAsync, []Code{CodeDetached, CodeReleased}},
}

var advice = []Advice{
	{CodeSyntax, "Go to the place, and write valid JSON: no comma after the last member, no member twice.",
		`{"hooks": {"Stop": [],}}`, `{"hooks": {"Stop": []}}`},
	{CodeShape, "Look whether this is the file that you meant, and name its dialect with --from or --dialect.",
		`hookbridge convert --from claude --to qoder .cursor/hooks.json`, `hookbridge convert --from cursor --to qoder .cursor/hooks.json`},
	{CodeUnreadable, "Look at the file's permissions, and that it is a plain file.",
		`a folder called .claude/settings.json`, `a file called .claude/settings.json; until then the other sources count alone`},
	{CodeNoEventName, "Pipe the host's payload as it is into hookbridge run; to make one for a try, use hookbridge fire.",
		`{"tool_name": "Bash"}`, `{"hook_event_name": "PreToolUse", "tool_name": "Bash"}`},
	{CodeUnknownEvent, "Look whether --host is right. If the host is newer than hookbridge, report the event.",
		`hookbridge run --host cursor, given {"hook_event_name": "beforeLunch"}`, `exit status 1, or a refusal with --fail-closed`},

	{CodeSkippedEvent, "Write the event as this agent calls it; hookbridge check says which it is.",
		`.claude/settings.json: {"hooks": {"beforeShellExecution": [...]}}`, `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [...]}]}}`},
	{CodeVoidFile, "Correct the entry at the place: until then its agent runs nothing of this file, and neither does the bridge.",
		`.cursor/hooks.json: {"version": 1, "hooks": {"PreToolUse": [...]}}`, `{"version": 1, "hooks": {"preToolUse": [...]}}`},
	{CodeVoidHook, "Correct the entry; the message says what is missing.",
		`{"matcher": "", "command": "./x.sh"}`, `{"matcher": "", "hooks": [{"type": "command", "command": "./x.sh"}]}`},
	{CodeDeadMatcher, "Write a matcher that fits a tool of this agent, in this agent's grammar.",
		`.cursor/hooks.json: "matcher": "Bash"`, `"matcher": "Shell"`},
	{CodeUnknownMember, "Take it out, or write it as this agent calls it. It has no effect as it is.",
		`.claude/settings.json: "failClosed": true`, `"onFailure": "block"`},
	{CodeDisabled, "Nothing, if that is meant; otherwise take the setting out of the file that the message names.",
		`"disableAllHooks": true`, `no hook of the file runs, under its own agent or through the bridge`},
	{CodeMilliseconds, "Write the number in the unit that the agent reads; the message says which.",
		`"timeout": 5000`, `"timeout": 5`},
	{CodePluginRoot, "In a settings file name the script by its path, or from the project.",
		`"command": "${CLAUDE_PLUGIN_ROOT}/guard.sh"`, `"command": "$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh"`},
	{CodeRefusedFile, "Name a file inside the plugin.",
		`plugin.json: "hooks": "../../shared/hooks.json"`, `"hooks": "./hooks/hooks.json"`},
	{CodeDeadCondition, "Take the condition out, or put the hook on an event about a tool.",
		`"Stop": [{"hooks": [{"type": "command", "command": "./x.sh", "if": "Bash(git *)"}]}]`, `the same without "if"`},
	{CodeIgnoredOnce, "Take it out: the hook runs every time here. A hook that is to run once keeps that in mind by itself.",
		`.claude/settings.json: "once": true`, `the hook runs at every event`},
	{CodeBadCondition, "Write a permission rule: a tool's name, or one with an argument in brackets.",
		`"if": "Bash(git"`, `"if": "Bash(git *)"`},
	{CodeIgnoredMatcher, "Take the matcher out: the hook runs every time.",
		`"UserPromptSubmit": [{"matcher": "deploy", "hooks": [...]}]`, `the same without "matcher"; look for the word in the hook`},
	{CodeOddMatcher, "Write it as the regular expression, or the name, that it is compared with.",
		`"matcher": "mcp__db__*"`, `"matcher": "mcp__db__.*"`},
	{CodeRepeated, "Remove one of the two members; if both hold hooks, put the hooks of both into one list.",
		`{"hooks": {...}, "hooks": {}}`, `no hooks: the last one counts`},
	{CodeNoVersion, "Add \"version\": 1 at the top of the file.",
		`{"hooks": {"beforeShellExecution": [...]}}`, `the hooks run, and the file is reported`},

	{CodeNoEvent, "Keep the hook in its own agent, or put it on an event that the host has: hookbridge matrix lists them.",
		`a hook on Notification, under Cursor`, `it never runs there; doctor says never`},
	{CodeNoFeature, "Do without it, or keep the hook in its own agent.",
		`"statusMessage": "checking", converted to a hooks.json`, `the hook without a status message`},
	{CodeAskDenied, "Nothing, if a refusal will do. --ask relay asks at the host's gate event, --ask allow lets the act proceed.",
		`a hook answers ask before a tool, under Cursor`, `the act is denied with the hook's reason`},
	{CodeInputDenied, "Let the hook deny with a reason that says what to write instead; the agent then tries again.",
		`a hook replaces the content of a file, under Cursor`, `the write is denied, and the reason says what was rewritten`},
	{CodeContextCut, "Say less, or write the text to a file and say where it is.",
		`20,000 characters of context, under Cursor`, `the first 10,000, with a mark at the end`},
	{CodeRelayed, "Nothing: it arrives with a later event of the session.",
		`context added before a tool, on an event that takes none`, `the same context after the tool`},
	{CodeContextLost, "Move the hook to an event that takes context: hookbridge explain EVENT tells which effects are heeded.",
		`context added at the end of a session`, `nobody reads it`},
	{CodeOutputKept, "Guard before the tool instead, so that what must not be seen is not fetched.",
		`a hook replaces the result of a shell command, under Cursor`, `the agent sees the original result`},
	{CodeEndTurn, "Deny as well: a hook that must stop an act says deny, not only that the turn ends.",
		`{"continue": false}, under Cursor`, `the further tool calls of the turn are denied`},
	{CodeNoticeLost, "Say it as context or as a reason if it must be read.",
		`{"systemMessage": "formatted"} on an event without a channel for the user`, `nobody sees it`},
	{CodeEffectLost, "Do without the effect, or keep the hook in its own agent.",
		`{"hookSpecificOutput": {"sessionTitle": "x"}}, under Cursor`, `the session keeps its title`},
	{CodeMemberLost, "Nothing, unless the hook needs the member: it does not find it under this host.",
		`"is_background_agent": true, shown to a hook for another agent`, `a payload without it`},
	{CodeAskAllowed, "Take --ask allow out if the question matters.",
		`a hook answers ask, and the entry says --ask allow`, `the act proceeds without a question`},
	{CodeDenyLost, "Guard at an event that can refuse: hookbridge matrix shows where deny is carried.",
		`a hook blocks a compaction, under Cursor`, `the compaction goes on`},
	{CodeAskRelayed, "Nothing: the user is asked a moment later, about the same act.",
		`ask at preToolUse, with --ask relay`, `ask at beforeShellExecution`},
	{CodeEnvLost, "Set the variable where the agent is started, or in a file that the commands read.",
		`a variable written at an event that takes none`, `later commands do not have it`},
	{CodeKeepGoLost, "Say it at the end of the turn instead, where the agent can be sent back.",
		`a hook sends the agent back on an event that cannot`, `the agent stops`},
	{CodeAskUncertain, "Leave --ask at deny if the question guards something: this version is known not to ask.",
		`ask at beforeShellExecution of the Cursor SDK`, `the SDK approves by itself`},
	{CodeUntyped, "Nothing: the module casts the name so that it compiles, and the client raises the event.",
		`an event that the SDK's types do not list`, `the same event, cast`},
	{CodeAllowPassed, "Nothing, unless the hook is meant to approve calls without a question: then add --allow approve, where the host's hooks can approve.",
		`{"permission": "allow"} of a Cursor hook, under Claude Code`, `{}: Claude Code asks the user, or not, as its rules say`},
	{CodeDeadValue, "Nothing, if the hook only needs the values that are left. `hookbridge matrix` lists the values that a host never sends.",
		`"SessionStart": [{"matcher": "startup|clear", ...}], under Cursor`, `it runs at startup; Cursor never says clear`},

	{CodeNotStarted, "Look whether the script exists and is executable: hookbridge doctor names it, hookbridge check its place.",
		`"command": "./guard.sh", without such a file`, `chmod +x guard.sh, and "command": "\"$CLAUDE_PROJECT_DIR\"/guard.sh"`},
	{CodeTimedOut, "Give the hook more time, or make it quicker. Where it guards, let its failure block.",
		`"timeout": 1, and a hook that takes 3 seconds`, `"timeout": 10`},
	{CodeBadAnswer, "Print exactly one JSON object to stdout, and everything else to stderr.",
		`echo "checking..."; echo '{"decision": "block"'`, `echo "checking..." >&2; echo '{"decision": "block", "reason": "no"}'`},
	{CodeBadSchema, "Write the member as its agent reads it; the message names it.",
		`{"decision": "deny"}`, `{"decision": "block", "reason": "no"}`},
	{CodeHookFailed, "Look at the hook's stderr. To block, end with the status that blocks: 2.",
		`exit 1`, `exit 2`},
	{CodeTruncated, "Print less: what is over the limit is not read.",
		`cat huge.log in a hook`, `tail -100 huge.log`},
	{CodeNoEvaluator, "Name a program that asks a model: prompt on stdin, {\"ok\": true} or {\"ok\": false, \"reason\": text} on stdout.",
		`a hook of type prompt; hookbridge run --host cursor`, `hookbridge run --host cursor --evaluator ./ask-model`},
	{CodeNoHandler, "Write the hook as a command, or keep it in its own agent.",
		`"type": "mcp_tool"`, `"type": "command"`},
	{CodeHTTP, "Look whether the server runs, and whether a setting allows its address. curl must be installed.",
		`"url": "http://localhost:9/hook", and no server`, `the act proceeds`},
	{CodeAlreadyRun, "Nothing: it keeps the hook from running twice for one act.",
		`preToolUse and beforeShellExecution for one command`, `the hook runs at the first of them`},
	{CodeOwnImport, "Nothing, or take the entry out of the file of the agent that runs these hooks itself.",
		`an entry of the bridge in a file that another agent imports`, `the bridge answers with no opinion`},
	{CodeState, "Look at the folder of session files: HOOKBRIDGE_STATE_DIR, or a folder of yours for temporary files.",
		`a disk that is full`, `every event is answered by itself; what needs a second one is not carried`},
	{CodeUntrusted, "Look at the project's hooks, then run hookbridge trust in it. After a change do it again.",
		`a user's entry with --require-trust, in a project that is new`, `hookbridge trust`},
	{CodeForeignAnswer, "Answer in the words of the agent that the hook is registered for, or register it for the other one.",
		`a hook in .claude/settings.json prints {"permission": "deny"}`, `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}`},
	{CodeSlowMatcher, "Write a regular expression without nested repeats.",
		`"matcher": "(a+)+$"`, `"matcher": "a+$"`},
	{CodeReleased, "Nothing, if the hook decides nothing.",
		`{"async": true} as the first line`, `the agent goes on at once`},
	{CodeServerUnknown, "Call the bridge at the host's event for MCP tools, which names the server, as install does.",
		`preToolUse of MCP:query`, `beforeMCPExecution of query, of the server db`},
	{CodeDetached, "Nothing: such a hook decides nothing, and what it adds comes with a later event.",
		`"async": true`, `the agent does not wait`},
	{CodeIgnoredEffect, "Take it out of the answer: the hook's own agent does not heed it either.",
		`a stop hook that sends the agent back for the ninth time`, `the agent stops`},
	{CodeBridge, "Read the message; if it is a fault of hookbridge, report it with what hookbridge fire --json prints.",
		`a payload that is cut off`, `exit status 1, or a refusal with --fail-closed`},
	{CodeEnvFile, "Write one NAME=value or export NAME=value a line.",
		`echo 'source ~/.profile' >> "$CLAUDE_ENV_FILE"`, `echo 'export PATH="$PATH:/opt/bin"' >> "$CLAUDE_ENV_FILE"`},
	{CodeEvaluator, "Let the evaluator end with status 0 and print one JSON object with ok.",
		`yes`, `{"ok": true}`},
	{CodeModule, "Run it by hand with node, and let it export its hooks. Node.js must be installed.",
		`a module that ends with a syntax error`, `export const hooks = {PreToolUse: [...]}`},
	{CodeTranscript, "Let the hook work without a transcript. If part of one is missing, read the host's file that the message names.",
		`"transcript_path": null`, `"transcript_path": ""`},
	{CodeOldAnswer, "Write the present words: permission for decision, user_message and agent_message for reason.",
		`{"decision": "deny", "reason": "no"} of a Cursor hook`, `the call is denied, and the old form is reported`},
	{CodeHooksChanged, "Look at what changed the hook files. Start a new session, or deny such sessions: install --pin-hooks.",
		`a guard is removed from the hook file while the agent works`, `hookbridge run --pin-hooks denies the next tool call`},
	{CodeNotCalled, "Install the bridge for the host, or renew its entries after hooks were added.",
		`hooks in .claude/settings.json, and none in .cursor/hooks.json`, `hookbridge install --host cursor`},
	{CodeRunsTwice, "Remove one of the entries that hookbridge doctor names.",
		`a converted hook beside an entry of hookbridge`, `hookbridge uninstall --host cursor`},
	{CodeForeignImport, "Switch the import off in the host and say so in hookbridge.yaml.",
		`Cursor reads .claude/settings.json`, `facts: {cursor: {third-party-imports: off}}`},
	{CodeAlwaysRuns, "Nothing, or let the hook itself look whether it applies.",
		`hooks in the front matter of a SKILL.md, converted for Cursor`, `they run at every event`},
	{CodeUnreviewed, "Review the hooks in the host, each user on their own machine.",
		`an entry in .codex/hooks.json that is new`, `/hooks in Codex`},
}

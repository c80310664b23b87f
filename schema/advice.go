package schema

import (
	"slices"

	"github.com/hookbridge/hookbridge/internal/lists"
)

// Advice says what to do about a Code. docs/codes.md and the explain command use
// it.
type Advice struct {
	Code   Code   `json:"-"`
	Do     string `json:"do"`
	Before string `json:"before"` // an example that is reported
	After  string `json:"after"`  // what to write instead, or the result
}

// Advice returns what to do about c; ok is false for an unknown code.
func (c Code) Advice() (a Advice, ok bool) {
	if a := lists.Find(advice, func(a *Advice) bool { return a.Code == c }); a != nil {
		return *a, true
	}
	return a, false
}

// About returns the feature that a code is about, 0 if there is none. What each
// agent can do with the feature is what the code means for that agent.
func (c Code) About() Feature {
	for _, a := range codeFeatures {
		if slices.Contains(a.codes, c) {
			return a.feature
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
	{CodeSyntax, "Correct the text at the position. JSON has no comma after the last field and no duplicate fields; " +
		"YAML has no tabs.",
		`{"hooks": {"Stop": [],}}`, `{"hooks": {"Stop": []}}`},
	{CodeShape, "Correct the text at the position, or check that this is the right file and name its agent with " +
		"--from or --dialect.",
		`hookbridge convert --from claude --to qoder .cursor/hooks.json`,
		`hookbridge convert --from cursor --to qoder .cursor/hooks.json`},
	{CodeUnreadable, "Check the path and the file's permissions, and that it is a regular file.",
		`a folder called .claude/settings.json`, `a file called .claude/settings.json`},
	{CodeNoEventName, "Pipe the host's unchanged payload into hookbridge run. To try an event by hand, use " +
		"hookbridge fire.",
		`{"tool_name": "Bash"}`, `{"hook_event_name": "PreToolUse", "tool_name": "Bash"}`},
	{CodeUnknownEvent, "Check --host. If the host is newer than hookbridge, report the event.",
		`hookbridge run --host cursor, given {"hook_event_name": "beforeLunch"}`,
		`exit code 1, or deny with --fail-closed`},

	{CodeSkippedEvent, "Use the name that this agent has for the event; hookbridge check suggests one.",
		`.claude/settings.json: {"hooks": {"beforeShellExecution": [...]}}`,
		`{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [...]}]}}`},
	{CodeVoidFile, "Correct the entry. Until then neither the agent nor hookbridge runs a hook of this file.",
		`.cursor/hooks.json: {"version": 1, "hooks": {"PreToolUse": [...]}}`,
		`{"version": 1, "hooks": {"preToolUse": [...]}}`},
	{CodeVoidHook, "Correct the entry; the message says what is missing.",
		`{"matcher": "", "command": "./x.sh"}`, `{"matcher": "", "hooks": [{"type": "command", "command": "./x.sh"}]}`},
	{CodeDeadMatcher, "Write a matcher for a tool of this agent.",
		`.cursor/hooks.json: "matcher": "Bash"`, `"matcher": "Shell"`},
	{CodeUnknownMember, "Remove it, or use the name that this agent has for it.",
		`.claude/settings.json: "failClosed": true`, `"onFailure": "block"`},
	{CodeDisabled, "If you didn't intend this, remove the setting from the file in the message.",
		`"disableAllHooks": true`, `no hook of the file runs, under its own agent or through hookbridge`},
	{CodeMilliseconds, "Write the number in the unit that the message names.",
		`"timeout": 5000`, `"timeout": 5`},
	{CodePluginRoot, "In a settings file, use the path of the script, or a path relative to the project.",
		`"command": "${CLAUDE_PLUGIN_ROOT}/guard.sh"`, `"command": "$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh"`},
	{CodeRefusedFile, "Name a regular file inside the plugin; put a file in the place of a symbolic link.",
		`plugin.json: "hooks": "../../shared/hooks.json"`, `"hooks": "./hooks/hooks.json"`},
	{CodeDeadCondition, "Remove the condition, or move the hook to an event with a tool.",
		`"Stop": [{"hooks": [{"type": "command", "command": "./x.sh", "if": "Bash(git *)"}]}]`,
		`the same without "if"`},
	{CodeIgnoredOnce, "Remove it. If the hook must run only once, let the script remember that.",
		`.claude/settings.json: "once": true`, `the hook runs every time`},
	{CodeBadCondition, "Write a permission rule: the name of a tool, or a name with an argument in parentheses.",
		`"if": "Bash(git"`, `"if": "Bash(git *)"`},
	{CodeIgnoredMatcher, "Remove the matcher, and let the script check for the value.",
		`"UserPromptSubmit": [{"matcher": "deploy", "hooks": [...]}]`,
		`the same without "matcher"; look for the word in the hook`},
	{CodeOddMatcher, "Write a regular expression, or the exact name.",
		`"matcher": "mcp__db__*"`, `"matcher": "mcp__db__.*"`},
	{CodeRepeated, "Remove one of the two. If both contain hooks, merge them into one list.",
		`{"hooks": {...}, "hooks": {}}`, `no hooks: the last one counts`},
	{CodeNoVersion, "Add \"version\": 1 at the top of the file.",
		`{"hooks": {"beforeShellExecution": [...]}}`, `the hooks run, and the file is reported`},
	{CodeNewerWord, "Correct the word if it is a mistake, or update hookbridge. With --fail-closed, calls are denied " +
		"until then.",
		`.cursor/hooks.json: {"version": 1, "hooks": {"beforeLunch": [...], "preToolUse": [...]}}`,
		`other agents run the hooks on preToolUse; Cursor runs none`},
	{CodeNewerPart, "Correct the entry if it is a mistake, or update hookbridge. With --fail-closed, calls are " +
		"denied until then.",
		`.qoder/settings.json: {"type": "command", "command": "guard.sh", "timeout": "30s"}`,
		`other agents run guard.sh; Qoder as of the known version doesn't`},
	{CodeScriptField, "Read the field, or compare with the name, that the hook's agent sends. hookbridge schema " +
		"prints its payloads.", `jq -r .tool_output in a hook on PostToolUse`, `jq -r .tool_response`},
	{CodeScriptExit, "Use an event where the agent honors a refusal, or exit with 0.",
		`exit 2 in a hook on SessionEnd`, `exit 0`},

	{CodeNoEvent, "Move the hook to an event that the host has (hookbridge matrix lists them), or keep it for its " +
		"own agent only.",
		`a hook on Notification, under Cursor`, `it never runs there; doctor reports it as never`},
	{CodeNoFeature, "Remove the setting, or keep the hook for its own agent only.",
		`"statusMessage": "checking", converted to a hooks.json`, `the hook without a status message`},
	{CodeAskDenied, "If a denial is good enough, nothing. Otherwise add --ask relay to ask at another event, or " +
		"--ask allow to let the call proceed.",
		`a hook answers ask before a tool, under Cursor`, `the call is denied with the hook's reason`},
	{CodeInputDenied, "Let the hook deny the call with a reason that says what to write instead. The agent then " +
		"tries again.",
		`a hook replaces the content of a file, under Cursor`,
		`the write is denied, and the reason says what was rewritten`},
	{CodeContextCut, "Shorten the text, or write it to a file and print the path.",
		`20,000 characters of context, under Cursor`, `the first 10,000, with a mark at the end`},
	{CodeRelayed, "Nothing. The text arrives with a later event of the session.",
		`context added before a tool, on an event that takes none`, `the same context after the tool`},
	{CodeContextLost, "Move the hook to an event that accepts context; hookbridge matrix shows what each event " +
		"supports.",
		`context added at the end of a session`, `the agent doesn't see it`},
	{CodeOutputKept, "Deny the call before the tool runs, so that the agent never gets the result.",
		`a hook replaces the result of a shell command, under Cursor`, `the agent sees the original result`},
	{CodeEndTurn, "Let the hook deny the call as well. Ending the turn alone doesn't stop it.",
		`{"continue": false}, under Cursor`, `the further tool calls of the turn are denied`},
	{CodeNoticeLost, "If the user must read it, use a reason or context instead.",
		`{"systemMessage": "formatted"} on an event without a channel for the user`, `the user doesn't see it`},
	{CodeEffectLost, "Don't rely on this effect here, or keep the hook for its own agent only.",
		`{"hookSpecificOutput": {"sessionTitle": "x"}}, under Cursor`, `the session keeps its title`},
	{CodeMemberLost, "Nothing, unless the hook needs the field. It can't get it in this host.",
		`"is_background_agent": true, shown to a hook for another agent`, `a payload without it`},
	{CodeAskAllowed, "Remove --ask allow if the question matters.",
		`a hook answers ask, and the entry says --ask allow`, `the call proceeds without a question`},
	{CodeDenyLost, "Move the guard to an event that can be blocked; hookbridge matrix shows where deny is supported.",
		`a hook blocks a compaction, under Cursor`, `the compaction goes on`},
	{CodeAskRelayed, "Nothing. The user is asked a moment later, about the same call.",
		`ask at preToolUse, with --ask relay`, `ask at beforeShellExecution`},
	{CodeEnvLost, "Set the variable where the agent is started, or in a file that the commands read.",
		`a variable written at an event that takes none`, `later commands do not have it`},
	{CodeKeepGoLost, "Move the hook to the end of the turn, where the agent can be kept working.",
		`a hook keeps the agent working at an event where it can't`, `the agent stops`},
	{CodeAskUncertain, "If the question protects something, keep --ask deny.",
		`ask at beforeShellExecution of the Cursor SDK`, `the SDK approves by itself`},
	{CodeUntyped, "Nothing. The module compiles, and the client sends the event.",
		`an event that the SDK's types do not list`, `the same event, cast`},
	{CodeAllowPassed, "Nothing, unless the hook is meant to skip the prompt. In that case add --allow approve; it " +
		"works where the host's hooks can approve.",
		`{"permission": "allow"} of a Cursor hook, under Claude Code`,
		`{}: Claude Code's own rules decide whether to ask the user`},
	{CodeDeadValue, "Nothing, if the hook only needs the remaining values. hookbridge matrix lists the values that " +
		"a host never sends.",
		`"SessionStart": [{"matcher": "startup|clear", ...}], under Cursor`,
		`it runs at startup; Cursor never sends clear`},
	{CodeFewerCalls, "Put the guard on the event before a tool call as well. It runs for every call there.",
		`a guard on PermissionRequest of Claude Code, under Codex`, `the same script on PreToolUse`},
	{CodeManyAnswers, "Let hookbridge run the hooks (convert without --wrap never), or do everything in one hook.",
		`a hook that rewrites a command and one that checks it, copied from Copilot to Claude Code`,
		`one entry of hookbridge for both`},
	{CodeMoreCalls, "Let the script look at the result itself, if it matters whether the call worked.",
		`a notifier on PostToolUse of Claude Code, under Codex`, `it also runs for a command that failed`},

	{CodeServerName, "Nothing, if the server's own name is the same in both agents. Else add that name to the matcher.",
		`"matcher": "mcp__plugin_ledger_books__pay_bill" under Gemini CLI`,
		"the hook runs for the tool pay_bill of the server books"},
	{CodeWayLacks, "Guard the calls that matter before the tool runs: that event comes however the agent is started.",
		"a guard on prompts under Droid, started as droid exec", "it runs in Droid's terminal only"},
	{CodeWayAnswers, "Let the hook deny, or don't start the agent in this way.",
		`a hook that answers "ask" under Grok Build, started as grok -p --permission-mode bypassPermissions`,
		"hookbridge denies the call"},
	{CodeNotAwaited, "Keep the hook short, and let it not depend on being the last to run.",
		"a formatter after each edit under Kimi Code", "the formatter of the last edit may not end"},
	{CodeRuleLeft, "Write a hook that refuses the other calls.",
		`"permissions": {"deny": ["mcp__github", "Bash(rm *)"]}; hookbridge convert --permissions --to cursor`,
		"an entry for the second rule, and a finding for the first"},
	{CodeScriptLost, "Let the script decide without the field, or exclude the hook from that host in hookbridge.yaml.",
		`jq -r .effort in a hook of Claude Code, under Cursor`, `exclude: [cursor]`},
	{CodeNotStarted, "Check that the script exists and is executable; hookbridge doctor names it.",
		`"command": "./guard.sh", without such a file`,
		`chmod +x guard.sh, and "command": "\"$CLAUDE_PROJECT_DIR\"/guard.sh"`},
	{CodeTimedOut, "Increase the timeout or make the hook faster. If it is a guard, set `failClosed` in Cursor, or " +
		"install with --fail-closed.",
		`"timeout": 1, and a hook that takes 3 seconds`, `"timeout": 10`},
	{CodeBadAnswer, "Print exactly one JSON object to stdout, and everything else to stderr.",
		`echo "checking..."; echo '{"decision": "block"'`,
		`echo "checking..." >&2; echo '{"decision": "block", "reason": "no"}'`},
	{CodeBadSchema, "Correct the field that the message names.",
		`{"decision": "deny"}`, `{"decision": "block", "reason": "no"}`},
	{CodeHookFailed, "Read the hook's stderr. To block, exit with 2.",
		`exit 1`, `exit 2`},
	{CodeTruncated, "Print less.",
		`cat huge.log in a hook`, `tail -100 huge.log`},
	{CodeNoEvaluator, "Name a program that asks a model: --evaluator COMMAND. It gets the prompt on stdin and " +
		"prints {\"ok\": true} or {\"ok\": false, \"reason\": text}.",
		`a hook of type prompt; hookbridge run --host cursor`, `hookbridge run --host cursor --evaluator ./ask-model`},
	{CodeNoHandler, "Rewrite the hook as a command, or keep it for its own agent only.",
		`"type": "mcp_tool"`, `"type": "command"`},
	{CodeHTTP, "Check that the server runs and that the settings allow its address. curl must be installed.",
		`"url": "http://localhost:9/hook", and no server`, `the call proceeds`},
	{CodeAlreadyRun, "Nothing. This prevents a hook from running twice for one call.",
		`preToolUse and beforeShellExecution for one command`, `the hook runs at the first of them`},
	{CodeOwnImport, "Nothing, or remove hookbridge's entry from the file that the agent imports.",
		`an entry of hookbridge in a file that another agent imports`, `hookbridge answers with no opinion`},
	{CodeState, "Check the folder of session files: HOOKBRIDGE_STATE_DIR, or your private folder for temporary files.",
		`a disk that is full`, `each event is answered on its own; nothing is delivered later`},
	{CodeUntrusted, "Read the project's hooks, then run hookbridge trust in the project. Repeat that after each " +
		"change.",
		`a user's entry with --require-trust, in a new project`, `hookbridge trust`},
	{CodeForeignAnswer, "Answer in the format of the agent that the hook is registered for, or register the hook " +
		"for the other agent.",
		`a hook in .claude/settings.json prints {"permission": "deny"}`,
		`{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}`},
	{CodeSlowMatcher, "Write a regular expression without nested repetition.",
		`"matcher": "(a+)+$"`, `"matcher": "a+$"`},
	{CodeReleased, "Nothing, if the hook doesn't decide anything.",
		`{"async": true} as the first line`, `the agent continues at once`},
	{CodeServerUnknown, "Call hookbridge at the host's event for MCP tools, as install does; that event names the " +
		"server.",
		`preToolUse of MCP:query`, `beforeMCPExecution of query, of the server db`},
	{CodeDetached, "Nothing. Such a hook can't decide; what it adds arrives at a later event.",
		`"async": true`, `the agent does not wait`},
	{CodeIgnoredEffect, "Remove it from the answer; it has no effect in the hook's own agent either.",
		`a stop hook that blocks for the ninth time in a row`, `the agent stops`},
	{CodeBridge, "Follow the message. If it is a bug in hookbridge, report it with the output of hookbridge fire " +
		"--json.",
		`a truncated payload`, `exit code 1, or deny with --fail-closed`},
	{CodeEnvFile, "Write one NAME=value or export NAME=value per line.",
		`echo 'source ~/.profile' >> "$CLAUDE_ENV_FILE"`, `echo 'export PATH="$PATH:/opt/bin"' >> "$CLAUDE_ENV_FILE"`},
	{CodeEvaluator, "Let the evaluator exit with 0 and print one JSON object that has ok.",
		`yes`, `{"ok": true}`},
	{CodeModule, "Run the module with node to see its error, and let it export its hooks. Install Node.js if it is " +
		"missing.",
		`a module that ends with a syntax error`, `export const hooks = {PreToolUse: [...]}`},
	{CodeTranscript, "Let the hook work without a transcript. If part of it is missing, read the host's file that " +
		"the message names.",
		`"transcript_path": null`, `"transcript_path": ""`},
	{CodeOldAnswer, "Use the current format: permission instead of decision, user_message and agent_message instead " +
		"of reason.",
		`{"decision": "deny", "reason": "no"} of a Cursor hook`, `the call is denied, and the old format is reported`},
	{CodeHooksChanged, "Find out what changed the hook files, then start a new session. To deny such sessions, use " +
		"install --pin-hooks.",
		`a guard is removed from the hook file while the agent works`,
		`hookbridge run --pin-hooks denies the next tool call`},
	{CodeOddInput, "Nothing: most hosts refuse such a call by themselves. Deny in the hook what it doesn't understand.",
		`write_file {"file_path": ".env", "content": 12}`, `Write {"file_path": ".env", "content": "12"}`},
	{CodeNotCalled, "Install hookbridge for the host, or renew its entries after hooks were added.",
		`hooks in .claude/settings.json, and none in .cursor/hooks.json`, `hookbridge install --host cursor`},
	{CodeRunsTwice, "Remove one of the entries that hookbridge doctor names.",
		`a converted hook, and an entry of hookbridge`, `hookbridge uninstall --host cursor`},
	{CodeForeignImport, "Switch the import off in the host and record that in hookbridge.yaml. Convert without " +
		"--wrap never, so that hookbridge translates.",
		`Cursor reads .claude/settings.json`, `facts: {cursor: {third-party-imports: off}}`},
	{CodeAlwaysRuns, "Nothing, or let the script check whether it applies.",
		`hooks in the front matter of a SKILL.md, converted for Cursor`, `they run at every event`},
	{CodeUnreviewed, "Approve the hooks in the host, or trust the folder there, each user on their own machine.",
		`a new entry in .codex/hooks.json`, `/hooks in Codex`},
	{CodeScenario, "Run hookbridge test --run with the name of the scenario: it lists the hooks that ran and what " +
		"they answered. Correct the hook, or what the scenario expects.",
		`expect: deny`, `agents: {codex: ask}`},
	{CodeTooOld, "Update hookbridge. If the project works with an older one, lower requires in hookbridge.yaml and " +
		"run hookbridge install.",
		`requires: ">=2"`, `requires: ">=1.2"`},
	{CodeExcluded, "Nothing. To run the hook there, change the choice and run hookbridge install.",
		`exclude: [codex]`, `Codex doesn't run the hook`},
	{CodeChoice, "Write the place and the command of the hook as doctor prints them, and run hookbridge install.",
		`hook: .claude/settings.json:12, where another hook is now`, `hook: .claude/settings.json`},
	{CodePluginStale, "Run hookbridge plugin write, and commit the files.",
		`a hook is added to hooks/hooks.json`, `hookbridge plugin write`},
	{CodePluginFolder, "Write the variable in braces and double quotes, without a default. Where that " +
		"doesn't help, let hookbridge plugin write a file for the agent.",
		`${PLUGIN_ROOT}/x.sh`, `"${CLAUDE_PLUGIN_ROOT}/x.sh"`},
	{CodePluginQuotes, "Put the path in double quotes.",
		`${CLAUDE_PLUGIN_ROOT}/x.sh`, `"${CLAUDE_PLUGIN_ROOT}/x.sh"`},
	{CodePluginTimeout, "Leave the timeout out, or let hookbridge plugin write a file for the agent.",
		`"timeout": 20 in hooks/hooks.json`, `hookbridge plugin write --host gemini`},
	{CodePluginPointer, "Remove hooks from the manifest if they are in hooks/hooks.json, or name " +
		"another file there.",
		`"hooks": "./hooks/hooks.json"`, `no hooks in the manifest`},
	{CodePluginHidden, "Let hookbridge plugin write the hooks for that agent.",
		`both gemini-extension.json and .claude-plugin/plugin.json`, `hookbridge plugin write --host qwen`},
	{CodePluginScript, "Add the file, make it executable (git update-index --chmod=+x FILE), or start " +
		"it with an interpreter.",
		`"${CLAUDE_PLUGIN_ROOT}/x.sh", not executable`, `chmod +x x.sh`},
	{CodePluginVersion, "State the same version in each manifest.",
		`1.0.0 in one manifest and 1.1.0 in another`, `1.1.0 in both`},
	{CodePluginArgs, "Write the arguments into the command, or let hookbridge plugin write a file for the agent.",
		`"command": "node", "args": ["x.js"]`, `"command": "node \"${CLAUDE_PLUGIN_ROOT}/x.js\""`},
	{CodePluginTooLong, "Make the hook faster, or start its work in the background.",
		`"timeout": 30 at SessionEnd`, `"timeout": 3`},
	{CodePluginRejected, "Correct the file as the message says, or let hookbridge plugin write a file for the agent.",
		`"version": 1 in hooks/hooks.json`, `hookbridge plugin write --host codex`},
	{CodePluginMoves, "Use hookbridge install --scope user instead. Its entries find the hooks of installed " +
		"plugins at each call.",
		`convert of ~/.claude/plugins/cache/m/p/1.2.0/hooks/hooks.json`,
		`hookbridge install --host cursor --scope user`},
}

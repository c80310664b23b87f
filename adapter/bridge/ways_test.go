package bridge

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/hookshell"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// A way is a project's files, a call of hookbridge, and the calls of one session. $P is the project, $H the home
// folder.
type way struct {
	name, flags string
	files       map[string]string
	calls       []string
	set         func(*Bridge)
	dir, env    string // the current folder, "" for the project; one more variable
}

// settings returns Claude Code's settings with hooks for an event: each word is a handler, or the command of one.
func settings(event, matcher string, handlers ...string) string {
	var list []string
	for _, h := range handlers {
		if !strings.HasPrefix(h, "{") {
			h = `{"type":"command","command":` + strconv.Quote(h) + `}`
		}
		list = append(list, h)
	}
	return `{"hooks":{"` + event + `":[{"matcher":"` + matcher + `","hooks":[` + strings.Join(list, ",") + `]}]}}`
}

func fromCursor(event, rest string) string {
	return `{"conversation_id":"c","generation_id":"g","cursor_version":"3.15.19","workspace_roots":["$P"],` +
		`"hook_event_name":"` + event + `",` + rest + `}`
}

func fromClaude(event, rest string) string {
	return `{"session_id":"s","transcript_path":"","cwd":"$P","permission_mode":"default","hook_event_name":"` + event +
		`",` + rest + `}`
}

func fromGemini(event, rest string) string {
	return `{"session_id":"s","cwd":"$P","timestamp":"t","hook_event_name":"` + event + `",` + rest + `}`
}

const (
	claudeFile = ".claude/settings.json"
	denies     = `echo no >&2; exit 2`
	allows     = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`
	asks       = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask",` +
		`"permissionDecisionReason":"sure?"}}'`
	endsTurn  = `echo '{"continue":false,"stopReason":"enough"}'`
	shows     = `echo '{"systemMessage":"'"$(cat | tr -d '"\\' )"'"}'`
	cursorLs  = `"tool_name":"Shell","tool_input":{"command":"ls"}`
	claudeLs  = `"tool_name":"Bash","tool_input":{"command":"ls"}`
	geminiLs  = `"tool_name":"run_shell_command","tool_input":{"command":"ls"}`
	cursorSh  = `"command":"ls","cwd":"$P"`
	geminiPut = `"tool_name":"write_file","tool_input":{"file_path":"$P/a.txt","content":"new\n"}`
)

var excluded = schema.Hook{Source: schema.Source{File: "/p/" + claudeFile}, Native: "PreToolUse",
	Handler: schema.HandlerCommand, Command: denies}

// entriesAt returns Cursor's file with an entry at events; cursorHooks returns one with hooks that add context.
func entriesAt(command string, events ...string) string {
	var list []string
	for _, e := range events {
		list = append(list, `"`+e+`":[{"command":`+strconv.Quote(command)+`}]`)
	}
	return `{"version":1,"hooks":{` + strings.Join(list, ",") + `}}`
}

func cursorHooks(events ...string) string {
	return entriesAt(`echo '{"additional_context":"c","followup_message":"f","permission":"ask","user_message":"u"}'`,
		events...)
}

func patched(text string) string {
	return `{"session_id":"s","turn_id":"t","transcript_path":null,"cwd":"$P","model":"m",` +
		`"permission_mode":"default",` +
		`"hook_event_name":"PreToolUse","tool_name":"apply_patch","tool_input":{"command":"*** Begin Patch\n` + text +
		`\n*** End Patch"},"tool_use_id":"u"}`
}

func posted(url string) string { return `{"type":"http","url":"http://` + url + `"}` }

var ways = []way{
	{name: "addresses that answer", flags: "--hooks claude --host cursor",
		files: map[string]string{claudeFile: settings(
			"PreToolUse", "", posted(`a/200/{\"decision\":\"block\",\"reason\":\"r\"}`), posted("b/200/"),
			posted("c/200/x"),
			posted("d/500/{}"), posted("e/199/{}"), posted("f/300/{}"), posted("g/x/{}"), posted("h/exit"),
			posted("i/late"), posted("j/none"), `{"type":"http","url":"ftp://k"}`,
			`{"type":"http","url":"http://l/200/","headers":{"@x":"y"}}`,
			`{"type":"http","url":"http://m/200/","headers":{"X-A":"y"},"timeout":7}`)},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "addresses that the settings list", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: strings.Replace(settings("PreToolUse", "", posted("a/200/"), posted("b/200/"), posted("a:80/200/")),
			`{"hooks"`, `{"allowedHttpHookUrls":["http://a/*"],"hooks"`, 1)},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "addresses of an agent that reads text", flags: "--hooks qoder --host cursor", files: map[string]string{
		".qoder/settings.json": settings("PreToolUse", "", posted("a/200/text"), posted("b/500/"))},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "addresses of an agent whose hooks fail closed", flags: "--hooks copilot --host cursor",
		files: map[string]string{".github/hooks/a.json": `{"version":1,"hooks":{"preToolUse":[{"type":"http",` +
			`"url":"http://a/500/"},{"type":"http","url":"https://b/500/"},{"type":"http","url":"https://c/late"}]}}`},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "what a write replaced", flags: "--hooks claude --host gemini", files: map[string]string{
		claudeFile: settings("PostToolUse", "Write|Edit", shows), "a.txt": "old\nkept\n"},
		calls: []string{fromGemini("BeforeTool", geminiPut), "write $P/a.txt new\n",
			fromGemini("AfterTool", geminiPut+`,"tool_response":{"llmContent":"ok"}`)}},
	{name: "what a write made", flags: "--hooks claude --host gemini", files: map[string]string{
		claudeFile: settings("PostToolUse", "Write|Edit", shows)},
		calls: []string{fromGemini("BeforeTool", geminiPut), "write $P/a.txt new\n",
			fromGemini("AfterTool", geminiPut+`,"tool_response":{"llmContent":"ok"}`)}},
	{name: "what an edit replaced", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PostToolUse", "Write|Edit", shows), "a.txt": "new\nkept\n"},
		calls: []string{
			fromCursor("afterFileEdit", `"file_path":"$P/a.txt","edits":[{"old_string":"old","new_string":"new"}]`),
			fromCursor("postToolUse", `"tool_name":"Write","tool_input":{"file_path":"$P/a.txt",`+
				`"content":"new\nkept\n"},`+
				`"tool_output":"{}"`)}},
	{name: "the server that a gate named", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PostToolUse", "mcp__srv__.*", shows)},
		calls: []string{
			fromCursor("beforeMCPExecution", `"tool_name":"do","tool_input":"{}","command":"srv"`),
			fromCursor("postToolUse", `"tool_name":"MCP:do","tool_input":{},"tool_output":"{}"`)}},
	{name: "a question put off", flags: "--hooks claude --host cursor --ask relay", files: map[string]string{
		claudeFile: settings("PreToolUse", "Bash", asks)},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh),
			fromCursor("preToolUse", cursorLs)}},
	{name: "a question refused", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "Bash", asks)},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh)}},
	{name: "a question allowed", flags: "--hooks claude --host gemini --ask allow", files: map[string]string{
		claudeFile: settings("PreToolUse", "Bash", asks)},
		calls: []string{fromGemini("BeforeTool", geminiLs)}},
	{name: "a turn that ended", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: `{"hooks":{"PostToolUse":[{"hooks":[{"type":"command",` +
			`"command":` + strconv.Quote(endsTurn) + `}]}],` +
			`"Stop":[{"hooks":[{"type":"command","command":"echo stopped"}]}],` +
			`"UserPromptSubmit":[{"hooks":[{"type":"command","command":"true"}]}]}}`},
		calls: []string{fromCursor("postToolUse", cursorLs+`,"tool_output":"{}"`), fromCursor("preToolUse", cursorLs),
			fromCursor("stop", `"status":"completed","loop_count":0`),
			fromCursor("beforeSubmitPrompt", `"prompt":"go"`), fromCursor("preToolUse", cursorLs)}},
	{name: "a session that is denied", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("SessionStart", "", endsTurn)},
		calls: []string{fromCursor("sessionStart", `"session_id":"c"`),
			fromCursor("beforeSubmitPrompt", `"prompt":"go"`), fromCursor("preToolUse", cursorLs)}},
	{name: "a message of a stop hook", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo '{\"decision\":\"block\",` +
			`\"reason\":\"go on\"}'"}]}],"UserPromptSubmit":[{"hooks":[{"type":"command","command":"exit 2"}]}]}}`},
		calls: []string{fromCursor("stop", `"status":"completed","loop_count":0`),
			fromCursor("beforeSubmitPrompt", `"prompt":"go on"`), fromCursor("beforeSubmitPrompt",
				`"prompt":"other"`)}},
	{name: "context for later", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("UserPromptSubmit", "", `echo 'know this'`)},
		calls: []string{fromCursor("beforeSubmitPrompt", `"prompt":"go"`),
			fromCursor("postToolUse", cursorLs+`,"tool_output":"{}"`),
			fromCursor("postToolUse", cursorLs+`,"tool_output":"{}"`)}},
	{name: "a worktree", flags: "--hooks claude --host qoder", files: map[string]string{
		claudeFile:                            settings("PreToolUse", "", "true", `echo own >&2; exit 2`),
		".qoder/worktrees/w/" + claudeFile:    settings("PreToolUse", "", "true", `echo worktree >&2; exit 2`),
		".qoder/worktrees/same/" + claudeFile: settings("PreToolUse", "", "true", `echo own >&2; exit 2`),
		".qoder/worktrees/bare/x":             ""},
		calls: []string{fromClaude("PreToolUse", claudeLs),
			strings.ReplaceAll(fromClaude("PreToolUse", claudeLs), "$P", "$P/.qoder/worktrees/w"),
			strings.ReplaceAll(fromClaude("PreToolUse", claudeLs), "$P", "$P/.qoder/worktrees/same"),
			strings.ReplaceAll(fromClaude("PreToolUse", claudeLs), "$P", "$P/.qoder/worktrees/bare"),
			strings.ReplaceAll(fromClaude("PreToolUse", claudeLs), "$P", "$P/.qoder/worktrees/w/below")}},
	{name: "a worktree's broken file", flags: "--hooks claude --host qoder --fail-closed", files: map[string]string{
		claudeFile: settings("PreToolUse", "", "true"), ".qoder/worktrees/w/" + claudeFile: `{"hooks":`},
		calls: []string{strings.ReplaceAll(fromClaude("PreToolUse", claudeLs), "$P", "$P/.qoder/worktrees/w")}},
	{name: "layers of folders", flags: "--hooks claude --host codex", files: map[string]string{
		".git/HEAD": "x", claudeFile: settings("PreToolUse", "", `echo top >&2; exit 2`),
		"a/b/" + claudeFile: settings("PreToolUse", "", `echo below >&2; exit 2`),
		".codex/hooks.json": settings("PreToolUse", "", "hookbridge run --host codex --hooks claude")},
		calls: []string{strings.ReplaceAll(fromClaude("PreToolUse", claudeLs+`,"turn_id":"t","model":"m"`), "$P",
			"$P/a/b"),
			strings.ReplaceAll(fromClaude("PreToolUse", claudeLs+`,"turn_id":"t","model":"m"`), "$P", "$P/a")}},
	{name: "hooks that are excluded", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", "true", denies)},
		set:   func(b *Bridge) { b.Exclude = []string{choice.Mark("/p", &excluded)} },
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "no hook file", flags: "--hooks claude --host cursor --scope project", files: map[string]string{"x": ""},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("stop", `"status":"completed","loop_count":0`)}},
	{name: "no hook file of several agents", flags: "--hooks claude,codex --host cursor --scope project",
		files: map[string]string{"x": ""}, calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "a hook file of one of several agents", flags: "--hooks claude,codex --host cursor --scope project",
		files: map[string]string{".codex/hooks.json": settings("PreToolUse", "", denies)},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "no project", flags: "--hooks claude --host cursor", files: map[string]string{"x": ""},
		calls: []string{strings.ReplaceAll(fromCursor("preToolUse", cursorLs), "$P", "$P/gone"),
			strings.ReplaceAll(fromCursor("preToolUse", cursorLs), `["$P"]`, `[]`)}},
	{name: "no project, the user's refusal", flags: "--hooks claude --host cursor", files: map[string]string{
		"../home/" + claudeFile: settings("PreToolUse", "", denies)},
		calls: []string{strings.ReplaceAll(fromCursor("preToolUse", cursorLs), "$P", "$P/gone")}},
	{name: "pinned hooks", flags: "--hooks claude --host cursor --pin-hooks", files: map[string]string{
		claudeFile: settings("PreToolUse", "", "true")},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("sessionStart", `"session_id":"c"`),
			fromCursor("preToolUse", cursorLs), "write $P/" + claudeFile + " {}", fromCursor("preToolUse", cursorLs)}},
	{name: "trust that is required", flags: "--hooks claude --host cursor --require-trust", files: map[string]string{
		claudeFile:              settings("PreToolUse", "", denies),
		"../home/" + claudeFile: settings("PreToolUse", "", `echo user >&2; exit 2`)},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "files that are named", flags: "--hooks claude --host cursor --config $P/own.json --config $P/none.json",
		files: map[string]string{"own.json": settings("PreToolUse", "", denies),
			claudeFile: settings("PreToolUse", "", "true")},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "a plugin", flags: "--hooks claude --host cursor --plugin $P/p", files: map[string]string{
		"p/.claude-plugin/plugin.json": `{"name":"p"}`, "p/hooks/hooks.json": settings("PreToolUse", "", denies)},
		calls: []string{fromCursor("preToolUse", cursorLs), fromClaude("PreToolUse", claudeLs)}},
	{name: "a rule", flags: "", set: func(b *Bridge) { b.guard([]string{"Bash(ls)", "Read(.env)", "Bash(("}) },
		calls: []string{fromCursor("preToolUse", cursorLs),
			fromCursor("preToolUse", strings.Replace(cursorLs, "ls", "pwd", 1)),
			fromCursor("preToolUse", `"tool_name":"Read","tool_input":{"file_path":"$P/.env"}`),
			fromCursor("stop", `"status":"completed","loop_count":0`), "{"}},
	{name: "a rule of an agent without such", flags: "--hooks cursor --host claude",
		set: func(b *Bridge) { b.guard([]string{"Bash(ls)"}) }, calls: []string{fromClaude("PreToolUse", claudeLs)}},
	{name: "hooks one after the other", flags: "--hooks copilot --host claude", files: map[string]string{
		".github/hooks/a.json": `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"echo ` +
			`'{\"modifiedArgs\":` +
			`{\"command\":\"pwd\"}}'"},{"type":"command","bash":"cat >&2; exit 0"},{"type":"command","bash":"echo ` +
			`'{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"d\"}'"},{"type":"command",` +
			`"bash":"exit 1"}]}}`}, calls: []string{fromClaude("PreToolUse", claudeLs)}},
	{name: "models", flags: "--hooks claude --host cursor --evaluator judge", files: map[string]string{
		claudeFile: settings("PreToolUse", "", `{"type":"prompt","prompt":"ok? $ARGUMENTS"}`,
			`{"type":"prompt","prompt":"no"}`, `{"type":"prompt","prompt":"exit"}`, `{"type":"prompt","prompt":"late"}`,
			`{"type":"prompt","prompt":"none"}`, `{"type":"prompt","prompt":"other"}`,
			`{"type":"agent","prompt":"word"}`)},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "no evaluator", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", `{"type":"prompt","prompt":"ok?"}`)},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("afterFileEdit", `"file_path":"a","edits":[]`)}},
	{name: "a module", flags: "--hooks qoder-sdk --host cursor --module $P/m.mjs --timeout 5",
		files: map[string]string{"m.mjs": ""}, calls: []string{fromCursor("preToolUse", cursorLs),
			fromCursor("preToolUse", `"tool_name":"Write","tool_input":{"file_path":"$P/a","content":"b"}`)}},
	{name: "a module that isn't there", flags: "--hooks qoder-sdk --host cursor --module m.mjs",
		files: map[string]string{"x": ""}, calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "a module of the project", flags: "--hooks qoder-sdk --host cursor --module $P/m.mjs",
		set: func(b *Bridge) { b.Single.Command = "m.mjs" }, files: map[string]string{"m.mjs": ""},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "failures that block", flags: "--hooks claude --host cursor --on-failure block", files: map[string]string{
		claudeFile: settings("PreToolUse", "", "exit 1", posted("a/500/"), posted("b/200/"), "true")},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "answers that can't be read, failing closed", flags: "--hooks claude --host cursor --fail-closed",
		files: map[string]string{claudeFile: settings("PreToolUse", "", `echo '{"x'`, "exit 1")},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "equal hooks", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", "true", "true",
			`{"type":"command","command":"true","timeout":5}`),
		"../home/" + claudeFile: settings("PreToolUse", "Bash", "true")},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "conditions", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", `{"type":"command","command":"exit 2","if":"Bash(ls:*)"}`,
			`{"type":"command","command":"exit 3","if":"Bash(rm:*)"}`,
			`{"type":"command","command":"exit 4","if":"Bash(("}`,
			`{"type":"command","command":"exit 5","if":"Read"}`)},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "an event by its other name", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PostToolUse", "", shows)},
		calls: []string{fromCursor("afterShellExecution", `"command":"ls","output":"o","duration":5`),
			fromCursor("postToolUse", cursorLs+`,"tool_output":"{}"`),
			fromCursor("afterShellExecution", `"command":"ls","output":"o","duration":5`)}},
	{name: "a variable too long", flags: "--hooks cursor --host claude", files: map[string]string{
		".cursor/hooks.json": `{"version":1,"hooks":{"beforeSubmitPrompt":[{"command":"true"}]}}`},
		calls: []string{fromClaude("UserPromptSubmit", `"prompt":"`+strings.Repeat("x", 200)+`"`)}},
	{name: "an environment file", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("SessionStart", "", `echo 'export A=1' >>"$CLAUDE_ENV_FILE"`)},
		calls: []string{fromCursor("sessionStart", `"session_id":"c"`), fromCursor("preToolUse", cursorLs)}},
	{name: "a notice", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("SessionStart", "", "true")}, set: func(b *Bridge) { b.Notice = "too old" },
		calls: []string{fromCursor("sessionStart", `"session_id":"c"`), fromClaude("SessionStart",
			`"source":"startup"`)}},
	{name: "a notice that the host shows", flags: "--hooks cursor --host claude", files: map[string]string{
		".cursor/hooks.json": `{"version":1,"hooks":{"sessionStart":[{"command":"true"}]}}`},
		set: func(b *Bridge) { b.Notice = "too old" }, calls: []string{fromClaude("SessionStart",
			`"source":"startup"`)}},
	{name: "hooks of its own", flags: "--hooks claude --host claude", files: map[string]string{
		claudeFile: settings("PreToolUse", "", denies)}, calls: []string{fromClaude("PreToolUse", claudeLs)}},
	{name: "hooks in its place", flags: "--hooks claude --host claude", files: map[string]string{
		claudeFile: settings("PreToolUse", "", denies)}, set: func(b *Bridge) { b.OwnHooks = true },
		calls: []string{fromClaude("PreToolUse", claudeLs)}},
	{name: "rewrites", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse",`+
			`"permissionDecision":"allow","updatedInput":{"command":"pwd"}}}'`)},
		calls: []string{fromCursor("preToolUse", cursorLs),
			fromCursor("beforeShellExecution", cursorSh), fromCursor("beforeReadFile",
				`"file_path":"$P/a","content":"x"`)}},
	{name: "the end of a session", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"true"}]}],` +
			`"PostToolUse":[{"hooks":` +
			`[{"type":"command","command":"echo x"}]}]}}`},
		calls: []string{fromCursor("postToolUse", cursorLs+`,"tool_output":"{}"`),
			fromCursor("sessionEnd", `"reason":"completed"`),
			fromCursor("preToolUse", cursorLs)}},
	{name: "entries for both events of a call", flags: "--hooks claude --host cursor --scope project",
		files: map[string]string{claudeFile: settings("PreToolUse", "", denies), ".cursor/hooks.json": entriesAt(
			"hookbridge run --host cursor --hooks claude --scope project", "preToolUse", "beforeShellExecution")},
		calls: []string{fromCursor("beforeShellExecution", cursorSh), fromCursor("preToolUse", cursorLs),
			fromCursor("beforeShellExecution", cursorSh)}},
	{name: "entries of another scope", flags: "--hooks claude --host cursor --scope user",
		files: map[string]string{claudeFile: settings("PreToolUse", "", denies), ".cursor/hooks.json": entriesAt(
			"hookbridge run --host cursor --hooks claude --scope project", "preToolUse"),
			"../home/" + claudeFile: settings("PreToolUse", "", "true")},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("stop", `"status":"completed","loop_count":0`)}},
	{name: "an entry with other flags", flags: "--hooks claude --host cursor --scope user --fail-closed",
		files: map[string]string{claudeFile: settings("PreToolUse", "", denies), ".cursor/hooks.json": entriesAt(
			"hookbridge run --host cursor --hooks claude --scope project", "preToolUse")},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "an entry of the same hook", flags: "--hooks claude --host cursor -c 'exit 2'",
		files: map[string]string{".cursor/hooks.json": entriesAt(
			"hookbridge run --host cursor --hooks claude -c 'exit 2'",
			"preToolUse", "beforeShellExecution")},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh)}},
	{name: "a host that imports", flags: "--hooks claude --host copilot", files: map[string]string{
		claudeFile: settings("PreToolUse", "", denies)},
		calls: []string{fromClaude("PreToolUse", claudeLs),
			`{"sessionId":"s","timestamp":1,"cwd":"$P","toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`}},
	{name: "sub-agents", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: `{"hooks":{"SubagentStart":[{"hooks":[{"type":"command","command":"true"}]}],"SubagentStop":` +
			`[{"hooks":[{"type":"command","command":"echo more >&2; exit 2"}]}],"Stop":[{"hooks":[{"type":"command",` +
			`"command":"exit 1"}]}]}}`},
		calls: []string{fromCursor("subagentStart", `"subagent_id":"a","subagent_type":"explore","task":"t"`),
			fromCursor("subagentStop", `"subagent_id":"a","subagent_type":"explore","status":"completed","task":"t",`+
				`"summary":"said","loop_count":0`), fromCursor("stop", `"status":"aborted","loop_count":0`),
			fromCursor("stop", `"status":"completed","loop_count":9`)}},
	{name: "hooks for Cursor's events", flags: "--hooks cursor --host claude", files: map[string]string{
		".cursor/hooks.json": cursorHooks("beforeShellExecution", "afterShellExecution", "beforeReadFile",
			"afterFileEdit", "postToolUse", "postToolUseFailure", "stop", "afterAgentResponse", "sessionStart",
			"sessionEnd", "beforeSubmitPrompt", "subagentStop", "preCompact", "beforeMCPExecution"), "a.txt": "old\n"},
		calls: []string{fromClaude("SessionStart", `"source":"startup"`), fromClaude("UserPromptSubmit",
			`"prompt":"p"`),
			fromClaude("PreToolUse", claudeLs+`,"tool_use_id":"t1"`),
			fromClaude("PostToolUse", claudeLs+`,"tool_use_id":"t1","tool_response":{"stdout":"o","stderr":"e",`+
				`"interrupted":false}`),
			fromClaude("PreToolUse", `"tool_name":"Read","tool_input":{"file_path":"$P/a.txt"}`),
			fromClaude("PreToolUse", `"tool_name":"Write","tool_input":{"file_path":"$P/a.txt","content":"n"},`+
				`"tool_use_id":"t2"`),
			fromClaude("PostToolUse", `"tool_name":"Write","tool_input":{"file_path":"$P/a.txt","content":"n"},`+
				`"tool_use_id":"t2","tool_response":{"type":"update","filePath":"$P/a.txt","content":"n"}`),
			fromClaude("PostToolUse", `"tool_name":"Edit","tool_input":{"file_path":"$P/a.txt","old_string":"o",`+
				`"new_string":"n"},"tool_use_id":"t3","tool_response":{"filePath":"$P/a.txt"}`),
			fromClaude("PostToolUseFailure",
				claudeLs+`,"tool_use_id":"t4","error":"Exit code 3\nbad","is_interrupt":false`),
			fromClaude("PreToolUse", `"tool_name":"mcp__srv__do","tool_input":{"a":1}`),
			fromClaude("SubagentStop", `"agent_id":"a","agent_type":"x","stop_hook_active":false`),
			fromClaude("PreCompact", `"trigger":"auto","custom_instructions":""`),
			fromClaude("Stop", `"stop_hook_active":false,"last_assistant_message":"done"`),
			fromClaude("Stop", `"stop_hook_active":true`), fromClaude("SessionEnd", `"reason":"other"`)}},
	{name: "how long a call took", flags: "--hooks claude --host gemini", files: map[string]string{
		claudeFile: settings("PostToolUse", "", shows)},
		calls: []string{fromGemini("BeforeTool", geminiLs),
			fromGemini("AfterTool", geminiLs+`,"tool_response":{"llmContent":"ok"}`),
			fromGemini("AfterTool", geminiLs+`,"tool_response":{"error":"bad","llmContent":"x"}`)}},
	{name: "a patch of several files", flags: "--hooks claude --host codex", files: map[string]string{
		claudeFile: settings("PreToolUse", "Edit|Write", shows, `grep -q secret && exit 2; true`), "a.txt": "old\n"},
		calls: []string{patched("*** Update File: a.txt\\n@@\\n-old\\n+new\\n*** Add File: b.txt\\n+x"),
			patched("*** Delete File: a.txt\\n*** Add File: secret.txt\\n+x")}},
	{name: "commands that delete", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", denies), "a.log": ""},
		calls: []string{fromCursor("preToolUse", `"tool_name":"Delete","tool_input":{"file_path":"$P/a.log"}`)}},
	{name: "commands that delete, for hooks on files", flags: "--hooks cursor --host claude", files: map[string]string{
		".cursor/hooks.json": `{"version":1,"hooks":{"preToolUse":[{"command":"cat >&2; exit 2","matcher":"Delete"}]}}`,
		"a.log":              ""},
		calls: []string{fromClaude("PreToolUse", `"tool_name":"Bash","tool_input":{"command":"rm a.log"}`),
			fromClaude("PreToolUse", `"tool_name":"Bash","tool_input":{"command":"ls | xargs rm"}`),
			fromClaude("PreToolUse", `"tool_name":"Bash","tool_input":{"command":"sudo env A=1 rm *.log"}`),
			fromClaude("PreToolUse", `"tool_name":"Bash","tool_input":{"command":"find . -delete"}`)}},
	{name: "a model that speaks", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("Stop", "", shows)},
		calls: []string{fromCursor("afterAgentResponse", `"text":"what I said","model":"m"`),
			fromCursor("stop", `"status":"completed","loop_count":0,"model":"m"`)}},
	{name: "a transcript", flags: "--hooks claude --host gemini", files: map[string]string{
		claudeFile: settings("Stop", "", denies),
		"t.json": `{"sessionId":"s","messages":[{"id":"1","type":"user","content":"go",` +
			`"timestamp":"2026-01-01T00:00:00Z"},` +
			`{"id":"2","type":"gemini","content":"done","timestamp":"2026-01-01T00:00:01Z","model":"m"}]}`},
		calls: []string{fromGemini("AfterAgent",
			`"transcript_path":"$P/t.json","prompt":"go","prompt_response":"done",`+
				`"stop_hook_active":false`), fromGemini("AfterAgent", `"transcript_path":"$P/none.json","prompt":"go",`+
			`"prompt_response":"done","stop_hook_active":true`), fromGemini("SessionEnd", `"reason":"exit"`)}},
	{name: "the user's permission", flags: "--hooks cursor --host claude", files: map[string]string{
		".cursor/hooks.json": cursorHooks("beforeShellExecution", "preToolUse")},
		calls: []string{fromClaude("PermissionRequest", claudeLs), fromClaude("PreToolUse", claudeLs),
			fromClaude("PermissionDenied", claudeLs+`,"reason":"r"`), fromClaude("Notification", `"message":"m"`),
			fromClaude("FutureEvent", `"x":1`)}},
	{name: "permission hooks", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PermissionRequest", "",
			`echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest",`+
				`"decision":{"behavior":"deny","message":"no"}}}'`)},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh)}},
	{name: "several agents", flags: "--hooks claude,codex,copilot --host cursor --ask relay", files: map[string]string{
		claudeFile: settings("PreToolUse", "", asks, "true"), ".codex/hooks.json": settings("PreToolUse", "", allows),
		".github/hooks/a.json": `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"exit 1"}]}}`},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh)}},
	{name: "several agents, one of which refuses", flags: "--hooks claude,codex --host cursor --require-trust",
		files: map[string]string{claudeFile: settings("PreToolUse", "", denies),
			".codex/hooks.json": settings("PreToolUse", "", denies)}, calls: []string{fromCursor("preToolUse",
			cursorLs)}},
	{name: "several roots", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile:          settings("PreToolUse", "", `echo first >&2; exit 2`),
		"sub/" + claudeFile: settings("PreToolUse", "", `echo second >&2; exit 2`)},
		calls: []string{strings.ReplaceAll(fromCursor("preToolUse", cursorLs), `["$P"]`, `["$P","$P/sub"]`),
			strings.ReplaceAll(fromCursor("preToolUse", `"tool_name":"Read","tool_input":{"file_path":"$P/sub/x"}`),
				`["$P"]`,
				`["$P","$P/sub"]`)}},
	{name: "another version of its own hooks", flags: "--hooks cursor@2.4 --host cursor", files: map[string]string{
		".cursor/hooks.json": cursorHooks("preToolUse", "beforeShellExecution")},
		set:   func(b *Bridge) { b.OwnHooks = true },
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh)}},
	{name: "a machine without room", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", posted("a/full"), "true"),
		"x":        settings("PostToolUse", "", posted("a/full"))},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh)}},
	{name: "no room for a session", flags: "--hooks claude --host cursor --ask relay", files: map[string]string{
		claudeFile: settings("PreToolUse", "", asks), "../state": "a file"},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh)}},
	{name: "no room for pins", flags: "--hooks claude --host cursor --pin-hooks", files: map[string]string{
		claudeFile: settings("PreToolUse", "", "true"), "../state": "a file"},
		calls: []string{fromCursor("sessionStart", `"session_id":"c"`), fromCursor("preToolUse", cursorLs)}},
	{name: "its own addresses", flags: "--hooks grok --host grok", files: map[string]string{
		".grok/hooks/a.json": settings("PreToolUse", "", posted("a/200/"), `{"type":"http","url":"https://b/200/"}`)},
		set:   func(b *Bridge) { b.OwnHooks = true },
		calls: []string{fromClaude("PreToolUse", `"tool_name":"run_terminal_command","tool_input":{"command":"ls"}`)}},
	{name: "hooks that nobody waits for", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: `{"hooks":{"PostToolUse":[{"hooks":[{"type":"command","command":"true","async":true}]}],` +
			`"SessionStart":[{"hooks":[{"type":"command","command":"true","async":true}]}]}}`},
		set: func(b *Bridge) { b.Self = func() string { return "/bin/true" } },
		calls: []string{fromCursor("sessionStart", `"session_id":"c"`),
			fromCursor("postToolUse", cursorLs+`,"tool_output":"{}"`)}},
	{name: "to go on without a word", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("Stop", "", `echo '{"decision":"block","reason":" "}'`)},
		calls: []string{fromCursor("stop", `"status":"completed","loop_count":0`)}},
	{name: "an entry for the user's hooks beside the project's", files: map[string]string{
		claudeFile: settings("PreToolUse", "", denies), ".cursor/hooks.json": entriesAt(
			"hookbridge run --host cursor --hooks claude --scope project", "preToolUse", "stop"),
		"../home/.cursor/hooks.json": entriesAt("hookbridge run --host cursor --hooks claude --scope user",
			"preToolUse")},
		flags: "--hooks claude --host cursor --scope user --require-trust",
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "files that are named, trust required",
		flags: "--hooks claude --host cursor --config $P/own.json --require-trust",
		files: map[string]string{"own.json": settings("PreToolUse", "", denies)},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "a guard's entry", flags: "guard --host cursor 'Bash(ls)'", files: map[string]string{"x": ""},
		calls: []string{fromCursor("preToolUse", cursorLs),
			fromCursor("preToolUse", strings.Replace(cursorLs, "ls", "pwd", 1))}},
	{name: "a session that ended", flags: "--hooks cursor --host claude", files: map[string]string{
		".cursor/hooks.json": entriesAt(`echo '{"continue":false,"user_message":"no"}'`, "sessionStart",
			"beforeSubmitPrompt")},
		calls: []string{fromClaude("SessionStart", `"source":"startup"`), fromClaude("UserPromptSubmit",
			`"prompt":"p"`),
			fromClaude("PreToolUse", claudeLs), fromClaude("Stop", `"stop_hook_active":false`)}},
	{name: "an event that the payload doesn't name", flags: "--hooks claude --host cline", files: map[string]string{
		claudeFile: settings("PreToolUse", "", denies)}, calls: []string{
		`event PreToolUse {"clineVersion":"3","taskId":"t","workspaceRoots":["$P"],"preToolUse":{"toolName":` +
			`"execute_command","parameters":{"command":"ls"}}}`}},
}

// standFor answers addresses by their path, models by their prompt, and modules with a denial; commands run in the
// test's process.
func standFor(b *Bridge, out *strings.Builder) {
	b.Start = func(h *schema.Hook, spec process.Spec) standIn {
		word, answer := h.Prompt, ""
		switch h.Handler {
		case schema.HandlerCommand:
			return hookshell.Start(h, spec)
		case schema.HandlerHTTP:
			_, rest, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(h.URL, "http://"), "https://"), "/")
			word, answer, _ = strings.Cut(rest, "/")
		case schema.HandlerCallback:
			word = "module"
			spec.Argv = spec.Argv[:1] // the rest is the text of a program
		}
		fmt.Fprintf(out, "  starts %q in %s, %v, %s\n", spec.Argv, spec.Dir, spec.Timeout, start(string(spec.Stdin)))

		res := process.Result{Stdout: []byte(answer + "\n" + word)}
		switch word, _, _ := strings.Cut(word, " "); word {
		case "exit":
			res = process.Result{Exit: 7, Stderr: []byte("failed")}
		case "late":
			res = process.Result{Exit: -1, TimedOut: true}
		case "full":
			res = process.Result{Exit: -1, Err: syscall.EMFILE}
		case "none":
			res = process.Result{Exit: -1, Err: os.ErrNotExist}
		case "ok?":
			res.Stdout = []byte(`{"ok":true}`)
		case "no":
			res.Stdout = []byte(`{"ok":false,"reason":"r"}`)
		case "module":
			res.Stdout = []byte("noise\n@hookbridge {\"limit\":1}\n@hookbridge " + `{"results":[{"path":"/a",` +
				`"view":0,` +
				`"value":{"decision":"block","reason":"m"}},{"path":"/b","view":0,"timeout":1}],"stays":false}` + "\n")
		case "other":
			res.Stdout = []byte(`{"ok":1}`)
		}
		return func(context.Context) process.Result { return res }
	}
}

// start returns the beginning of a payload, without the test's folder.
func start(s string) string {
	s = testFolder.ReplaceAllString(s, "T")
	return strings.TrimSpace(s[:min(len(s), 90)])
}

var testFolder = regexp.MustCompile(`/[^"]*/TestWays\d+/\d+`)

// TestWays compares the results of sessions, each call with what earlier ones left: the answers, the codes, what ran
// and why the rest didn't.
func TestWays(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the file has the paths of another system")
	}
	var all strings.Builder
	for _, w := range slices.Concat(ways, placedWays, leftWays, shownWays) {
		fmt.Fprintf(&all, "== %s\n%s", w.name, follow(t, w))
	}
	golden.Parts(t, "testdata/ways.txt", all.String())
}

// follow makes the calls of a session and writes their results.
func follow(t *testing.T, w way) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project, home := filepath.Join(top, "project"), filepath.Join(top, "home")
	laidOut(t, project, w.files)
	laidOut(t, home, map[string]string{"x": ""})
	filled := strings.NewReplacer("$P", project, "$H", home, "$T", top)
	now := time.Unix(1_800_000_000, 0)
	m := Machine{OS: "linux", Dir: project, Home: home, TempDir: top, StateDir: filepath.Join(top, "state"),
		Env: schema.Environ{"PATH=" + os.Getenv("PATH")}}
	if w.dir != "" {
		m.Dir = filled.Replace(w.dir)
	}
	if w.env != "" {
		m.Env = append(m.Env, filled.Replace(w.env))
	}

	var out strings.Builder
	for _, call := range w.calls {
		call = filled.Replace(call)
		if words := strings.SplitN(call, " ", 3); words[0] == "write" {
			if err := os.WriteFile(words[1], []byte(words[2]), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		line := "hookbridge run " + cmp.Or(w.flags, "--hooks claude --host cursor")
		if strings.HasPrefix(w.flags, "guard") {
			line = "hookbridge " + w.flags
		}
		b, err := New(parsed(t, filled.Replace(line)), m)
		if err != nil {
			t.Fatalf("%s: %v", w.name, err)
		}
		now = now.Add(time.Second)
		b.Now, b.Trace = func() time.Time { return now }, true
		standFor(b, &out)
		if w.set != nil {
			w.set(b)
		}
		native := ""
		if words := strings.SplitN(call, " ", 3); words[0] == "event" {
			native, call = words[1], words[2]
		}
		makeCall(t, b, call, native, &out)
	}
	for _, name := range []string{"env", "project/state"} { // what calls may have left there
		if text, err := os.ReadFile(filepath.Join(top, name)); err == nil {
			fmt.Fprintf(&out, "left %s: %q\n", name, text)
		} else if _, err := os.Stat(filepath.Join(top, name)); err == nil {
			fmt.Fprintf(&out, "left %s\n", name)
		}
	}
	var texts []string
	filepath.WalkDir(filepath.Join(top, "state"), func(file string, e os.DirEntry, err error) error {
		if text, _ := os.ReadFile(file); bytes.Contains(text, []byte(`"role"`)) { // the copy of a transcript
			texts = append(texts, fmt.Sprintf("copied %s\n", bytes.TrimSpace(text)))
		}
		return nil
	})
	slices.Sort(texts)
	out.WriteString(strings.Join(texts, ""))
	text := strings.NewReplacer(project, "$P", home, "$H", top, "$T").Replace(out.String())
	for _, line := range empty {
		text = line.ReplaceAllString(text, "")
	}
	return text
}

// empty matches parts of lines that are empty, or differ each time.
var empty = []*regexp.Regexp{regexp.MustCompile(`\b(none )?\w+=("")?( |$)`), regexp.MustCompile(`\b\w+=\[\] ?`),
	regexp.MustCompile(`end=false "" `), regexp.MustCompile(`hookbridge-\d+`),
	regexp.MustCompile(`toolu_hb[0-9a-f]+`), regexp.MustCompile(`T/state/[0-9a-f]+`)}

// makeCall makes one call.
func makeCall(t *testing.T, b *Bridge, call, native string, out *strings.Builder) {
	t.Helper()
	answer, rep, err := b.Run(t.Context(), []byte(call), native)
	fmt.Fprintf(out, "%s %v\n", answer, err != nil)
	for _, d := range rep.Diagnostics {
		fmt.Fprintf(out, "  %s %v %s\n", d.Code, d.Severity, d.Path)
	}
	for _, r := range rep.Runs {
		fmt.Fprintf(out, "  %s %v: %v %s in %s %q\n", cmp.Or(r.Hook.Command, r.Hook.URL, r.Hook.Prompt), r.Ran,
			r.Reply.Verdict, show(&r.Reply), r.View.Tool, start(string(r.Stdin)))
	}
	if rep.Trace != nil {
		for _, s := range rep.Trace.Skipped {
			if s.Why == SkipEvent {
				continue
			}
			fmt.Fprintf(out, "  skipped %s %s: %v\n", s.Hook.Source.File, s.Hook.Path, s.Why)
		}
	}
}

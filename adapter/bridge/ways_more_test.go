package bridge

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/discover"
)

// hooksAt returns Claude Code's settings with a command at each of some events: EVENT=COMMAND.
func hooksAt(list ...string) string {
	var events []string
	for _, l := range list {
		event, command, _ := strings.Cut(l, "=")
		events = append(events, strconv.Quote(event)+`:[{"hooks":[{"type":"command","command":`+strconv.Quote(
			command)+`}]}]`)
	}
	return `{"hooks":{` + strings.Join(events, ",") + `}}`
}

const (
	forProject = "hookbridge run --host cursor --hooks claude --scope project"
	forAll     = "hookbridge run --host cursor --hooks claude"
	droidLs    = `{"session_id":"s","transcript_path":"/t","cwd":"$P/a/b","permission_mode":"off",` +
		`"hook_event_name":"PreToolUse","tool_name":"Execute","tool_input":{"command":"ls"}}`
	addsContext = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"c"}}'`
	codexEntry  = "hookbridge run --host codex --hooks claude"
)

func codexCall(dir string) string {
	return strings.ReplaceAll(fromClaude("PreToolUse", claudeLs+`,"turn_id":"t","model":"m"`), "$P", dir)
}

func refusesBy(command string) string { return "echo " + command + " >&2; exit 2" }

// placedWays are about the places of hooks and entries.
var placedWays = []way{
	{name: "layers, called from below", flags: "--hooks claude --host codex", dir: "$P/a/b", files: map[string]string{
		".git/HEAD": "x", claudeFile: settings("PreToolUse", "", refusesBy("top")),
		"a/b/" + claudeFile: settings("PreToolUse", "", refusesBy("below")),
		".codex/hooks.json": settings("PreToolUse", "", codexEntry)}, calls: []string{codexCall("$P/a/b")}},
	{name: "layers, called in the middle and above", flags: "--hooks claude --host codex", dir: "$P/a/b",
		files: map[string]string{".git/HEAD": "x", claudeFile: settings("PreToolUse", "", refusesBy("top")),
			"a/" + claudeFile: settings("PreToolUse", "", refusesBy("middle")), "a/b/" + claudeFile: settings(
				"PreToolUse", "", refusesBy("below")),
			".codex/hooks.json": settings("PreToolUse", "", codexEntry), "a/.codex/hooks.json": settings(
				"PreToolUse", "", codexEntry)},
		calls: []string{codexCall("$P/a/b")}},
	{name: "layers, called below alone", flags: "--hooks claude --host codex", dir: "$P/a/b", files: map[string]string{
		".git/HEAD": "x", claudeFile: settings("PreToolUse", "", refusesBy("top")),
		"a/b/" + claudeFile:     settings("PreToolUse", "", refusesBy("below")),
		"a/b/.codex/hooks.json": settings("PreToolUse", "", codexEntry)}, calls: []string{codexCall("$P/a/b")}},
	{name: "layers, called by nobody", flags: "--hooks claude --host codex", dir: "$P/a/b", files: map[string]string{
		".git/HEAD": "x", claudeFile: settings("PreToolUse", "", refusesBy("top")),
		"a/b/" + claudeFile: settings("PreToolUse", "", refusesBy("below"))}, calls: []string{codexCall("$P/a/b")}},
	{name: "layers, another hook is called above", flags: "--hooks claude --host codex", dir: "$P/a/b",
		files: map[string]string{
			".git/HEAD": "x", "a/b/" + claudeFile: settings("PreToolUse", "", refusesBy("below")),
			".codex/hooks.json": settings("PreToolUse", "", "hookbridge run --host codex --hooks cursor")},
		calls: []string{codexCall("$P/a/b")}},
	{name: "layers of another agent", flags: "--hooks claude --host droid", dir: "$P/a/b", files: map[string]string{
		".git/HEAD": "x", claudeFile: settings("PreToolUse", "", refusesBy("top")), "a/b/x": "",
		".factory/settings.json": settings("PreToolUse", "", "hookbridge run --host droid --hooks claude")},
		calls: []string{droidLs}},
	{name: "more files than are read", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", "true"), ".claude/settings.local.json": strings.Repeat(" ", 1<<20) +
			"{}"},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("afterFileEdit",
			`"file_path":"$P/a","edits":[]`)}},
	{name: "more files than are read, and a refusal", flags: "--hooks claude --host cursor", files: map[string]string{
		"../home/" + claudeFile: settings("PreToolUse", "", denies), claudeFile: strings.Repeat(" ", 2<<20) + "{}"},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "another agent's import, which has its own entry", flags: "--hooks codex --host claude",
		files: map[string]string{
			".codex/hooks.json": settings("PreToolUse", "", denies), ".cursor/hooks.json": entriesAt(
				"hookbridge run --host cursor --hooks codex", "preToolUse")}, calls: []string{fromCursor("preToolUse",
			cursorLs)}},
	{name: "another agent's import, which has none", flags: "--hooks codex --host claude", files: map[string]string{
		".codex/hooks.json": settings("PreToolUse", "", denies), ".cursor/hooks.json": entriesAt(
			"hookbridge run --host cursor --hooks codex", "stop")}, calls: []string{fromCursor("preToolUse",
		cursorLs)}},
	{name: "memory in the project", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", addsContext)}, set: func(b *Bridge) {
		b.UsualState, b.StateDir = b.StateDir, filepath.Join(b.Places.Env.Get("PWD"), "state")
	}, calls: []string{fromCursor("beforeShellExecution", cursorSh), fromCursor("postToolUse", cursorLs+
		`,"tool_output":"{}"`)}},
	{name: "memory in the project, and nowhere else", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", addsContext)}, set: func(b *Bridge) {
		b.StateDir = filepath.Join(b.Places.Env.Get("PWD"), "state")
	}, calls: []string{fromCursor("beforeShellExecution", cursorSh), fromCursor("postToolUse", cursorLs+
		`,"tool_output":"{}"`)}},
	{name: "the host's own hooks", flags: "--hooks cursor --host cursor", files: map[string]string{
		".cursor/hooks.json": `{"version":` +
			`1,"hooks":{"preToolUse":[{"command":"echo '{\"permission\":\"deny\"}'","matcher":"Shell"},` +
			`{"command":"hookbridge ` +
			`run --host cursor --hooks claude"}],"beforeShellExecution":[{"command":"exit 2"}],` +
			`"stop":[{"command":"exit 1"}]}}`}, set: func(b *Bridge) {
		places := b.Places
		places.Project = places.Env.Get("PWD")
		own, _ := discover.LoadOwn(b.Host, places, nil)
		b.Own = &own
	}, calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh),
		fromCursor("stop", `"status":"completed","loop_count":0`)}},
	{name: "roots, of which a tool's folder names one", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", refusesBy("first")), "sub/" + claudeFile: settings("PreToolUse", "",
			refusesBy(`"$CLAUDE_PROJECT_DIR"`))},
		calls: []string{strings.ReplaceAll(fromCursor("beforeShellExecution", `"command":"ls","cwd":"$P/sub"`),
			`["$P"]`,
			`["$P","$P/sub"]`), strings.ReplaceAll(fromCursor("beforeShellExecution", `"command":"ls","cwd":""`),
			`["$P"]`,
			`["$P","$P/sub"]`), strings.ReplaceAll(fromCursor("preToolUse", cursorLs), `["$P"]`,
			`["$P/sub","$P","$P/sub"]`)}},
	{name: "roots, two of which call hookbridge", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", refusesBy("first")), "sub/" + claudeFile: settings("PreToolUse", "",
			refusesBy("second")),
		"sub/.cursor/hooks.json": entriesAt(forAll, "preToolUse"), ".cursor/hooks.json": entriesAt(forAll,
			"preToolUse")},
		calls: []string{strings.ReplaceAll(fromCursor("preToolUse",
			`"tool_name":"Read","tool_input":{"file_path":"$P/sub/x"}`),
			`["$P"]`, `["$P","$P/sub"]`)}},
	{name: "roots, called from elsewhere", flags: "--hooks claude --host cursor --require-trust", dir: "$H",
		files: map[string]string{claudeFile: settings("PreToolUse", "", refusesBy("first")),
			"sub/" + claudeFile:      settings("PreToolUse", "", refusesBy("second")),
			"sub/.cursor/hooks.json": entriesAt(forAll, "preToolUse")},
		calls: []string{strings.ReplaceAll(fromCursor("preToolUse", cursorLs), `["$P"]`, `["$P","$P/sub"]`)}},
	{name: "an administrator's hooks", flags: "--hooks claude --host cursor --scope managed", files: map[string]string{
		claudeFile: settings("PreToolUse", "", denies)}, set: func(b *Bridge) {
		b.Places.System = b.Places.Env.Get(
			"PWD")
	},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "the user's hooks at the project's entry", flags: "--hooks claude --host cursor --scope project",
		files: map[string]string{claudeFile: settings("PreToolUse", "", "true"),
			"../home/" + claudeFile: settings("PreToolUse", "", denies)},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "roots, one of which calls hookbridge at another event", flags: "--hooks claude --host cursor",
		files: map[string]string{claudeFile: settings("PreToolUse", "", refusesBy("first")),
			"sub/" + claudeFile:      settings("PreToolUse", "", refusesBy("second")),
			"sub/.cursor/hooks.json": entriesAt(forAll, "stop"), ".cursor/hooks.json": entriesAt(forAll, "preToolUse")},
		calls: []string{strings.ReplaceAll(fromCursor("preToolUse", `"tool_name":"Read","tool_input":`+
			`{"file_path":"$P/sub/x"}`), `["$P"]`, `["$P","$P/sub"]`)}},
	{name: "the host's own hooks at both names of an event", flags: "--hooks copilot --host copilot",
		files: map[string]string{".github/hooks/a.json": `{"version":1,"hooks":{"preToolUse":[{"type":"command",` +
			`"bash":"exit 1"}],"PreToolUse":[{"type":"command","bash":"true"}],"postToolUse":[{"type":"command",` +
			`"bash":"true"}]}}`}, set: func(b *Bridge) {
			places := b.Places
			places.Project = places.Env.Get("PWD")
			own, _ := discover.LoadOwn(b.Host, places, nil)
			b.Own = &own
		}, calls: []string{`{"sessionId":` +
			`"s","timestamp":1,"cwd":"$P","toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`,
			fromClaude("PreToolUse", claudeLs)}},
	{name: "named files of the project, and a broken one", flags: "--hooks claude --host cursor --config " +
		"$P/own.json --require-trust --fail-closed",
		files: map[string]string{"own.json": `{"hooks":`}, calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "settings that nobody trusts, without hooks", flags: "--hooks claude --host cursor --require-trust " +
		"--fail-closed",
		files: map[string]string{claudeFile: `{"env":{"A":"1"},"allowedHttpHookUrls":["http://a/*"]}`,
			"../home/" + claudeFile: settings("PreToolUse", "", posted("b/200/"))}, calls: []string{fromCursor(
			"preToolUse", cursorLs)}},
	{name: "settings that nobody trusts switch off", flags: "--hooks claude --host cursor --require-trust " +
		"--fail-closed",
		files: map[string]string{claudeFile: `{"disableAllHooks":true}`,
			"../home/" + claudeFile: settings("PreToolUse", "", denies)}, calls: []string{fromCursor("preToolUse",
			cursorLs)}},
	{name: "a broken file that nobody trusts", flags: "--hooks claude --host cursor --require-trust",
		files: map[string]string{
			claudeFile: `{"hooks":`, "../home/" + claudeFile: settings("PreToolUse", "", "true")},
		calls: []string{fromCursor("preToolUse", cursorLs)}},
}

// leftWays are about what one event leaves to others.
var leftWays = []way{
	{name: "a question that can't be kept", flags: "--hooks claude --host cursor --ask relay", files: map[string]string{
		claudeFile: settings("PreToolUse", "Bash", asks), "../state/temp": "a file", "../state/x": ""},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh)}},
	{name: "pins that can't be kept", flags: "--hooks claude --host cursor --pin-hooks", files: map[string]string{
		claudeFile: hooksAt("PreToolUse=true", "SessionStart=true"), "../state/temp": "a file"},
		calls: []string{fromCursor("sessionStart", `"session_id":"c"`), fromCursor("preToolUse", cursorLs),
			fromCursor("postToolUse", cursorLs+`,"tool_output":"{}"`)}},
	{name: "pins where entries run at the start", flags: "--hooks claude --host cursor --pin-hooks --scope project",
		files: map[string]string{claudeFile: hooksAt("PreToolUse=true", "SessionStart=true"),
			".cursor/hooks.json": entriesAt(forProject+" --pin-hooks", "preToolUse", "sessionStart")},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("sessionStart", `"session_id":"c"`),
			fromCursor("preToolUse", cursorLs), "write $P/" + claudeFile + " " + hooksAt("PreToolUse=true",
				"Stop=true"),
			fromCursor("preToolUse", cursorLs)}},
	{name: "pins in a host that starts no session", flags: "--hooks claude --host antigravity --pin-hooks",
		files: map[string]string{
			claudeFile: hooksAt("PreToolUse=true")}, calls: []string{
			`event PreToolUse {"conversationId":"c","workspacePaths":["$P"],` +
				`"toolCall":{"name":"run_command","args":{"CommandLine":"ls"}}}`}},
	{name: "hooks that change in a session", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: hooksAt("PreToolUse=true", "SessionStart=echo x")}, calls: []string{
		fromCursor("sessionStart", `"session_id":"c"`), fromCursor("preToolUse", cursorLs),
		"write $P/" + claudeFile + " " + hooksAt("PreToolUse=true", "SessionStart=echo x", "Stop=true"),
		fromCursor("preToolUse", cursorLs), "write $P/" + claudeFile + " {}", fromCursor("preToolUse", cursorLs),
		fromCursor("stop", `"status":"completed","loop_count":0`)}},
	{name: "entries for both events after a call", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: hooksAt("PostToolUse=" + refusesBy("post")), ".cursor/hooks.json": entriesAt(forAll,
			"postToolUse", "afterShellExecution")},
		calls: []string{fromCursor("afterShellExecution", `"command":"ls","output":"o","duration":5`),
			fromCursor("postToolUse", cursorLs+`,"tool_output":"{}"`)}},
	{name: "an entry for one event after a call", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: hooksAt("PostToolUse=" + refusesBy("post")), ".cursor/hooks.json": entriesAt(forAll,
			"afterShellExecution")},
		calls: []string{fromCursor("afterShellExecution", `"command":"ls","output":"o","duration":5`),
			fromCursor("postToolUse", cursorLs+`,"tool_output":"{}"`)}},
	{name: "an entry for one event before a call", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: hooksAt("PreToolUse=true"), ".cursor/hooks.json": entriesAt(forAll, "preToolUse")},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh)}},
	{name: "what a server's gate and its result say", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile:         settings("PostToolUse", "mcp__srv__.*", shows),
		".cursor/mcp.json": `{"mcpServers":{"srv":{"command":"srv"}}}`},
		calls: []string{fromCursor("beforeMCPExecution", `"tool_name":"do","tool_input":"{}","command":"srv"`),
			fromCursor("postToolUse", `"tool_name":"MCP:do","tool_input":{},"tool_output":"{}"`),
			fromCursor("afterMCPExecution", `"tool_name":"do","tool_input":"{}","result_json":"{}","duration":1`)}},
	{name: "what a write of a file changed", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PostToolUse", "Edit", shows), "a.txt": "old\nkept\n"},
		calls: []string{fromCursor("preToolUse", `"tool_name":"Write","tool_input":{"file_path":"$P/a.txt",`+
			`"content":"new\nkept\n"}`),
			"write $P/a.txt new\nkept\n", fromCursor("postToolUse",
				`"tool_name":"Write","tool_input":{"file_path":"$P/a.txt",`+
					`"content":"new\nkept\n"},"tool_output":"{}"`)}},
	{name: "edits of which only some are known", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PostToolUse", "Edit|Write", shows), "a.txt": "x\nnew\nx\nnew\n"},
		calls: []string{fromCursor("preToolUse", `"tool_name":"Write","tool_input":{"file_path":"$P/a.txt",`+
			`"content":"x\nnew\nx\nnew\n"}`),
			fromCursor("afterFileEdit", `"file_path":"$P/a.txt","edits":[{"old_string":"old","new_string":"new"}]`),
			fromCursor("postToolUse", `"tool_name":"Write","tool_input":{"file_path":"$P/a.txt","content":`+
				`"x\nnew\nx\nnew\n"},`+
				`"tool_output":"{}"`)}},
	{name: "variables for a host's file", flags: "--hooks cursor --host claude", env: "CLAUDE_ENV_FILE=$T/env",
		files: map[string]string{
			".cursor/hooks.json": entriesAt(`echo '{"env":{"A":"b c","1x":"y"},"additional_context":"c"}'`,
				"sessionStart"), "../env": "X=1\n"},
		calls: []string{fromClaude("SessionStart", `"source":"startup"`), fromClaude("PreToolUse", claudeLs)}},
	{name: "variables for a file that isn't there", flags: "--hooks cursor --host claude",
		env:   "CLAUDE_ENV_FILE=$T/none/env",
		files: map[string]string{".cursor/hooks.json": entriesAt(`echo '{"env":{"A":"b"}}'`, "sessionStart")},
		calls: []string{fromClaude("SessionStart", `"source":"startup"`)}},
	{name: "no place for a file of variables", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: hooksAt("SessionStart=true"), "../state": "a file"}, set: func(b *Bridge) {
		b.TempDir = "/nowhere/at/all"
	},
		calls: []string{fromCursor("sessionStart", `"session_id":"c"`)}},
	{name: "no place for an address", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", posted("a/200/")), "../state": "a file"}, set: func(b *Bridge) {
		b.TempDir = "/nowhere/at/all"
	},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("beforeShellExecution", cursorSh)}},
	{name: "a message that is longer than is kept", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: hooksAt("Stop=true")}, calls: []string{fromCursor("afterAgentResponse", `"text":"`+
		strings.Repeat("x", 70_000)+`"`),
		fromCursor("stop", `"status":"completed","loop_count":0`), fromCursor("stop",
			`"status":"completed","loop_count":0`)}},
	{name: "a resumed session, and a compaction", flags: "--hooks cursor --host claude", files: map[string]string{
		".cursor/hooks.json": cursorHooks("sessionStart", "preCompact", "sessionEnd", "subagentStart", "subagentStop")},
		calls: []string{fromClaude("SessionStart", `"source":"startup"`), fromClaude("PreCompact", `"trigger":"auto"`),
			fromClaude("PreCompact", `"trigger":"manual"`), fromClaude("SubagentStart",
				`"agent_id":"a","agent_type":"x"`),
			fromClaude("SubagentStop", `"agent_id":"a","agent_type":"x"`), fromClaude("SubagentStop",
				`"agent_id":"b","agent_type":"x"`),
			fromClaude("SessionEnd", `"reason":"clear"`), fromClaude("SessionStart", `"source":"resume"`),
			fromClaude("SessionEnd", `"reason":"other"`)}},
}

// shownWays are about what hooks get, and the results of a new input.
var shownWays = []way{
	{name: "a patch, two parts of which are rewritten", flags: "--hooks claude --host codex", files: map[string]string{
		claudeFile: settings("PreToolUse", "Write", `if grep -q b.txt; then f=b; else f=c; fi; echo `+
			`'{"hookSpecificOutput":`+
			`{"hookEventName":"PreToolUse",`+
			`"permissionDecision":"allow","updatedInput":{"file_path":"$P/'$f'.txt","content":"y"}}}'`)},
		calls: []string{patched("*** Add File: b.txt\\n+x\\n*** Add File: c.txt\\n+x"), patched(
			"*** Add File: b.txt\\n+x")}},
	{name: "a patch for other agents' tools", flags: "--hooks codex --host cursor", files: map[string]string{
		".codex/hooks.json": settings("PreToolUse", "apply_patch",
			`cat >&2; echo '{"hookSpecificOutput":{"hookEventName":`+
				`"PreToolUse","permissionDecision":`+
				`"allow","updatedInput":{"command":"*** Begin Patch\n*** Add File: a.txt\n+z\n*** End Patch"}}}'`)},
		calls: []string{fromCursor("preToolUse", `"tool_name":"Write","tool_input":{"file_path":"$P/a.txt",`+
			`"content":"x\n"}`)}},
	{name: "two rewrites at once", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "", `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse",`+
			`"permissionDecision":"allow",`+
			`"updatedInput":{"command":"pwd"}}}'`, `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse",`+
			`"permissionDecision":"allow",`+
			`"updatedInput":{"command":"id"}}}'`, "true")}, calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "a session that no variable can hold", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: hooksAt("PreToolUse=true")}, calls: []string{strings.Replace(fromCursor("preToolUse", cursorLs),
		`"c"`, `"c\u0000d"`, 1)}},
	{name: "a field that is there twice", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "Bash", denies)}, calls: []string{
		fromCursor("preToolUse", `"tool_name":"Read","tool_name":"Shell","tool_input":{"command":"ls"}`)}},
	{name: "an event that the command names", flags: "--hooks claude --host copilot --event preToolUse",
		files: map[string]string{
			claudeFile: settings("PreToolUse", "", denies)}, calls: []string{
			`event preToolUse {"sessionId":` +
				`"s","timestamp":1,"cwd":"$P","toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`,
			`event postToolUse {"sessionId":` +
				`"s","timestamp":1,"cwd":"$P","toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`}},
	{name: "conditions of its own that can't be read", flags: "--hooks claude --host claude", files: map[string]string{
		claudeFile: settings("PreToolUse", "", `{"type":"command","command":"exit 4","if":"Bash(("}`,
			`{"type":"command","command":"exit 2","if":"Bash(ls:*)"}`)}, set: func(b *Bridge) { b.OwnHooks = true },
		calls: []string{fromClaude("PreToolUse", claudeLs)}},
	{name: "servers in a loose name", flags: "--hooks claude --host gemini", files: map[string]string{
		claudeFile:              settings("PreToolUse", "mcp__a_b__c", denies),
		".gemini/settings.json": `{"mcpServers":{"other":{"command":"x"}}}`},
		calls: []string{fromGemini("BeforeTool", `"tool_name":"mcp_a_b_c","tool_input":{}`),
			fromGemini("BeforeTool", `"tool_name":"mcp_other_c","tool_input":{}`), fromGemini("BeforeTool",
				`"tool_name":"mcp_a_c","tool_input":{}`)}},
	{name: "servers that only hooks name", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", "mcp__"+strings.Repeat("x", 3)+"__do|mcp__b__.*|mcp__c__do", denies)},
		calls: []string{fromCursor("preToolUse", `"tool_name":"MCP:do","tool_input":{}`)}},
	{name: "more servers than are looked at", flags: "--hooks claude --host cursor", files: map[string]string{
		claudeFile: settings("PreToolUse", manyServers(), "true"), "../home/" + claudeFile: settings("PreToolUse",
			"mcp__mine__do", denies)},
		calls: []string{fromCursor("preToolUse", `"tool_name":"MCP:do","tool_input":{}`)}},
	{name: "an untrusted project that names a server", flags: "--hooks claude --host cursor --require-trust",
		files: map[string]string{
			".cursor/mcp.json": `{"mcpServers":{"harmless":{"command":"x"}}}`, "../home/" + claudeFile: settings(
				"PreToolUse", "mcp__srv__.*", denies)},
		calls: []string{fromCursor("beforeMCPExecution", `"tool_name":"do","tool_input":"{}","command":"x"`),
			fromCursor("preToolUse", `"tool_name":"MCP:do","tool_input":{}`)}},
	{name: "servers of plugins by their other names", flags: "--hooks claude --host codebuddy",
		files: map[string]string{
			claudeFile: settings("PreToolUse", "mcp__plugin_p_srv__.*", denies)},
		calls: []string{fromClaude("PreToolUse", `"tool_name":"mcp__srv__do","tool_input":{}`),
			fromClaude("PreToolUse", `"tool_name":"mcp__plugin_p_srv__do","tool_input":{}`)}},
	{name: "what a sub-agent did", flags: "--hooks cursor --host claude", files: map[string]string{
		".cursor/hooks.json": entriesAt("cat >&2", "subagentStop", "stop"),
		"t.jsonl": `{"type":"assistant",` +
			`"message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Task","input":` +
			`{"description":"look",` +
			`"prompt":"find it","subagent_type":"x"}}]},"uuid":"1","timestamp":"2026-11-22T02:46:35.889Z"}` + "\n",
		"a.jsonl": `{"type":"user",` +
			`"isSidechain":true,"message":` +
			`{"role":"user","content":"find it"},"uuid":"1","timestamp":"2026-11-22T02:46:35.889Z"}` + "\n" +
			`{"type":"assistant",` +
			`"isSidechain":true,"message":` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"u","name":"Write",` +
			`"input":{"file_path":"/w/a","content":"x"}}]},"uuid":"2","timestamp":"2026-11-22T02:46:36.889Z"}` + "\n" +
			`{"type":"user","isSidechain":` +
			`true,"message":{"role":` +
			`"user","content":[{"tool_use_id":` +
			`"u","type":"tool_result","content":"ok"}]},"uuid":"3","timestamp":"2026-11-22T02:46:37.889Z"}` + "\n" +
			`{"type":"assistant",` +
			`"isSidechain":true,"message":` +
			`{"role":"assistant",` +
			`"content":[{"type":"text","text":"found"}]},"uuid":"4","timestamp":"2026-11-22T02:46:38.889Z"}` +
			"\n"},
		calls: []string{strings.Replace(fromClaude("SubagentStop",
			`"agent_id":"a","agent_type":"x","agent_transcript_path":"$P/a.jsonl",`+
				`"stop_hook_active":false`), `"transcript_path":""`, `"transcript_path":"$P/t.jsonl"`, 1),
			fromClaude("SubagentStop", `"agent_id":"a","agent_type":"x","agent_transcript_path":"$P/none.jsonl"`)}},
	{name: "a module without callbacks to run", flags: "--hooks qoder-sdk --host cursor --module $P/m.mjs",
		files: map[string]string{"m.mjs": ""},
		set:   func(b *Bridge) { b.Single.Command = "" }, calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "a module's own time", flags: "--hooks qoder-sdk --host cursor --module $P/m.mjs",
		files: map[string]string{"m.mjs": ""}, set: func(b *Bridge) { b.Single.Timeout = 3_000_000_000 },
		calls: []string{fromCursor("preToolUse", cursorLs)}},
	{name: "a module's time", flags: "--hooks qoder-sdk --host cursor --module $P/m.mjs --timeout 5",
		files: map[string]string{"m.mjs": ""},
		set:   func(b *Bridge) { b.Single.Timeout = 3_000_000_000 }, calls: []string{fromCursor("preToolUse", cursorLs),
			fromCursor("stop", `"status":"completed","loop_count":0`)}},
	{name: "once, for hooks that ask and fail", flags: "--hooks claude --host cursor --config $P/s/SKILL.md",
		files: map[string]string{"s/SKILL.md": skill("PreToolUse", "true", "exit 1", "exit 2", asks)},
		calls: []string{fromCursor("preToolUse", cursorLs), fromCursor("preToolUse", cursorLs)}},
	{name: "once, for hooks that send the agent back", flags: "--hooks claude --host cursor --config $P/s/SKILL.md",
		files: map[string]string{"s/SKILL.md": skill("Stop", "true", "echo more >&2; exit 2")},
		calls: []string{fromCursor("stop", `"status":"completed","loop_count":0`),
			fromCursor("stop", `"status":"completed","loop_count":0`)}},
}

// skill returns a skill with hooks for an event that run once.
func skill(event string, commands ...string) string {
	text := "---\nname: s\ndescription: d\nhooks:\n  " + event + ":\n    - hooks:\n"
	for _, c := range commands {
		text += "        - type: command\n          command: " + strconv.Quote(c) + "\n          once: true\n"
	}
	return text + "---\n"
}

// manyServers returns a matcher that names more servers than a call has views for.
func manyServers() string {
	var names []string
	for i := range maxServers + 5 {
		names = append(names, "mcp__s"+strconv.Itoa(i)+"__do")
	}
	return strings.Join(names, "|")
}

package conformance

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// hosts are further agents that run the hooks of the suite's agents. Pairs of two hosts aren't in the grid.
var hosts = []string{"codex@0.169.0", "copilot@1.0.102", "gemini@0.61.0"}

// An answerWord is how a host's answer expresses one effect at one event, or at all events without a separate row
// (Any). %s is the text of the effect, %e the event.
type answerWord struct {
	event  schema.Event
	effect schema.Feature
	answer string
}

// anyEvent is for answers that are the same at all events.
const anyEvent schema.Event = 0

// answerWords are the formats of the further hosts: observed Codex 0.169.0, Copilot CLI 1.0.102,
// Gemini CLI 0.61.0.
var answerWords = map[string][]answerWord{
	"codex": {
		{schema.PreTool, schema.EffectDeny, `{"hookSpecificOutput":{"hookEventName":%e,` +
			`"permissionDecision":"deny","permissionDecisionReason":%s}}`},
		{schema.PreTool, schema.EffectInput, `{"hookSpecificOutput":{"hookEventName":%e,` +
			`"permissionDecision":"allow","updatedInput":%s}}`},
		{schema.PermissionRequest, schema.EffectAllow,
			`{"hookSpecificOutput":{"hookEventName":%e,"decision":{"behavior":"allow"}}}`},
		{schema.PermissionRequest, schema.EffectDeny,
			`{"hookSpecificOutput":{"hookEventName":%e,"decision":{"behavior":"deny","message":%s}}}`},
		{schema.PreCompact, schema.EffectDeny, `{"continue":false,"stopReason":%s}`},
		{anyEvent, schema.EffectDeny, `{"decision":"block","reason":%s}`},
		{anyEvent, schema.EffectContext, `{"hookSpecificOutput":{"hookEventName":%e,"additionalContext":%s}}`},
		{anyEvent, schema.EffectFeedback, `{"hookSpecificOutput":{"hookEventName":%e,"additionalContext":%s}}`},
		{anyEvent, schema.EffectOutput, `{"decision":"block","reason":%s}`},
		{anyEvent, schema.EffectKeepGoing, `{"decision":"block","reason":%s}`},
		{anyEvent, schema.EffectEndTurn, `{"continue":false,"stopReason":%s}`},
		{anyEvent, schema.EffectNotice, `{"systemMessage":%s}`},
	},
	"copilot": {
		{schema.PreTool, schema.EffectAllow, `{"permissionDecision":"allow","permissionDecisionReason":%s}`},
		{schema.PreTool, schema.EffectAsk, `{"permissionDecision":"ask","permissionDecisionReason":%s}`},
		{schema.PreTool, schema.EffectDeny, `{"permissionDecision":"deny","permissionDecisionReason":%s}`},
		{schema.PreTool, schema.EffectInput, `{"modifiedArgs":%s}`},
		{schema.PermissionRequest, schema.EffectAllow, `{"behavior":"allow"}`},
		{schema.PermissionRequest, schema.EffectDeny, `{"behavior":"deny","message":%s}`},
		{schema.PermissionRequest, schema.EffectInterrupt, `{"behavior":"deny","message":%s,"interrupt":true}`},
		{anyEvent, schema.EffectDeny, `{"decision":"block","reason":%s}`},
		{anyEvent, schema.EffectContext, `{"additionalContext":%s}`},
		{anyEvent, schema.EffectFeedback, `{"additionalContext":%s}`},
		{anyEvent, schema.EffectOutput, `{"modifiedResult":{"resultType":"success","textResultForLlm":%s}}`},
		{anyEvent, schema.EffectKeepGoing, `{"decision":"block","reason":%s}`},
	},
	"gemini": {
		{schema.PreTool, schema.EffectInput, `{"hookSpecificOutput":{"hookEventName":%e,"tool_input":%s}}`},
		{anyEvent, schema.EffectDeny, `{"decision":"deny","reason":%s}`},
		{anyEvent, schema.EffectContext, `{"hookSpecificOutput":{"hookEventName":%e,"additionalContext":%s}}`},
		{anyEvent, schema.EffectFeedback, `{"hookSpecificOutput":{"hookEventName":%e,"additionalContext":%s}}`},
		{anyEvent, schema.EffectOutput, `{"decision":"deny","reason":%s}`},
		{anyEvent, schema.EffectKeepGoing, `{"decision":"deny","reason":%s}`},
		{anyEvent, schema.EffectEndTurn, `{"continue":false,"stopReason":%s}`},
		{anyEvent, schema.EffectNotice, `{"systemMessage":%s}`},
	},
}

// effectTexts are the texts of the effects in the grid's hooks.
var effectTexts = map[schema.Feature]string{
	schema.EffectInput: `{"command":"echo safe"}`, schema.EffectContext: quote(advice),
	schema.EffectOutput: `"ok"`, schema.EffectKeepGoing: quote(goOn), schema.EffectEndTurn: quote(enough),
	schema.EffectNotice: quote(notice),
}

// hostAnswer returns a host's answer with an effect; "" if its format doesn't have it there.
func hostAnswer(host string, row *schema.EventRow, f schema.Feature) string {
	text, ok := effectTexts[f]
	if !ok {
		text = quote(reason)
	}
	for _, w := range answerWords[plain(host)] {
		if w.effect == f && (w.event == row.Event || w.event == anyEvent) {
			return strings.NewReplacer("%e", quote(row.Native), "%s", text).Replace(w.answer)
		}
	}
	return ""
}

// isHost reports whether a dialect is one of the further hosts.
func isHost(name string) bool {
	return slices.ContainsFunc(hosts, func(h string) bool { return plain(h) == plain(name) })
}

// heard returns the effects that a further host applies: those that it honors and has a format for. Feedback is context
// there.
func heard(host string, row *schema.EventRow, f schema.Feature) schema.Feature {
	honors := row.Honors
	if honors&schema.EffectContext != 0 {
		honors |= schema.EffectFeedback
	}
	for _, f := range []schema.Feature{f, schema.EffectAsk} {
		if hostAnswer(host, row, f) == "" {
			honors &^= f
		}
	}
	return honors
}

// partOfDecision returns a further host's answer to a permission request with an effect that it doesn't have: the
// decision without it. A call that was to be rewritten is denied.
func partOfDecision(host string, row *schema.EventRow, f schema.Feature) (string, []Finding) {
	lost := []Finding{{string(schema.CodeEffectLost), schema.Loss.String(), ""}}
	switch f {
	case schema.EffectPermissions:
		return hostAnswer(host, row, schema.EffectAllow), lost
	case schema.EffectInterrupt:
		return hostAnswer(host, row, schema.EffectDeny), lost
	}
	denied := "A hook rewrote the input of this call (command). That can't be applied here, so the call is denied."
	return strings.ReplaceAll(hostAnswer(host, row, schema.EffectDeny), quote(reason), quote(denied)),
		[]Finding{{string(schema.CodeInputDenied), schema.Note.String(), ""}}
}

// madeForHosts returns the answers and configurations of the suite's agents for the further hosts.
func madeForHosts() (all []made) {
	for _, from := range suite {
		rows := dialect(from).Profile().Events
		for _, to := range hosts {
			if plain(from) == "qoder" && plain(to) == "codex" { // few vectors, by hand
				continue
			}
			for i := range rows {
				row := &rows[i]
				switch other := counterpart(from, row, dialect(to)); {
				case row.Inline():
				case other == nil:
					all = append(all, noEvent(from, to, row))
				default:
					all = append(all, repliesOf(from, to, row, other)...)
				}
				all = append(all, eventConfig(from, to, row))
			}
			all = append(all, toolConfigs(from, to)...)
		}
	}
	return all
}

// copilot returns the entry in Copilot CLI's format, which has a command for each shell. A hook's own command, and one
// with quotes, is only for a POSIX shell.
func (e entry) copilot(matcher string) string {
	if !strings.HasPrefix(e.command, "hookbridge ") {
		return object("type", `"command"`, "bash", quote(e.command), "timeoutSec", e.timeout, "matcher", matcher)
	}
	powershell := quote(e.command)
	if strings.Contains(e.command, "'") {
		powershell = ""
	}
	return object("matcher", matcher, "type", `"command"`, "bash", quote(e.command), "powershell", powershell,
		"timeoutSec", e.timeout)
}

// hostEvents are the events and matchers of the further hosts for hooks that don't just use the one event of the same
// meaning. A line has the agent ("*" is any) and event of the hook, then for each host the events, with a matcher after
// a colon. "-" is the usual one.
const hostEvents = `
cursor beforeShellExecution PreToolUse:Bash preToolUse:bash|powershell|write_bash BeforeTool:^(?:run_shell_command)$
cursor afterShellExecution PostToolUse:Bash postToolUse:bash|powershell,postToolUseFailure \
	AfterTool:^(?:run_shell_command)$
cursor beforeMCPExecution PreToolUse:^(?:mcp__.*__.*)$ preToolUse:^(?:.*-.*)$ BeforeTool:^(?:mcp_.*_.*)$
cursor afterMCPExecution PostToolUse:^(?:mcp__.*__.*)$ postToolUse:^(?:.*-.*)$,postToolUseFailure \
	AfterTool:^(?:mcp_.*_.*)$
cursor beforeReadFile PreToolUse:Bash|view_image preToolUse:view BeforeTool:^(?:read_file)$
cursor afterFileEdit PostToolUse:Bash|apply_patch postToolUse:create|edit|apply_patch|str_replace_editor \
	AfterTool:^(?:write_file|replace)$
cursor subagentStart PreToolUse:spawn_agent preToolUse:task BeforeTool:^(?:invoke_agent)$
cursor sessionStart - sessionStart,userPromptSubmitted,preToolUse SessionStart,BeforeAgent
cursor preToolUse - - BeforeTool,AfterTool
cursor postToolUse - postToolUse,postToolUseFailure -
cursor postToolUseFailure - postToolUseFailure,postToolUse:bash AfterTool
cursor stop - agentStop,errorOccurred -
cursor preCompact - - PreCompress:manual
* PreToolUse - - BeforeTool,AfterTool
* PostToolUseFailure - postToolUseFailure,postToolUse:bash AfterTool
* PreCompact - - PreCompress:manual
`

// hostStands reads the line of an event; nil for the usual event.
func hostStands(from, native, to string) (list []stand) {
	column := slices.IndexFunc(hosts, func(h string) bool { return plain(h) == plain(to) })
	for line := range strings.Lines(strings.ReplaceAll(hostEvents, "\\\n", "")) {
		words := strings.Fields(line)
		if column < 0 || len(words) == 0 || words[1] != native || words[0] != plain(from) && words[0] != "*" {
			continue
		}
		for one := range strings.SplitSeq(strings.TrimPrefix(words[2+column], "-"), ",") {
			if event, matcher, _ := strings.Cut(one, ":"); event != "" {
				list = append(list, stand{event, matcher})
			}
		}
	}
	return list
}

// hostFindings returns the other findings about a hook on an event of a further host.
func hostFindings(from string, row *schema.EventRow, to string) []Finding {
	at := func(code schema.Code, severity schema.Severity) []Finding {
		return []Finding{{string(code), severity.String(), path(from, row.Native, 0)}}
	}
	ofShell := row.Native == "PostToolUse" || row.Native == "postToolUse" || row.Native == "afterShellExecution"
	switch {
	case plain(to) == "codex" && ofShell: // also raised for failed commands
		return at(schema.CodeMoreCalls, schema.Loss)
	case plain(to) == "codex" && row.Event == schema.PermissionRequest: // codex exec never raises it
		return at(schema.CodeWayLacks, schema.Weaker)
	case plain(to) == "copilot" && row.Event == schema.SessionStart: // the prompt's hooks run at the same time
		return at(schema.CodeNotAwaited, schema.Loss)
	case plain(to) == "copilot" && row.Event == schema.StopFailure,
		plain(to) == "gemini" && row.Event == schema.PreCompact:
		return at(schema.CodeDeadValue, schema.Note)
	}
	return nil
}

// hostMatchers are the further hosts' tools for those of toolWords. One after "!" is unknown there and keeps its name.
var hostMatchers = map[string][]string{
	"shell":      {"Bash|apply_patch", "bash|apply_patch|powershell", "^(?:run_shell_command)$"},
	"read":       {"Bash|view_image", "view", "^(?:read_file)$"},
	"write":      {"Bash|apply_patch", "create|apply_patch", "^(?:write_file)$"},
	"grep":       {"!Grep", "grep|rg", "^(?:grep_search|search_file_content)$"},
	"fetch":      {"!WebFetch", "web_fetch", "^(?:web_fetch)$"},
	"web-search": {"!WebSearch", "web_search", "^(?:google_web_search)$"},
	"agent":      {"spawn_agent", "task", "^(?:invoke_agent)$"},
	"glob":       {"!Glob", "glob", "^(?:glob)$"},
	"two": {"Bash|apply_patch|view_image", "bash|apply_patch|powershell|view",
		"^(?:run_shell_command|read_file)$"},
}

// hostMatcher changes a configuration with a matcher, for a further host.
func hostMatcher(m *made, name, matcher, command string) {
	column := slices.IndexFunc(hosts, func(h string) bool { return plain(h) == plain(m.to) })
	event := []string{"PostToolUse", "postToolUse", "AfterTool"}[column]
	there, unknown := strings.CutPrefix(hostMatchers[name][column], "!")
	m.output = document(m.to, entry{event: event, matcher: there, command: command, timeout: "600"})
	at := "/hooks/PostToolUse/0"
	switch {
	case unknown:
		m.findings = []Finding{{string(schema.CodeNoEvent), schema.Weaker.String(), at + "/matcher"}}
	case plain(m.to) == "codex" && strings.Contains(matcher, "Bash"):
		m.findings = []Finding{{string(schema.CodeMoreCalls), schema.Loss.String(), at + "/hooks/0"}}
	}
}

package conformance

import (
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// The words with which a hook expresses one effect, and with which a host is answered. They are from the agents'
// documentation and the observed behavior of their clients, not from the code: the code must write exactly these.

const (
	reason = "not here"
	advice = "two tests are red"
	goOn   = "run the tests"
	notice = "a note for the user"
	enough = "that is enough"
)

// specific returns a nested answer of Claude Code and Qoder.
func specific(event string, pairs ...string) string {
	return object("hookSpecificOutput", object(append([]string{"hookEventName", quote(event)}, pairs...)...))
}

// nested returns how Claude Code and Qoder express an effect on an event; "" if a command's answer can't. Qoder's words
// are Claude Code's.
func nested(row *schema.EventRow, f schema.Feature) string {
	e := row.Native
	decides := row.Honors&schema.EffectAsk != 0
	elicits := row.Honors&schema.EffectElicit != 0
	switch f {
	case schema.EffectAllow:
		if row.Event == schema.PermissionRequest {
			return specific(e, "decision", `{"behavior":"allow"}`)
		}
		return specific(e, "permissionDecision", `"allow"`, "permissionDecisionReason", quote(reason))
	case schema.EffectAsk, schema.EffectDefer:
		return specific(e, "permissionDecision", quote(f.Name()), "permissionDecisionReason", quote(reason))
	case schema.EffectDeny:
		switch {
		case row.Event == schema.PermissionRequest:
			return specific(e, "decision", object("behavior", `"deny"`, "message", quote(reason)))
		case elicits:
			return specific(e, "action", `"decline"`)
		case decides:
			return specific(e, "permissionDecision", `"deny"`, "permissionDecisionReason", quote(reason))
		}
		return object("decision", `"block"`, "reason", quote(reason))
	case schema.EffectInput:
		if row.Event == schema.PermissionRequest {
			return specific(e, "decision", `{"behavior":"allow","updatedInput":{"command":"echo safe"}}`)
		}
		return specific(e, "updatedInput", `{"command":"echo safe"}`)
	case schema.EffectPermissions:
		return specific(e, "decision", `{"behavior":"allow","updatedPermissions":[{"type":"setMode",`+
			`"mode":"acceptEdits","destination":"session"}]}`)
	case schema.EffectInterrupt:
		return specific(e, "decision", object("behavior", `"deny"`, "message", quote(reason), "interrupt", "true"))
	case schema.EffectContext:
		return specific(e, "additionalContext", quote(advice))
	case schema.EffectFeedback:
		return object("decision", `"block"`, "reason", quote(reason))
	case schema.EffectKeepGoing:
		return object("decision", `"block"`, "reason", quote(goOn))
	case schema.EffectEndTurn:
		return object("continue", "false", "stopReason", quote(enough))
	case schema.EffectNotice:
		return object("systemMessage", quote(notice))
	case schema.EffectQuiet:
		return object("suppressOutput", "true")
	case schema.EffectTerminal:
		return object("terminalSequence", quote("\x1b]9;done\x07"))
	case schema.EffectOutput:
		return specific(e, "updatedToolOutput", `{"stdout":"ok","stderr":"","interrupted":false,"isImage":false}`)
	case schema.EffectElicit:
		return specific(e, "action", `"accept"`, "content", `{"answer":"yes"}`)
	}
	for _, one := range []struct {
		f           schema.Feature
		name, value string
	}{
		{schema.EffectRetry, "retry", "true"}, {schema.EffectClassifier, "classifierContext", `"internal build"`},
		{schema.EffectSessionTitle, "sessionTitle", `"Fix the build"`},
		{schema.EffectHidePrompt, "suppressOriginalPrompt", "true"},
		{schema.EffectWatchPaths, "watchPaths", `["/repo/.env"]`},
		{schema.EffectInitialPrompt, "initialUserMessage", `"begin"`},
		{schema.EffectReloadSkills, "reloadSkills", "true"}, {schema.EffectDisplay, "displayContent", `"shown"`},
		{schema.EffectWorktree, "worktreePath", `"/repo/tree"`},
	} {
		if one.f == f {
			return specific(e, one.name, one.value)
		}
	}
	return "" // a reason needs a verdict, variables use a file
}

// flat returns how Cursor expresses an effect on an event.
func flat(row *schema.EventRow, f schema.Feature) string {
	switch f {
	case schema.EffectAllow:
		return object("permission", `"allow"`, "user_message", quote(reason), "agent_message", quote(reason))
	case schema.EffectAsk:
		return object("permission", `"ask"`, "user_message", quote(reason), "agent_message", quote(reason))
	case schema.EffectDeny:
		if row.Event == schema.PromptSubmit {
			return object("continue", "false", "user_message", quote(reason))
		}
		return object("permission", `"deny"`, "user_message", quote(reason), "agent_message", quote(reason))
	case schema.EffectInput:
		return object("updated_input", `{"command":"echo safe"}`)
	case schema.EffectOutput:
		return object("updated_mcp_tool_output", `{"content":[{"type":"text","text":"ok"}]}`)
	case schema.EffectContext:
		return object("additional_context", quote(advice))
	case schema.EffectFeedback:
		return object("additional_context", quote(reason))
	case schema.EffectKeepGoing:
		return object("followup_message", quote(goOn))
	case schema.EffectEndTurn:
		return object("continue", "false", "user_message", quote(enough))
	case schema.EffectEnv:
		return object("env", `{"STAGE":"test"}`)
	case schema.EffectNotice:
		return object("user_message", quote(notice))
	case schema.EffectPluginPaths:
		return object("pluginPaths", `["/repo/plugin"]`)
	}
	return ""
}

// says returns how a dialect expresses an effect.
func says(dialect string, row *schema.EventRow, f schema.Feature) string {
	switch {
	case plain(dialect) == "cursor":
		return flat(row, f)
	case isHost(dialect):
		return hostAnswer(dialect, row, f)
	// a path is always required
	case row.Event == schema.WorktreeCreate && f&(schema.EffectNotice|schema.EffectQuiet) != 0:
		return joined(nested(row, f), nested(row, schema.EffectWorktree))
	}
	return nested(row, f)
}

// joined merges two objects.
func joined(a, b string) string {
	if a == "{}" || b == "{}" {
		return strings.TrimSuffix(a, "}") + strings.TrimPrefix(b, "{")
	}
	return strings.TrimSuffix(a, "}") + "," + strings.TrimPrefix(b, "{")
}

// lost are the expected findings for effects that the host doesn't support.
var lost = []struct {
	f        schema.Feature
	code     schema.Code
	severity schema.Severity
}{
	{schema.EffectDeny, schema.CodeDenyLost, schema.Error},
	{schema.EffectContext, schema.CodeContextLost, schema.Loss},
	{schema.EffectFeedback, schema.CodeContextLost, schema.Loss},
	{schema.EffectOutput, schema.CodeOutputKept, schema.Weaker},
	{schema.EffectEndTurn, schema.CodeEndTurn, schema.Weaker},
	{schema.EffectNotice, schema.CodeNoticeLost, schema.Note},
	{schema.EffectKeepGoing, schema.CodeKeepGoLost, schema.Weaker},
	{schema.EffectEnv, schema.CodeEnvLost, schema.Loss},
}

const (
	noEventWhy = "If the host has no such event, the answer is rejected and reported."
	silenceWhy = "A hook that returns no decision changes nothing in the host."
)

// effectWhy are the rules about effects, without the event.
var effectWhy = []struct {
	f   schema.Feature
	why string
}{
	{schema.EffectAllow, "an approval skips the host's question only if it does so in the hook's own agent"},
	{schema.EffectAsk, "if the host can't ask the user, the call is denied"},
	{schema.EffectDefer, "a call that a hook defers doesn't run in the meantime"},
	{schema.EffectDeny, "a denial blocks in the host, with its reason; if the host can't block, that is reported"},
	{schema.EffectInput, "the host runs the input that the hook wrote, or nothing"},
	{schema.EffectOutput, "the model sees the replaced result; if the host can't replace it, that is reported"},
	{schema.EffectContext, "context from a hook reaches the model, or its loss is reported"},
	{schema.EffectFeedback, "feedback about a call reaches the model, or its loss is reported"},
	{schema.EffectKeepGoing, "a hook can make the agent continue; if the host can't do that, it is reported"},
	{schema.EffectEndTurn, "a hook can end the turn; if the host can't do that, it is reported"},
	{schema.EffectNotice, "a message for the user is shown, or its loss is reported"},
	{schema.EffectQuiet, "suppressOutput doesn't change the rest of the answer"},
	{schema.EffectTerminal, "a terminal sequence doesn't change the rest of the answer"},
	{schema.EffectEnv, "variables that a hook sets reach later commands, or their loss is reported"},
}

// whyEffect returns the rule about an effect at an event.
func whyEffect(row *schema.EventRow, f schema.Feature) string {
	for _, w := range effectWhy {
		if w.f == f {
			return "At " + row.Native + ", " + w.why + "."
		}
	}
	return "At " + row.Native + ", the effect " + f.Name() + " is translated, or its loss is reported."
}

// suite are the dialects in the tables, with their versions: the local agent of the Cursor SDK, 1.0.32, calls itself
// 1.0.0.
var suite = []string{"claude@2.1.332", "cursor@1.0.0", "qoder@1.1.52"}

// words returns the agent whose words a dialect uses: the Agent SDK uses those of the CLI that it runs.
func words(dialect string) string { return strings.TrimSuffix(plain(dialect), "-sdk") }

func dialect(name string) adapter.Dialect {
	d, err := adapter.Find(name)
	if err != nil {
		panic("no dialect " + name)
	}
	return d
}

// counterpart returns the event of to at which hooks of row run. If a sub-agent's start can be denied, that is the call
// of the tool that starts it.
func counterpart(from string, row *schema.EventRow, to adapter.Dialect) *schema.EventRow {
	event := row.Event
	if plain(from) != to.Profile().Name {
		switch row.Native {
		case "subagentStart":
			event = schema.PreTool
		case "afterAgentResponse":
			event = schema.Stop
		}
		if plain(from) == "copilot" && event == schema.PermissionRequest { // raised for every call there
			event = schema.PreTool
		}
	}
	rows := to.Profile().Events
	for i := range rows {
		if rows[i].Event == event && rows[i].Gate == nil {
			return &rows[i]
		}
	}
	return nil
}

func source(from string, row *schema.EventRow, to string, other *schema.EventRow) string {
	s := plain(from) + " " + row.Native + ": " + row.Source
	if other != nil && from != to {
		s += "; " + plain(to) + " " + other.Native + ": " + other.Source
	}
	return s
}

// kebab returns a native event name as a part of an id.
func kebab(s string) string {
	var b strings.Builder
	for i, c := range s {
		if c >= 'A' && c <= 'Z' {
			if i > 0 && (s[i-1] < 'A' || s[i-1] > 'Z') {
				b.WriteByte('-')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

func madeReplies() (all []made) {
	for _, from := range suite {
		rows := dialect(from).Profile().Events
		for i := range rows {
			row := &rows[i]
			alone := true // no other agent has the event
			for _, to := range suite {
				alone = alone && (from == to || counterpart(from, row, dialect(to)) == nil)
			}
			for _, to := range suite {
				switch other := counterpart(from, row, dialect(to)); {
				case row.Inline(), from == to && !alone:
				case other == nil:
					all = append(all, noEvent(from, to, row))
				default:
					all = append(all, repliesOf(from, to, row, other)...)
				}
			}
		}
	}
	return all
}

func pairOf(from, to string) string { return plain(from) + "-to-" + plain(to) }

func noEvent(from, to string, row *schema.EventRow) made {
	return made{
		id:  "reply/" + pairOf(from, to) + "/" + kebab(row.Native) + "-has-no-event",
		why: noEventWhy, source: source(from, row, to, nil),
		from: from, to: to, event: row.Native, input: "{}", output: "null",
		findings: []Finding{{string(schema.CodeNoEvent), schema.Weaker.String(), ""}},
	}
}

func repliesOf(from, to string, row, other *schema.EventRow) (all []made) {
	base := made{source: source(from, row, to, other), from: from, to: to, event: row.Native, tool: toolFor(from, row)}
	prefix := "reply/" + pairOf(from, to) + "/" + kebab(row.Native) + "-"
	silence := base
	silence.id, silence.input, silence.output = prefix+"silence", "{}", "{}"
	silence.why = silenceWhy
	if row.Event != schema.WorktreeCreate { // fails without a path
		all = append(all, silence)
	}
	row.Honors.Each(func(f schema.Feature) {
		m := base
		m.id = prefix + f.Name()
		m.input = says(from, row, f)
		switch {
		case m.input == "", f == schema.EffectReason, f == schema.EffectUserReason:
			return
		case f == schema.EffectFeedback && plain(from) == "cursor": // it only supports context
			return
		// a command can only print a path; written by hand
		case row.Event == schema.WorktreeCreate && plain(from) == "claude":
			return
		}
		if f == schema.EffectContext && plain(from) != "cursor" && row.Event == schema.PreCompact {
			m.input, m.isText = advice, true // only plain text counts there
		}
		m.why = whyEffect(row, f)
		m.output, m.findings = expect(&m, row, other, f)
		m.findings = append(m.findings,
			unheard(&m, other, f, Finding{string(schema.CodeContextLost), schema.Loss.String(), ""})...)
		all = append(all, m)
	})
	return all
}

// toolFor returns a tool for the row's answer.
func toolFor(from string, row *schema.EventRow) string {
	switch {
	case row.Gate != nil || !row.Event.IsTool():
		return ""
	case plain(from) == "cursor":
		return "Shell"
	}
	return "Bash"
}

// unheard returns the findings about an effect that the host's program ignores although the answer has it. context is
// the finding for context.
func unheard(m *made, other *schema.EventRow, f schema.Feature, context Finding) []Finding {
	to := dialect(m.to).Profile()
	program := to.ProgramOf(to.Version)
	if program == nil || m.output == "{}" {
		return nil
	}
	if f == schema.EffectEndTurn && other.Event == schema.PromptSubmit { // counts as a denial there
		f = schema.EffectDeny
	}
	switch f & program.On(other.Native).Effects {
	case schema.EffectDeny:
		return []Finding{{string(schema.CodeDenyLost), schema.Error.String(), ""}}
	case schema.EffectContext:
		return []Finding{context}
	case schema.EffectEnv:
		return []Finding{{string(schema.CodeEnvLost), schema.Loss.String(), ""}}
	}
	return nil
}

// expect returns the expected answer and findings.
func expect(m *made, row, other *schema.EventRow, f schema.Feature) (output string, findings []Finding) {
	to := words(m.to)
	heeds := other.Honors
	switch {
	case to == "cursor" && other.Event == schema.PostTool: // of MCP tools only
		heeds &^= schema.EffectOutput
	case to == "claude" && other.Event == schema.PreCompact: // only plain text, never an answer of hookbridge
		heeds &^= schema.EffectContext
	}
	if isHost(to) {
		heeds = heard(to, other, f)
	}
	if to != "cursor" {
		heeds &^= schema.EffectEnv
	}
	say := func(code schema.Code, s schema.Severity) []Finding { return []Finding{{string(code), s.String(), ""}} }
	switch {
	// no objection, because allow would skip the user's prompt
	case f == schema.EffectAllow && words(m.from) == "cursor" && to != "cursor":
		return "{}", say(schema.CodeAllowPassed, schema.Note)
	case f == schema.EffectAllow && heeds&f == 0 && isHost(to): // its own rules decide
		return "{}", say(schema.CodeAllowPassed, schema.Note)
	case isHost(to) && other.Event == schema.PermissionRequest && heeds&f == 0 &&
		f&(schema.EffectInput|schema.EffectPermissions|schema.EffectInterrupt) != 0:
		return partOfDecision(to, other, f)
	case f == schema.EffectDefer && heeds&f == 0 && heeds&schema.EffectAsk != 0:
		return says(to, other, schema.EffectAsk), nil
	case (f == schema.EffectAsk || f == schema.EffectDefer) && heeds&f == 0:
		return says(to, other, schema.EffectDeny), say(schema.CodeAskDenied, schema.Note)
	case f == schema.EffectEndTurn && heeds&f == 0 &&
		(other.Event == schema.Stop || other.Event == schema.SubagentStop):
		return "{}", nil // it ends anyway
	case f == schema.EffectEndTurn && heeds&f == 0 && other.Event == schema.PromptSubmit:
		return strings.ReplaceAll(says(to, other, schema.EffectDeny), quote(reason), quote(enough)), nil
	case f == schema.EffectFeedback && to == "qoder" && other.Event == schema.PostToolFailure:
		// A block would replace the failed tool's output.
		return specific(other.Native, "additionalContext", quote(reason)), nil
	case f == schema.EffectEndTurn && words(m.from) == "qoder" && refusesToo(row.Event):
		// Qoder doesn't run the call either.
		no := strings.ReplaceAll(says(to, other, schema.EffectDeny), quote(reason), quote(enough))
		if heeds&f == 0 {
			return no, say(schema.CodeEndTurn, schema.Weaker)
		}
		return joined(no, says(to, other, f)), nil
	case f == schema.EffectEndTurn && to == "gemini" && other.Event.IsTool(),
		f == schema.EffectEndTurn && to == "qoder" && other.Event == schema.PreTool:
		return says(to, other, f), say(schema.CodeEndTurn, schema.Note)
	case heeds&f != 0:
		return says(to, other, f), nil
	case f&(schema.EffectQuiet|schema.EffectTerminal) != 0:
		return "{}", nil
	}
	for _, l := range lost {
		if l.f == f {
			return "{}", say(l.code, l.severity)
		}
	}
	return "{}", say(schema.CodeEffectLost, schema.Loss)
}

// refusesToo are the events at which Qoder, when a hook ends the turn, also skips the action in question (package
// 1.1.52).
func refusesToo(e schema.Event) bool {
	return e == schema.PreTool || e == schema.TaskCreated || e == schema.TaskCompleted
}

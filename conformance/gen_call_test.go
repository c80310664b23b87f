package conformance

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Each agent's payloads for events that aren't about a tool. They have fields in the agent's order, each with the
// meaning that it shares with the others' and, after "=", the constant value. "name" is a field named by its meaning,
// "name:meaning" any other. From the agents' documentation and payloads (claude 2.1.328, cursor SDK 1.0.32, qoder
// 1.1.52).
var told = map[string]map[string]string{
	"claude": {
		"SessionStart": `session_id transcript_path="" cwd hook_event_name source="startup" model session_title`,
		"SessionEnd":   `session_id transcript_path="" cwd prompt_id hook_event_name reason:end_reason`,
		"Setup":        `session_id transcript_path="" cwd prompt_id hook_event_name trigger:setup_trigger`,
		"UserPromptSubmit": `session_id transcript_path="" cwd prompt_id permission_mode="default" ` +
			`hook_event_name prompt source:prompt_source session_title`,
		"Stop": `session_id transcript_path="" cwd prompt_id permission_mode="default" ` +
			`hook_event_name stop_hook_active=false last_assistant_message background_tasks session_crons`,
		"StopFailure": `session_id transcript_path="" cwd prompt_id hook_event_name ` +
			`error:stop_error="unknown" error_details last_assistant_message`,
		"SubagentStart": `session_id transcript_path="" cwd prompt_id agent_id agent_type hook_event_name`,
		"SubagentStop": `session_id transcript_path="" cwd prompt_id permission_mode="default" agent_id ` +
			`agent_type hook_event_name stop_hook_active=false agent_transcript_path="" last_assistant_message ` +
			`background_tasks session_crons`,
		"Notification": `session_id transcript_path="" cwd prompt_id hook_event_name message title ` +
			`notification_type`,
		"PreCompact": `session_id transcript_path="" cwd prompt_id hook_event_name trigger="auto" ` +
			`custom_instructions=""`,
		"PostCompact": `session_id transcript_path="" cwd prompt_id hook_event_name trigger="auto" ` +
			`compact_summary`,
		"InstructionsLoaded": `session_id transcript_path="" cwd prompt_id hook_event_name file_path memory_type ` +
			`load_reason globs trigger_file_path parent_file_path`,
		"ConfigChange": `session_id transcript_path="" cwd prompt_id hook_event_name source:config_source ` +
			`file_path`,
		"CwdChanged":  `session_id transcript_path="" cwd prompt_id hook_event_name old_cwd new_cwd`,
		"FileChanged": `session_id transcript_path="" cwd prompt_id hook_event_name file_path event:file_event`,
		"TaskCreated": `session_id transcript_path="" cwd prompt_id hook_event_name task_id task_subject ` +
			`task_description teammate_name team_name`,
		"TaskCompleted": `session_id transcript_path="" cwd prompt_id hook_event_name task_id task_subject ` +
			`task_description teammate_name team_name`,
		"TeammateIdle":   `session_id transcript_path="" cwd prompt_id hook_event_name teammate_name team_name`,
		"WorktreeCreate": `session_id transcript_path="" cwd prompt_id hook_event_name name:worktree`,
		"WorktreeRemove": `session_id transcript_path="" cwd prompt_id hook_event_name worktree_path`,
		"Elicitation": `session_id transcript_path="" cwd prompt_id hook_event_name mcp_server_name message ` +
			`mode:elicit_mode url elicitation_id requested_schema`,
		"ElicitationResult": `session_id transcript_path="" cwd prompt_id hook_event_name mcp_server_name action ` +
			`content mode:elicit_mode elicitation_id`,
	},
	"qoder": {
		"SessionStart": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`source="startup"`,
		"SessionEnd": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`reason:end_reason`,
		"Setup": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`trigger:setup_trigger`,
		"UserPromptSubmit": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`prompt`,
		"Stop": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`stop_hook_active=false last_assistant_message=""`,
		"StopFailure": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`error:stop_error="unknown" error_details last_assistant_message`,
		"SubagentStart": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`agent_id agent_type`,
		"SubagentStop": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`agent_id agent_type stop_hook_active=false agent_transcript_path="" last_assistant_message`,
		"Notification": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`notification_type message title`,
		"PreCompact": `session_id transcript_path="" cwd hook_event_name model trigger="auto" ` +
			`custom_instructions=""`,
		"PostCompact": `session_id transcript_path="" cwd hook_event_name model trigger="auto" compact_summary`,
		"InstructionsLoaded": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`file_path memory_type load_reason globs trigger_file_path parent_file_path`,
		"ConfigChange": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`source:config_source file_path`,
		"CwdChanged": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`old_cwd new_cwd`,
		"FileChanged": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`file_path event:file_event`,
		"TaskCreated": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`task_id task_subject task_description teammate_name team_name`,
		"TaskCompleted": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`task_id task_subject task_description teammate_name team_name`,
		"TeammateIdle": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`teammate_name team_name`,
		"WorktreeCreate": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`name:worktree`,
		"WorktreeRemove": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`worktree_path`,
		"Elicitation": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`mcp_server_name message mode:elicit_mode url elicitation_id requested_schema`,
		"ElicitationResult": `session_id transcript_path="" cwd hook_event_name model permission_mode="default" ` +
			`mcp_server_name action content mode:elicit_mode elicitation_id`,
	},
	"cursor": {
		"sessionStart": cursorHead + `is_background_agent=false composer_mode` + cursorTail,
		"sessionEnd": cursorHead + `reason:end_reason="completed" duration_ms is_background_agent=false ` +
			`final_status="completed"` + cursorTail,
		"beforeSubmitPrompt": cursorHead + `prompt attachments=[] composer_mode` + cursorTail,
		"stop": cursorHead +
			`status="completed" loop_count=0 input_tokens output_tokens cache_read_tokens cache_write_tokens` +
			cursorTail, "subagentStart": cursorHead +
			`subagent_id:agent_id subagent_type:agent_type task parent_conversation_id tool_call_id subagent_model ` +
			`is_parallel_worker=false git_branch` + cursorTail,
		"subagentStop": cursorHead + `subagent_id:agent_id subagent_type:agent_type status="completed" ` +
			`duration_ms summary:last_assistant_message parent_conversation_id message_count tool_call_count ` +
			`modified_files loop_count=0 task` + cursorTail + ` agent_transcript_path=null`,
		"preCompact": cursorHead + `trigger="auto" context_usage_percent context_tokens context_window_size ` +
			`message_count messages_to_compact is_first_compaction` + cursorTail,
	},
}

const (
	cursorHead = `conversation_id:session_id generation_id:prompt_id="s-1" model="unknown" `
	cursorTail = ` session_id:session_id_again hook_event_name cursor_version="1.0.0" workspace_roots ` +
		`user_email=null transcript_path=null`
)

// meanings are the values of one occasion, in words that all agents share; all others are "x".
var meanings = map[string]string{
	"session_id": `"s-1"`, "transcript_path": `"/home/dev/s-1.jsonl"`, "cwd": `"/srv/app"`, "prompt_id": `"t-1"`,
	"permission_mode": `"plan"`, "model": `"model-1"`,
	"source": `"resume"`, "end_reason": `"logout"`, "session_id_again": `"s-1"`, "workspace_roots": `["/srv/app"]`,
	"setup_trigger": `"init"`, "prompt": `"fix the build"`, "stop_hook_active": "true",
	"last_assistant_message": `"done"`, "background_tasks": "[]", "session_crons": "[]", "trigger": `"manual"`,
	"globs":             `["*.md"]`,
	"notification_type": `"idle_prompt"`, "load_reason": `"session_start"`, "file_event": `"change"`,
	"requested_schema": `{"type":"object"}`,
	"content":          `{"a":1}`, "action": `"accept"`, "is_background_agent": "true", "duration_ms": "1200",
	"final_status": `"completed"`,
	"attachments":  `[{"type":"file","file_path":"/repo/a.go"}]`, "status": `"completed"`, "loop_count": "1",
	"input_tokens": "10", "output_tokens": "20",
	"cache_read_tokens": "30", "cache_write_tokens": "40", "is_parallel_worker": "true", "message_count": "3",
	"tool_call_count": "4",
	"modified_files":  `["a.go"]`, "context_usage_percent": "80", "context_tokens": "8000",
	"context_window_size": "10000", "messages_to_compact": "2",
	"is_first_compaction": "true", "cursor_version": `"1.0.0"`, "user_email": `"dev@example.com"`,
}

// agentTypes are the agents' names for one of their own sub-agents.
var agentTypes = map[string]string{"claude": `"Explore"`, "qoder": `"Explore"`, "cursor": `"explore"`}

// A telling is one field of a payload.
type telling struct{ name, meaning, always string }

func tellings(dialect, event string) (list []telling) {
	for word := range strings.FieldsSeq(told[plain(dialect)][event]) {
		word, always, _ := strings.Cut(word, "=")
		name, meaning, ok := strings.Cut(word, ":")
		if !ok {
			meaning = name
		}
		list = append(list, telling{name, meaning, always})
	}
	return list
}

func (t telling) value(event string) string {
	v, ok := meanings[t.meaning]
	switch {
	case t.meaning == "hook_event_name":
		return quote(event)
	case t.name == "subagent_type":
		return agentTypes["cursor"]
	case t.meaning == "agent_type":
		return agentTypes["claude"]
	case t.meaning == "end_reason" && strings.HasPrefix(event, "s"): // Cursor's
		return `"aborted"`
	case !ok:
		return `"x"`
	}
	return v
}

func knows(list []telling, meaning string) bool {
	return slices.ContainsFunc(list, func(t telling) bool { return t.meaning == meaning })
}

// madeFrom are the fields that one agent's payload derives from another's different fields. They don't contain
// everything, so the loss is reported too.
var madeFrom = map[string]struct{ meaning, value string }{
	"stop_hook_active": {"loop_count", "true"},
	"loop_count":       {"stop_hook_active", "1"},
	"cwd":              {"workspace_roots", `"/srv/app"`},
	"workspace_roots":  {"cwd", `["/srv/app"]`},
	"session_id_again": {"session_id", `"s-1"`},
}

// endReasons replace the reasons above if there is no such word.
var endReasons = map[string]string{"claude": `"other"`, "qoder": `"other"`, "cursor": `"completed"`}

func madeCalls() (all []made) {
	for _, from := range suite {
		rows := dialect(from).Profile().Events
		for i := range rows {
			row := &rows[i]
			for _, to := range suite {
				if from == to || told[plain(from)][row.Native] == "" {
					continue
				}
				all = append(all, eventCall(from, to, row))
			}
		}
	}
	return all
}

func eventCall(from, to string, row *schema.EventRow) made {
	m := made{id: "call/" + pairOf(from, to) + "/event-" + kebab(row.Native), from: from, to: to,
		why: "A hook on " + row.Native + " gets the payload that its own agent sends; missing fields are reported."}
	mine := tellings(from, row.Native)
	var pairs []string
	for _, t := range mine {
		pairs = append(pairs, t.name, t.value(row.Native))
	}
	m.input = object(pairs...)
	var other *schema.EventRow
	rows := dialect(to).Profile().Events
	for i := range rows {
		if rows[i].Event == row.Event && rows[i].Gate == nil && other == nil || row.Event == schema.StopFailure &&
			rows[i].Native == "stop" {
			other = &rows[i]
		}
	}
	m.source = source(from, row, to, other)
	if other == nil || row.Native == "SubagentStart" && plain(to) == "cursor" { // denied elsewhere
		m.why = "If the hook's agent has no such event, the call isn't translated and that is reported."
		m.output = "null"
		m.findings = []Finding{{string(schema.CodeNoEvent), schema.Weaker.String(), "/hook_event_name"}}
		return m
	}
	theirs := tellings(to, other.Native)
	if other.Native == "stop" && row.Event == schema.StopFailure {
		for i := range theirs {
			if theirs[i].name == "status" {
				theirs[i].always = `"error"`
			}
		}
		theirs = slices.Insert(theirs, slices.IndexFunc(theirs, func(t telling) bool {
			return t.meaning == "session_id_again"
		}),
			telling{name: "error_message", always: `"x: x"`}) // the kind of error and the details
	}
	m.output = object(tellAnew(mine, theirs, plain(to), other.Native)...)
	m.findings = missing(mine, theirs, row, other, plain(to))
	return m
}

// tellAnew returns the fields of the other agent's payload.
func tellAnew(mine, theirs []telling, to, event string) (pairs []string) {
	for _, t := range theirs {
		value := t.always
		switch from, ok := madeFrom[t.meaning]; {
		case t.meaning == "end_reason" && knows(mine, t.meaning) && (to == "cursor" || knows(mine, "session_id_again")):
			value = endReasons[to]
		case knows(mine, t.meaning):
			value = t.value(event)
		case ok && knows(mine, from.meaning):
			value = from.value
		}
		pairs = append(pairs, t.name, value)
	}
	return pairs
}

// missing returns the fields that have no place there; those in no table of the agent come last.
func missing(mine, theirs []telling, row, other *schema.EventRow, to string) (fs []Finding) {
	lost := func(name string) {
		fs = append(fs, Finding{string(schema.CodeMemberLost), schema.Note.String(), ordjson.Pointer("", name)})
	}
	if row.Event != other.Event && !slices.Contains(other.Also, row.Event) {
		lost("hook_event_name")
	}
	for _, t := range mine {
		changed := t.meaning == "end_reason" && (to == "cursor" || knows(mine, "session_id_again"))
		if t.meaning == "cwd" && knows(theirs, "workspace_roots") { // the first root
			continue
		}
		if t.meaning != "session_id_again" && t.meaning != "hook_event_name" && (!knows(theirs, t.meaning) || changed) {
			lost(t.name)
		}
	}
	return fs
}

package conformance

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A toolWord is a tool of one agent, with its kind and the fields of its input. Each field is followed by a colon and
// the meaning that it shares with other agents' fields. Only kinds that look alike everywhere are listed; edits and
// deletions are written by hand.
type toolWord struct{ kind, name, input string }

const (
	shellWords  = "command description timeout run_in_background"
	readWords   = "file_path offset limit"
	writeWords  = "file_path content"
	grepWords   = "pattern path:file_path glob output_mode"
	globWords   = "pattern:glob path:file_path"
	listWords   = "path:file_path ignore"
	fetchWords  = "url prompt"
	searchWords = "query"
	agentWords  = "prompt description subagent_type model"
)

// toolsTold lists them (claude 2.1.328, cursor SDK 1.0.32, qoder 1.1.52; the last names of Qoder are its IDE's, docs
// 2026-07). An agent shows another's call as the first tool of a kind.
var toolsTold = map[string][]toolWord{
	"claude": {
		{"shell", "Bash", shellWords}, {"read", "Read", readWords}, {"write", "Write", writeWords},
		{"grep", "Grep", grepWords}, {"glob", "Glob", globWords},
		{"shell", "PowerShell", shellWords},
		{"list", "LS", listWords}, {"fetch", "WebFetch", fetchWords}, {"search", "WebSearch", searchWords},
		{"agent", "Agent", agentWords},
		{"", "TaskStop", "task_id"}, {"", "ListAgents", ""}, {"", "SendUserMessage", "message"},
		{"", "ListMcpResourcesTool", "server"},
		{"", "ReadMcpResourceTool", "uri"}, {"", "ReadMcpResourceDirTool", "uri"}, {"", "SetGoal", "goal"},
		{"", "Skill", "skill"}, {"", "Monitor", "command description"}},
	"cursor": {
		{"shell", "Shell", "command cwd timeout"}, {"read", "Read", "file_path"}, {"write", "Write", writeWords},
		{"grep", "Grep", "pattern file_path glob output_mode"},
		{"glob", "Glob", "glob_pattern:glob target_directory:file_path"}, {"list", "List", "file_path ignore"},
		{"list", "LS", listWords}, {"fetch", "Fetch", fetchWords},
		{"fetch", "WebFetch", fetchWords}, {"search", "WebSearch", "query"}, {"agent", "Task", agentWords},
		{"", "ReadLints", "file_path"},
		{"", "ComputerUse", "action"}, {"", "TodoWrite", "todos"},
	},
	"qoder": {
		{"shell", "Bash", shellWords}, {"read", "Read", readWords}, {"write", "Write", writeWords},
		{"grep", "Grep", grepWords}, {"glob", "Glob", globWords},
		{"fetch", "WebFetch", fetchWords}, {"search", "WebSearch", searchWords}, {"agent", "Agent", agentWords},
		{"", "Workflow", "script"}, {"", "ListAgents", ""}, {"", "Monitor", "command description"},
		{"shell", "run_in_terminal", shellWords}, {"read", "read_file", readWords},
		{"write", "create_file", writeWords}, {"grep", "grep_code", grepWords},
		{"glob", "search_file", globWords}, {"list", "list_dir", listWords}, {"fetch", "fetch_content", fetchWords},
		{"search", "search_web", searchWords},
		{"agent", "task", agentWords}, {"", "todo_write", "todos"},
	},
}

// valuesOf are the values of the fields.
var valuesOf = map[string]string{
	"command": `"ls -l"`, "description": `"list"`, "timeout": "5000", "run_in_background": "false",
	"file_path": `"/repo/a.go"`, "offset": "10", "limit": "20",
	"content": `"hello\n"`, "pattern": `"TODO"`, "glob": `"*.go"`, "output_mode": `"content"`, "ignore": `["vendor"]`,
	"url":    `"https://example.com/x"`,
	"prompt": `"what is new"`, "query": `"go release"`, "model": `"small"`, "cwd": `"/srv/app"`, "todos": "[]",
}

func toolMembers(input string) (list []telling) {
	for word := range strings.FieldsSeq(input) {
		name, meaning, ok := strings.Cut(word, ":")
		if !ok {
			meaning = name
		}
		list = append(list, telling{name: name, meaning: meaning})
	}
	return list
}

func (t telling) held(dialect string) string {
	if t.meaning == "subagent_type" {
		return agentTypes[plain(dialect)]
	}
	if v, ok := valuesOf[t.meaning]; ok {
		return v
	}
	return `"x"`
}

func madeTools() (all []made) {
	for _, from := range suite {
		for _, to := range suite {
			for _, tool := range toolsTold[plain(from)] {
				if from != to {
					all = append(all, toolCall(from, to, tool))
				}
			}
		}
	}
	return all
}

// before returns the payload before a tool runs.
func before(dialect, tool, input string) string {
	if plain(dialect) == "cursor" {
		cwd := ""
		if tool == "Shell" {
			cwd = `"/srv/app"`
		}
		return object("conversation_id", `"s-1"`, "generation_id", `"t-1"`, "model", `"model-1"`, "tool_name",
			quote(tool), "tool_input", input,
			"tool_use_id", `"u-1"`, "cwd", cwd, "session_id", `"s-1"`, "hook_event_name", `"preToolUse"`,
			"cursor_version", `"1.0.0"`,
			"workspace_roots", `["/srv/app"]`, "user_email", "null", "transcript_path", `"/home/dev/s-1.jsonl"`)
	}
	turn, model := `"t-1"`, ""
	if plain(dialect) == "qoder" {
		turn, model = "", `"model-1"`
	}
	return object("session_id", `"s-1"`, "transcript_path", `"/home/dev/s-1.jsonl"`, "cwd", `"/srv/app"`, "prompt_id",
		turn, "permission_mode", `"default"`,
		"hook_event_name", `"PreToolUse"`, "model", model, "tool_name", quote(tool), "tool_input", input, "tool_use_id",
		`"u-1"`)
}

// unknownThere are tools whose kind the other agent doesn't have: they keep name and input, and it is reported that the
// name has no meaning there.
var unknownThere = []string{"claude LS qoder", "cursor List qoder", "cursor LS qoder"}

func toolCall(from, to string, tool toolWord) made {
	m := made{id: "call/" + pairOf(from, to) + "/tool-" + strings.ReplaceAll(kebab(tool.name), "_", "-"), from: from,
		to: to,
		why: "A call of " + tool.name +
			" reaches a hook as a call of its own agent's tool, with that tool's field names.",
		source: "tools of " + from + " and " + to}
	unknown := slices.Contains(unknownThere, plain(from)+" "+tool.name+" "+plain(to))
	if unknown {
		tool.kind = ""
	}
	if tool.kind == "" {
		m.why = "A tool without a counterpart keeps its name and its input."
	}
	mine := toolMembers(tool.input)
	var pairs []string
	for _, t := range mine {
		pairs = append(pairs, t.name, t.held(from))
	}
	m.input = before(from, tool.name, object(pairs...))
	other := tool
	if i := slices.IndexFunc(toolsTold[plain(to)], func(w toolWord) bool {
		return tool.kind != "" && w.kind == tool.kind
	}); i >= 0 {
		other = toolsTold[plain(to)][i]
	}
	theirs := toolMembers(other.input)
	pairs = nil
	lost := func(path string) {
		m.findings = append(m.findings, Finding{string(schema.CodeMemberLost), schema.Note.String(), path})
	}
	for _, name := range map[string][]string{
		"claude to cursor": {"permission_mode"}, "qoder to cursor": {"permission_mode"},
		"claude to qoder": {"prompt_id"}, "qoder to claude": {"model"},
		"cursor to claude": {"model", "cursor_version", "workspace_roots", "user_email"},
		"cursor to qoder":  {"generation_id", "cursor_version", "workspace_roots", "user_email"},
	}[plain(from)+" to "+plain(to)] {
		lost("/" + name)
	}
	if unknown {
		lost("/tool_name")
	}
	for _, t := range mine {
		switch i := slices.IndexFunc(theirs, func(u telling) bool { return u.meaning == t.meaning }); {
		case i >= 0:
			pairs = append(pairs, theirs[i].name, t.held(to))
		case t.meaning != "cwd": // it is in the call's own folder
			lost(ordjson.Pointer("/tool_input", t.name))
		}
	}
	if other.name == "Shell" && plain(from) != "cursor" {
		pairs = append(pairs, "cwd", `"/srv/app"`)
	}
	m.output = withModel(before(to, other.name, object(pairs...)), from, to)
	return m
}

// withModel adds an agent's fields for a model and a turn, which the other agent didn't send, to a payload.
func withModel(payload, from, to string) string {
	o, _ := ordjson.Parse([]byte(payload))
	set := func(name, value string) {
		for i := range o {
			if o[i].Name == name {
				o[i].Value = []byte(value)
			}
		}
	}
	switch plain(from) + " to " + plain(to) {
	case "claude to cursor":
		set("model", `"unknown"`)
	case "qoder to cursor":
		set("generation_id", `"s-1"`) // the session
	case "claude to qoder":
		o.Take("model")
	case "qoder to claude":
		o.Take("prompt_id")
	}
	return string(o.Append(nil))
}

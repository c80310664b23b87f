package omp

import (
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/pi"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	seen      = "observed 18.2.3"
	modeField = "omp_mode" // how the agent was started, "" if unknown
)

// Dialect is the extension's protocol; New returns it.
type Dialect struct{ family.ModuleAgent }

// New returns the dialect of the newest version.
func New() Dialect { return of(newest.Agent()) }

func of(a *family.Agent) Dialect { return Dialect{family.ModuleAgent{Agent: a, Module: extension}} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return of(a) })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities {
	return dialect.Abilities{Traces: d, EntryFile: d, Splits: d, FileSplits: d, Edits: d, Code: d, Servers: d,
		ServerNames: d}
}

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent: its payloads and answers are those of Pi's extension.
func makeAgent() *family.Agent {
	from := pi.New().Agent
	return &family.Agent{
		Data: makeProfile(from.Data), File: from.File, Payload: from.Payload, CallID: from.CallID, OwnTools: true,
		Names: family.Names{Folder: ".omp", User: ".omp/agent"}, Files: from.Files, // observed 18.2.3
		Answer: from.Answer, Merging: from.Merging,
		Steps: family.Steps{Entry: from.Steps.Entry, Hook: from.Steps.Hook, Classify: classify,
			ReadResult: readResult, Result: from.Steps.Result, More: more, Decide: from.Steps.Decide,
			Output: from.Steps.Output},
	}
}

// makeProfile holds the constants of Oh My Pi (observed 18.2.3, unless another source is named) and of the extension.
func makeProfile(from *dialect.Profile) *dialect.Profile {
	return &dialect.Profile{
		Name: "omp", Title: "Oh My Pi", Known: []string{"18.2.3"}, Client: "omp",
		Events: eventsOf(from.Events), Actions: &actions, Ways: &ways, Tools: tools(from), PlainTools: plainTools,
		HostOnly: "runs TypeScript and JavaScript extensions and has no command hooks",
		MCP:      names, Grammar: from.Grammar, Vocabularies: from.Vocabularies,
		Files: dialect.Files{Skeleton: from.Skeleton, EventsAt: from.EventsAt, Members: from.Members, Apart: from.Name},
		Payloads: dialect.Payloads{Fields: from.Fields,
			Marks: []dialect.Mark{{Sure: 9, Members: []string{modeField}}}},
		Answers:     dialect.Answers{RefusalStatus: family.ModuleRefusal, StopBlocks: 8, LoopLimit: -1},
		Environment: dialect.Environment{Starts: from.Starts},
		Timing: dialect.Timing{Timeouts: []dialect.TimeoutRow{{Default: 600 * time.Second}}, // of the extension
			LongestTimeout: dialect.LongestTimer},
	}
}

// eventsOf returns the events that Pi's extension passes on. Those of compaction and prompts are from the package.
func eventsOf(from []schema.EventRow) (rows []schema.EventRow) {
	for _, row := range from {
		_, native, _ := strings.Cut(row.Source, ", ")
		row.Since, row.Source = schema.AtMost+"18.2.3", seen+", "+native
		if declared, ok := strings.CutSuffix(native, " (declarations)"); ok || row.Event == schema.PromptSubmit {
			row.Source = "package 18.2.3, " + declared
		}
		switch row.Event {
		case schema.Stop:
			row.Source = seen + ", session_stop"
		case schema.PreTool:
			row.Honors &^= schema.EffectEndTurn // the call is denied, and the turn continues
		}
		rows = append(rows, row)
	}
	return rows
}

var actions = []dialect.Sequence{
	{Action: schema.PreTool, Source: seen, Events: []string{"PreToolUse", dialect.ToolRuns, "PostToolUse"}},
}

// ways: headless no prompt raises an event.
var ways = []dialect.Way{{Command: "omp -p", Less: []dialect.Less{
	{Native: "UserPromptSubmit", Never: true, Source: seen}}}}

// names are those of MCP tools (package 18.2.3; observed): one "_" after the server, lower case, 64 characters. A
// longer name ends in the client's own hash; only its length counts here.
var names = dialect.MCPNames{Prefix: "mcp__", Between: "_", Loose: true, Longest: 64,
	Sum:       func(string) string { return "00000000" },
	NameRules: schema.NameRules{Else: '_', Runs: true, Lower: true, Once: true}}

const editTool = "edit"

// tools returns Pi's tools that the client also has. Edit takes a text that names its files, or in other modes a path.
// The lines to read are after the path, and glob has its pattern in it.
func tools(from *dialect.Profile) []schema.ToolRow {
	path := schema.ArgRow{Name: "path", Role: schema.RolePath}
	shell, read, grep, glob := *from.Tool("bash"), *from.Tool("read"), *from.Tool("grep"), *from.Tool("find")
	shell.Input = append(slices.Clip(shell.Input), schema.ArgRow{Name: "cwd", Role: schema.RoleCwd})
	read.Input = []schema.ArgRow{path}
	grep.Input = []schema.ArgRow{{Name: "pattern", Role: schema.RolePattern}, path}
	glob.Name, glob.Input = "glob", []schema.ArgRow{{Name: "path", Role: schema.RoleGlob}}
	write := *from.Tool("write")
	read.Path, write.Path = toRead(read.Path.Tries), toWrite()
	return []schema.ToolRow{shell, read, write, grep, glob,
		{Name: editTool, Kinds: []schema.Kind{schema.Edit, schema.Notebook},
			Input: []schema.ArgRow{path, {Name: "old_string", Role: schema.RoleOldText},
				{Name: "new_string", Role: schema.RoleNewText}, {Name: "replace_all", Role: schema.RoleReplaceAll},
				{Name: "input", Role: schema.RoleCommand}, {Name: "_input", Role: schema.RoleCommand}},
			Path: toEdit(), Replaces: family.AllRoles},
		{Name: taskTool, Kinds: []schema.Kind{schema.Agent}, Input: taskInput},
		{Name: "web_search", Kinds: []schema.Kind{schema.WebSearch}, Replaces: family.AllRoles,
			Input: []schema.ArgRow{{Name: "query", Role: schema.RoleQuery}}}}
}

// taskInput is what a sub-agent is started with: the whole input, or an element of its list tasks.
var taskInput = []schema.ArgRow{{Name: "task", Role: schema.RolePrompt}, {Name: "agent", Role: schema.RoleAgentType}}

// plainTools are tools without a row (as sent to the model).
var plainTools = []string{"eval", "todo", "hub"}

// more writes fields that other agents' payloads lack.
func more(w *ordjson.Writer, _ *schema.Call, _ schema.View) {
	w.Int(family.ProtocolField, pi.Protocol)
	w.String(modeField, "")
}

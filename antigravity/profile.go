package antigravity

import (
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is Antigravity's; New returns it.
type Dialect struct{ *family.Agent }

// New returns the dialect of the newest version.
func New() Dialect { return Dialect{newest.Agent()} }

// At returns the dialect at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	return newest.Agent().At(version, func(a *family.Agent) dialect.Dialect { return Dialect{a} })
}

// Abilities returns the optional interfaces that the dialect implements.
func (d Dialect) Abilities() dialect.Abilities { return dialect.Abilities{Unnamed: d} }

const (
	name  = "antigravity"
	known = "1.2.7"
	set   = "hookbridge" // the set of hookbridge's entries
)

var newest = family.Lazy{Make: makeAgent}

// makeAgent defines the agent; no report mentions features that aren't here.
func makeAgent() *family.Agent {
	return &family.Agent{
		Data: makeProfile(), File: &file, Payload: payload, CallID: "call_", OwnTools: true, FullEdits: true,
		Names:   family.Names{Folder: ".gemini/config"}, // the user's
		Edits:   schema.EditNames{Old: oldText, New: newText},
		Merging: schema.MergeRules{Separator: "\n"}, Steps: family.Steps{More: more,
			Entry: func(p *family.Parser, row *schema.EventRow, m ordjson.Member, path string) {
				if row.Event.IsTool() {
					p.Group(row, m, path)
				} else {
					p.Flat(row, m, path)
				}
			}},
	}
}

// makeProfile defines the agent's constants.
func makeProfile() *dialect.Profile {
	return &dialect.Profile{
		Name: name, Title: "Antigravity", Known: []string{known}, Reported: true, Events: events,
		Actions: &actions, Tools: tools, PlainTools: plainTools,
		MCP:     dialect.MCPNames{Prefix: "mcp__", Between: "__", NameRules: schema.NameRules{Else: '_', Kept: "-"}},
		Grammar: schema.Grammar{All: "*", Names: "_|", Expression: schema.JavaScript},
		Files: dialect.Files{Skeleton: `{"` + set + `":{}}`, EventsAt: "/" + set, Members: file.Members("matcher"),
			Shared: []string{".agents", ".agent", "_agents", "_agent", ".gemini"}},
		Payloads: dialect.Payloads{Fields: &fields, Unnamed: true,
			Marks: []dialect.Mark{{Sure: 9, AnyEvent: true, Members: []string{"conversationId", "workspacePaths"}}}},
		Answers: dialect.Answers{
			RefusalStatus: 2, // as for every failure (reports)
			LoopLimit:     -1, AnswerWords: []string{"injectSteps", "permissionOverrides"}},
		Timing: dialect.Timing{Timeouts: []dialect.TimeoutRow{{Default: 10 * time.Second}}, // docs; another page has 30
			TimeoutUnit: time.Second},
		Environment: dialect.Environment{Starts: dialect.Start{Windows: dialect.Cmd}, // as Spec has it
			HostVariables: dialect.Variables{sessionVariable, "ANTIGRAVITY_EDITOR_APP_ROOT"}},
	}
}

const sessionVariable = "ANTIGRAVITY_CONVERSATION_ID" // run of the CLI 1.1.5 (Rosetta)

// file is how a file is read: one entry of a wrong shape voids all of it (run of 1.0.15, agentmemory#1146).
var file = family.FileRules{BadHooks: family.VoidsFile, BadEvent: family.VoidsFile, WrongType: family.VoidsFile,
	Missing: family.VoidsFile, NoType: family.VoidsFile, BadGroup: family.VoidsFile,
	Handlers: []family.HandlerRow{{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}}},
	Entries: []family.EntryRow{
		{Name: "command", Text: family.CommandOf, Write: family.WriteCommand},
		{Name: "timeout", Feature: schema.HookTimeout, Timeout: &family.TimeoutForm{Whole: true}},
	}}

// ParseConfig reads a file: named sets of events, each of which may be turned off (docs).
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p, sets := d.Open(text, at)
	for _, s := range sets {
		path := ordjson.Pointer("", s.Name)
		inner, err := ordjson.Members(s.Value, s.Off)
		if err != nil {
			p.Odd(family.DropsHandler, family.VoidsFile, nil, s, path, s.Name+" is not an object of events")
			continue
		}
		enabled, has := inner.Take("enabled")
		on, isBool := ordjson.Bool(enabled.Value)
		if has && isBool && !on {
			p.Report(schema.CodeDisabled, enabled, path+"/enabled", "the set "+s.Name+" is switched off")
			continue
		}
		if has && !isBool {
			p.Odd(family.Ignored, family.VoidsFile, nil, enabled, path+"/enabled", "enabled is not a boolean")
		}
		p.EventsOf(inner, path)
	}
	return p.Result()
}

// WriteHook writes a group, or just the handler at an event without a tool.
func (d Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	value, said = d.Agent.WriteHook(e, h)
	if row := d.Row(e.Native); row == nil || row.Match == schema.MatchTool {
		return value, said
	}
	handlers, _ := ordjson.Elements(ordjson.At(value, "/hooks"), 0)
	return handlers[0].Value, said &^ schema.HookMatcher
}

// files are the files of the project and of the user, which all count (docs; runs of others). The project's may be in
// folders with other names.
var files = []family.FileRow{
	{Scope: schema.ScopeProject, Path: ".agents/hooks.json"}, {Scope: schema.ScopeProject, Path: ".agent/hooks.json"},
	{Scope: schema.ScopeProject, Path: "_agents/hooks.json"}, {Scope: schema.ScopeProject, Path: "_agent/hooks.json"},
	{Scope: schema.ScopeUser, Path: "hooks.json"}}

// Locate lists the files that may configure hooks.
func (d Dialect) Locate(p schema.Places) []schema.Source {
	return family.Locate(files, d.Names.UserFolder(p), p.Project, p)
}

// Spec prepares a command: a shell starts it in the session's folder (n8n-skills#45: relative paths work).
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	shell := []string{"/bin/sh", "-c"}
	if p.OS == "windows" {
		shell = []string{"cmd.exe", "/d", "/s", "/c"}
	}
	return process.Spec{Dir: c.Cwd, Argv: dialect.Argv(h, h.Command, shell...),
		Env: p.Env.With(nil, schema.GivenVars(sessionVariable, c.Str(schema.FieldSession))...)}, nil
}

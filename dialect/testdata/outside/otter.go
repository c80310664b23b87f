// Package otter is a whole dialect for an agent that doesn't exist. It uses
// exported packages only, so that it could be part of any module.
//
// The otter asks its hooks before a tool, and when it is done:
//
//	.otter/hooks.json   {"before_tool":[{"on":"shell","run":"./guard","seconds":5}],"resting":[{"run":"./again"}]}
//	payload             {"event":"before_tool","session":"s","dir":"/p","tool":"shell","args":{"cmd":"ls"}}
//	answer              {"ruling":"no","why":"..."}, {"again":"..."}
package otter

import (
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Dialect is the otter's. Its zero value follows the newest version.
type Dialect struct{ profile *dialect.Profile }

var _ dialect.Dialect = Dialect{}

// profile is what can be said of the otter as data. Each row has its source.
var profile = dialect.Profile{
	Name: "otter", Title: "Otter", Events: events, Tools: tools,
	MCP:     dialect.MCPNames{Between: "/", NameRules: schema.NameRules{Else: '_', Kept: "-"}},
	Grammar: schema.Grammar{All: "*", Names: "_|", Expression: schema.JavaScript},
	Files: dialect.Files{
		Skeleton: `{}`,
		Members: []dialect.HookMember{{Feature: schema.HookMatcher, Name: "on"},
			{Feature: schema.HookTimeout, Name: "seconds"}},
	},
	Payloads: dialect.Payloads{
		Fields: &fields, Marks: []dialect.Mark{{Sure: 1}},
	},
	Answers: dialect.Answers{
		AnswerWords: []string{"ruling", "again"}, LoopLimit: -1,
	},
	Timing: dialect.Timing{
		Timeouts:    []dialect.TimeoutRow{{Event: schema.Stop, Default: 5 * time.Second}, {Default: 10 * time.Second}},
		TimeoutUnit: time.Second,
	},
	Environment: dialect.Environment{
		HostVariables: dialect.Variables{"OTTER_PROJECT"},
	},
}

const source = "made up"

var events = []schema.EventRow{
	{Native: "before_tool", Event: schema.PreTool, Match: schema.MatchTool, Since: "1.0", Source: source,
		Honors: schema.EffectAllow | schema.EffectDeny | schema.EffectReason, Blocks: schema.EffectDeny,
		Allow: schema.AllowPasses},
	{Native: "after_tool", Event: schema.PostTool, Match: schema.MatchTool, Since: "1.1", Source: source},
	{Native: "resting", Event: schema.Stop, Since: "1.0", Source: source, Honors: schema.EffectKeepGoing,
		Blocks: schema.EffectKeepGoing},
}

var tools = []schema.ToolRow{
	{Name: "shell", Kinds: []schema.Kind{schema.Shell},
		Input: []schema.ArgRow{{Name: "cmd", Role: schema.RoleCommand}}},
	{Name: "save", Kinds: []schema.Kind{schema.Write}, Input: []schema.ArgRow{{Name: "file", Role: schema.RolePath},
		{Name: "text", Role: schema.RoleContent}}},
}

var fields = schema.MemberTable{Rows: []schema.MemberRow{
	{Name: "event", Field: schema.FieldEvent}, {Name: "session", Field: schema.FieldSession},
	{Name: "dir", Field: schema.FieldCwd},
	{Name: "tool", Field: schema.FieldToolName}, {Name: "args", Field: schema.FieldToolInput},
	{Name: "result", Field: schema.FieldToolOutput}}}

// Profile returns the otter's data.
func (d Dialect) Profile() *dialect.Profile {
	if d.profile != nil {
		return d.profile
	}
	return &profile
}

// At returns the otter at a version.
func (Dialect) At(version string) (dialect.Dialect, error) {
	p, err := profile.At(version)
	if err != nil {
		return nil, err
	}
	return Dialect{p}, nil
}

// Abilities returns what the agent has beside what every dialect has: nothing.
func (Dialect) Abilities() dialect.Abilities { return dialect.Abilities{} }

func toolFor(fits func(*schema.ToolRow) bool) *schema.ToolRow {
	for i := range tools {
		if fits(&tools[i]) {
			return &tools[i]
		}
	}
	return nil
}

func toolNamed(name string) *schema.ToolRow {
	return toolFor(func(t *schema.ToolRow) bool { return t.Name == name })
}

func toolOf(k schema.Kind) *schema.ToolRow {
	return toolFor(func(t *schema.ToolRow) bool { return t.Kinds[0] == k })
}

package gemini

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// modes are the approval modes.
var modes = []dialect.Mode{
	{Name: "default", Asks: &family.Changing, Source: seen},
	{Name: "auto_edit", Asks: &[]schema.Kind{schema.Shell, schema.MCP, schema.Fetch}, Source: seen},
	{Name: "yolo", Source: seen},
}

// actions are the events of a call. Those of the requests to the model aren't of an action that a user sees.
var actions = []dialect.Sequence{
	{Action: schema.PreTool, Source: seen, Events: []string{"BeforeTool", dialect.ToolRuns, "AfterTool"}},
}

var ways = []dialect.Way{{Command: "gemini -p", Less: []dialect.Less{
	{Native: "BeforeTool", Effects: schema.EffectAsk, Refuses: true, Source: "observed 0.61.0: the process ends"}}},
	{Command: "gemini --acp", Less: []dialect.Less{{Native: "SessionStart", Never: true, Source: "source 0.61.0"}}}}

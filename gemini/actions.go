package gemini

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// actions are the events of a call. Those of the requests to the model aren't of an action that a user sees.
var actions = []dialect.Sequence{
	{Action: schema.PreTool, Source: seen, Events: []string{"BeforeTool", dialect.ToolRuns, "AfterTool"}},
}

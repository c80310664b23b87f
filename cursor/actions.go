package cursor

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

const seen = "observed SDK 1.0.32"

// actions are the events of calls and turns. A file is read before its gate event, whose payload shows the text.
var actions = []dialect.Sequence{
	{Action: schema.PreTool, Kinds: []schema.Kind{schema.Shell}, Source: seen,
		Events: []string{"preToolUse", "beforeShellExecution", dialect.ToolRuns, "afterShellExecution", "postToolUse"}},
	{Action: schema.PreTool, Kinds: []schema.Kind{schema.MCP}, Source: seen,
		Events: []string{"preToolUse", "beforeMCPExecution", dialect.ToolRuns, "afterMCPExecution", "postToolUse"}},
	{Action: schema.PreTool, Kinds: []schema.Kind{schema.Read}, Source: seen,
		Events: []string{"preToolUse", "beforeReadFile", dialect.ToolRuns, "postToolUse"}},
	{Action: schema.PreTool, Kinds: []schema.Kind{schema.Write, schema.Edit, schema.MultiEdit, schema.Notebook},
		Source: seen, Events: []string{"preToolUse", dialect.ToolRuns, "afterFileEdit", "postToolUse"}},
	{Action: schema.PreTool, Source: seen, Events: []string{"preToolUse", dialect.ToolRuns, "postToolUse"}},
	{Action: schema.Stop, Source: seen, Events: []string{"afterAgentResponse", "stop"}},
}

package family

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Changing are the kinds of tools that agents ask the user about by default: they change something, or reach another
// machine (observed Claude Code 2.1.328, Copilot CLI 1.0.102, Gemini CLI 0.61.0, Qoder CLI 1.1.52).
var Changing = []schema.Kind{schema.Shell, schema.MCP, schema.Fetch, schema.Write, schema.Edit, schema.MultiEdit,
	schema.Notebook, schema.Delete}

// Actions are the events of a call: the agent asks between the first two (observed Claude Code 2.1.328, Codex
// 0.169.0, Qoder CLI 1.1.52).
var Actions = []dialect.Sequence{
	{Action: schema.PreTool, Source: "observed 2.1.328",
		Events: []string{"PreToolUse", "PermissionRequest", dialect.ToolRuns, "PostToolUse", "PostToolBatch"}},
}

package family

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Actions are the events of a call: the agent asks between the first two (observed Claude Code 2.1.328, Codex
// 0.169.0, Qoder CLI 1.1.52).
var Actions = []dialect.Sequence{
	{Action: schema.PreTool, Source: "observed 2.1.328",
		Events: []string{"PreToolUse", "PermissionRequest", dialect.ToolRuns, "PostToolUse", "PostToolBatch"}},
}

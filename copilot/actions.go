package copilot

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// actions are the events of calls and prompts, by their first names: entries under the other name are called at
// the same time.
var actions = []dialect.Sequence{
	{Action: schema.PreTool, Kinds: []schema.Kind{schema.MCP}, Source: seen,
		Events: []string{"preToolUse", "permissionRequest", "preMcpToolCall", dialect.ToolRuns, "postToolUse"}},
	{Action: schema.PreTool, Source: seen, Events: []string{"preToolUse", "permissionRequest", dialect.ToolRuns,
		"postToolUse"}},
	{Action: schema.PromptSubmit, Source: seen, Events: []string{"userPromptSubmitted", "userPromptTransformed"}},
}

// modes ask their users, without --allow-tool and --allow-all-tools.
var modes = []dialect.Mode{
	{Name: "default", Asks: &family.Changing, Source: seen},
	{Name: "allow-all", Source: seen},
}

// codeActions are those of VS Code.
var codeActions = []dialect.Sequence{
	{Action: schema.PreTool, Source: code, Events: []string{"PreToolUse", dialect.ToolRuns, "PostToolUse"}},
}

var ways = []dialect.Way{{Command: "copilot -p", Program: onCLI, Less: []dialect.Less{
	{Native: "preToolUse", Effects: schema.EffectAsk, Refuses: true, Source: seen + ", with --yolo too"}}}}

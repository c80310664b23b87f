// Package codebuddy is the dialect of Tencent's CodeBuddy Code, derived from Claude Code's.
//
// Authority: CodeBuddy Code 2.117.0 as it was observed in print mode, then its package, then
// the documentation inside it. Checked 2026-11-23, its conditions 2026-11-28.
//
// Files, events and payloads are Claude Code's. Conditions are rules of its own, compared with the first text of an
// input; matchers are searched for anywhere in a name,
// a hook that takes too long refuses, exit code 2 is explained on stdout first, an allow of one hook
// lifts the refusals of those before it, and output that adds no context is shown to the model as it is.
//
// Known deviations: of several contexts the client keeps the last, hookbridge all. It
// shows the model JSON of a hook that adds no context, and reads files with trailing commas. Plugins and the front
// matter of agents are not read. A condition on commands that begins with "!" holds for each. In print mode stop hooks
// can't send the agent on, and no SessionEnd is raised.
package codebuddy

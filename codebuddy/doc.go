// Package codebuddy is the dialect of Tencent's CodeBuddy Code, derived from Claude Code's.
//
// Authority: CodeBuddy Code 2.117.0 as it was observed in print mode, then its package, then the documentation inside
// it. Checked 2026-11-23, its conditions 2026-11-28.
//
// Files, events and payloads are Claude Code's. Conditions follow CodeBuddy's own rules and are compared with the first
// text of an input. Matchers may match anywhere in a name. A timeout denies, and stdout takes precedence as the reason
// for exit code 2. An allow of one hook lifts earlier denials. Output that adds no context is shown to the model
// unchanged.
//
// Known deviations: of several contexts the client keeps the last, hookbridge all. It shows the model JSON of a hook
// that adds no context, and reads files with trailing commas. Plugins and the front matter of agents aren't read. A
// condition on commands that begins with "!" holds for every command. In print mode stop hooks can't make the agent
// continue, and no SessionEnd is raised.
package codebuddy

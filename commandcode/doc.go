// Package commandcode is the dialect of Command Code, derived from Claude Code's.
//
// Authority: npm command-code 1.64.0 as it was observed headless, then its bundle. Checked 2026-11-28.
//
// The file, the payload and hookSpecificOutput are Claude Code's. Matchers are compared with another name of the tool
// than the payload's, ignoring case. Only a denial counts as a decision: a question and new input have no effect. An
// entry may set failClosed.
//
// Known deviations: in plan mode, and for the calls of a sub-agent, the client calls no hook at all; no file can change
// that. It removes variables with secrets from its hooks' environment, so hooks of other agents lack them there too.
// Mods and the private list of MCP servers aren't read. The terminal was not tested.
package commandcode

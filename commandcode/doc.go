// Package commandcode is the dialect of Command Code, derived from Claude Code's.
//
// Authority: npm command-code 1.64.0 as it was observed headless, then its bundle. Checked 2026-11-28.
//
// The file, the payload and hookSpecificOutput are Claude Code's. Matchers are compared with another name of the tool
// than the payload has, in any case. Of decisions only a denial counts: a question and new input do nothing. An entry
// may say failClosed.
//
// Known deviations: in plan mode, and for the calls of a sub-agent, the client calls no hook at all; no file can change
// that. It takes variables with secrets out of its hooks' environment, so hooks of other agents lack them there too.
// Mods and the private list of MCP servers are not read. Not driven: the terminal.
package commandcode

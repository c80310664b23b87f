// Package auggie is the dialect of Auggie, Augment's CLI, whose hook files look like Claude Code's.
//
// Authority: npm @augmentcode/auggie 0.36.0 as it was observed in print mode, then its program, then
// docs.augmentcode.com/cli. Checked 2026-11-27.
//
// Hooks are read and answered by rules of its own: one hook that fails lets a call through that another hook
// has denied by JSON, so a refusal is exit code 2; timeouts are milliseconds; a matcher never takes the tools of MCP
// servers unless it begins with "mcp:"; commands run without a shell unless they have one of its operators; and
// nothing but a tool call can be refused. Hooks run only if the tenant's backend sends the flag enable_hooks,
// which no file shows.
//
// Known deviations: hooks in Cursor's form in settings.json aren't read, of which the client runs stop alone. Plugins
// are not read.
// Notification didn't fire in print mode; sub-agents were not driven.
package auggie

// Package auggie is the dialect of Auggie, Augment's CLI, whose hook files look like Claude Code's.
//
// Authority: npm @augmentcode/auggie 0.36.0 as it was observed in print mode, then its program, then
// docs.augmentcode.com/cli. Checked 2026-11-27.
//
// Auggie reads and answers hooks by its own rules. One failing hook lets a call through that another hook denied with
// JSON, so hookbridge denies with exit code 2. Timeouts are milliseconds. A matcher never selects the tools of MCP
// servers unless it begins with "mcp:". Commands run without a shell unless they contain one of its operators. Only a
// tool call can be denied. Hooks run only if the tenant's backend sends the flag enable_hooks, which isn't in any file.
//
// Known deviations: hooks in Cursor's form in settings.json aren't read; the client runs only their stop hooks. Plugins
// aren't read. Notification didn't fire in print mode; sub-agents were not tested.
package auggie

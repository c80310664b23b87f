// Package droid is the dialect of Factory's Droid, derived from Claude Code's.
//
// Authority: the client @factory/cli 0.225.2 as it was observed in droid exec, then its program, then docs.factory.ai.
// Checked 2026-11-23.
//
// Droid has nine of Claude Code's events, its own names of tools, and hooks.json with the events at its top level. One
// unknown entry drops a whole file. An answer counts at every exit code, exit code 3 ends the run, and a failed tool
// raises no event.
//
// Known deviations: of several hooks the strictest decision counts, although Droid lets an allow before a denial win.
// Managed settings aren't read, and hooks on ApplyPatch alone don't run under other agents. The interactive client was
// not tested, so prompt hooks, notifications and compaction follow its program.
package droid

// Package kimi is the dialect of Moonshot's Kimi Code, derived from Claude Code's.
//
// Authority: the client @moonshot-ai/kimi-code 2.1.0 as it was observed headless, then its
// source. Checked 2026-11-23.
//
// Kimi Code has Claude Code's events and tools under nearly the same names. Its hooks are
// tables of the user's config.toml, where one mistake switches all of them off. Three events
// can do anything: before a tool a hook can deny, with a prompt it can block or add
// context, and at a stop it can continue the turn once.
//
// Known deviations: hooks of plugins are not read. A stop of a sub-agent looks like one of
// the session. Not driven: the terminal, web and ACP modes, compaction, and permission events.
//
// The answer to a prompt that simply goes on is empty: Kimi Code adds any other output of a
// prompt hook to the context, an object without a message too.
package kimi

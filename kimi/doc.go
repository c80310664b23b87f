// Package kimi is the dialect of Moonshot's Kimi Code, derived from Claude Code's.
//
// Authority: the client @moonshot-ai/kimi-code 2.1.0 as it was observed headless, then its source. Checked 2026-11-23.
//
// Kimi Code has Claude Code's events and tools under nearly the same names. Its hooks are tables of the user's
// config.toml, where one mistake turns all of them off. Hooks of three events have an effect. Before a tool a hook can
// deny, and on a prompt it can block or add context. At a stop it can continue the turn once.
//
// Known deviations: hooks of plugins aren't read. A stop of a sub-agent looks like one of the session. The terminal,
// web and ACP modes, compaction, and permission events were not tested.
//
// The answer that just lets a prompt proceed is empty: Kimi Code adds any other output of a prompt hook to the context,
// even an object without a message.
package kimi

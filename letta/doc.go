// Package letta is the dialect of Letta Code, derived from Claude Code's.
//
// Authority: npm @letta-ai/letta-code 0.32.18 as it was observed headless, then its bundle. Checked 2026-11-28.
//
// The file's form and the names of tools are Claude Code's. Only exit code 2 denies, with stderr as the reason:
// hookbridge exits so for a denial, and its answer has a separate field for the reason. Timeouts are milliseconds,
// payloads have other names, and `disabled` in a project's file turns the user's hooks off, too.
//
// When a prompt or a session begins, the client uses all of stdout as context: the answer there is a text, not JSON.
//
// Known deviations: payloads don't name the session, so the agent's id replaces it. A payload of Stop has neither, so
// nothing could end a loop there: hookbridge doesn't make a stopped turn continue. Tools of other toolsets and of the
// cloud are unknown tools. The terminal, where alone prompts, sessions and stops have hooks, was not tested.
package letta

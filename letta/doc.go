// Package letta is the dialect of Letta Code, derived from Claude Code's.
//
// Authority: npm @letta-ai/letta-code 0.32.18 as it was observed headless, then its bundle. Checked 2026-11-28.
//
// The file's form and the names of tools are Claude Code's. Nothing but exit code 2 refuses, with stderr as the
// reason: hookbridge ends so for a denial, and its answer has a field of its own that says why. Time limits are
// milliseconds, payloads have other names, and `disabled` in a project's file switches the user's hooks off, too.
//
// Where a prompt or a session begins, the client takes all of stdout for context: the answer there is a text, not
// JSON.
//
// Known deviations: payloads name no session, so the agent's id stands for it. A payload of Stop has neither, so
// nothing could end a loop there: hookbridge doesn't send a stopped turn on. Tools of other toolsets and of the cloud
// are unknown tools. Not driven: the terminal, in which alone prompts, sessions and stops have hooks.
package letta

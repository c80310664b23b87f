// Package grok is the dialect of xAI's Grok Build, derived from Claude Code's.
//
// Authority: the client @xai-official/grok 1.0.41 as it was observed headless and as an ACP agent, then its source of
// 2026-08-19, then its user guide. Checked 2026-11-26.
//
// Grok's files and answers are Claude Code's. Its payloads have every field of a tool call under two names. Its tools
// have their own names, inputs and results, hooks run one after the other, and a failure never denies.
//
// Known deviations: signed policy files and plugins aren't read. The shell that runs a command replaces its variables;
// the client does so in the text, even within single quotes.
package grok

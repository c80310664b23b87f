// Package qwen is the Qwen Code dialect: Claude Code's events and payloads on the Gemini CLI's tools and engine,
// derived from package claude.
//
// Authority: the observed behavior of Qwen Code 0.24.4 (headless unless a row names another mode), then its readable
// source. Checked 2026-11-23.
//
// Known deviations: plain text on stdout adds no "Hook executed successfully" to the reasons of other hooks.
package qwen

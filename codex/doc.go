// Package codex is the dialect of OpenAI's Codex CLI.
//
// Authority: the client @openai/codex 0.169.0 as it was observed through its app-server and `codex exec`, then the JSON
// Schemas in its binary, then the hooks page of developers.openai.com. Checked 2026-11-22, and 2026-11-27 with 0.171.0.
//
// Codex's files and payloads look like Claude Code's but aren't compatible: its readers are strict, and nearly every
// mistake lets the call through. Answers are therefore written field by field, from each event's schema.
//
// Known deviations: a hook's matcher is read by Go's regular expressions, which lack a few classes of Rust's; managed
// requirements are read only from /etc/codex/requirements.toml, not from device management or the cloud.
package codex

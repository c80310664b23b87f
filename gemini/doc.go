// Package gemini is the dialect of Google's Gemini CLI: the hooks of its settings.json, their payloads and answers.
//
// Authority: the observed behavior of @google/gemini-cli 0.61.0 with a mocked model, headless and in its terminal;
// otherwise the source of the same version. Checked 2026-11-22.
//
// Known deviations: the environment that the client removes under GitHub Actions is kept; a string in
// hookSpecificOutput, which makes the client drop the answers of all hooks, drops only that hook's answer.
package gemini

// Package cursor is the Cursor dialect: hooks.json, its payloads and answers.
//
// Authority: the observed behavior of the local agent of @cursor/sdk 1.0.32, which shares its hook engine with the CLI
// and the editor; captures of the CLI 2026.09.10 and the editor 2.5; the hooks page at
// https://cursor.com/docs/agent/hooks in its states of 2026-01 (called 2.4 here: decision and reason, some gates
// failing closed) and 2026-08. Checked 2026-11-20.
//
// Known deviations: hooks of type prompt need a model and are reported; hookbridge doesn't look for plugin hooks; it
// can't read the editor's own settings, such as a switch that turns off third-party imports.
package cursor

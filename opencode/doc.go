// Package opencode makes OpenCode a host of hooks. OpenCode 1.18.33 has no command hooks, only JavaScript plugins. The
// plugin that this package writes passes each event to the commands of its entries as JSON on stdin and applies their
// answers. Events, payloads and answers are Claude Code's as far as OpenCode has a counterpart. All comparisons gave
// the same results with 1.18.34 on 2026-11-27. Kilo Code CLI 7.7.9 loads the same file from its own folders.
package opencode

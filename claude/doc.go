// Package claude is the Claude Code dialect: settings, plugin and frontmatter hooks, their payloads and answers.
//
// Authority: the observed behavior of Claude Code 2.1.328 (in print mode unless a row names another), the published
// type declarations of the Agent SDK 0.3.328, and the hooks reference at https://code.claude.com/docs/en/hooks in that
// order. Checked 2026-11-20, and 2026-11-27 with 2.1.332.
//
// Known deviations: the client gives the model the reason of the hook that ended last, and here the reasons of all
// denying hooks are joined in configuration order; nothing that a hook prints after {"async":true} is read; texts
// aren't cut at 10,000 characters, because the host does that. Some documented conditions never held in the client (a
// server's tools, a host, an agent type); they hold under other agents.
package claude

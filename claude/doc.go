// Package claude is the Claude Code dialect: settings, plugin and frontmatter
// hooks, their payloads and answers.
//
// Authority: the observed behavior of Claude Code 2.1.328 (print mode unless a
// row says otherwise), the published type declarations of the Agent SDK
// 0.3.328, and the hooks reference at https://code.claude.com/docs/en/hooks in
// that order. Checked 2026-11-20, and 2026-11-27 with 2.1.332.
//
// Known deviations: the client gives the model the reason of the hook that ended
// last, and here the reasons of all denying hooks are joined in configuration
// order; nothing that a hook prints after {"async":true} is read; texts are not cut
// at 10,000 characters, because the host does that. Conditions that the client was
// seen to hold for nothing, though its documentation has them (a server's tools, a
// host, an agent type), hold under other agents.
package claude

// Package qoder is the Qoder dialect: settings and plugin hooks of the Qoder CLI, their payloads and answers. Columns
// of its tables have the known differences of the IDE plugin, QoderWork and the Agent SDK.
//
// Authority: the observed behavior of qodercli 1.1.52 as an ACP agent, its published package (Apache-2.0) if no run
// shows a fact, the types of qoder-agent-sdk 1.0.39, and Qoder's documentation, in that order. Checked 2026-11-20. The
// IDE, QoderWork and SDK columns are from documentation and types alone.
//
// Known deviations: plain text on stdout of a PreToolUse hook counts as "allow" with the CLI (observed 1.1.52) and as
// no opinion here, because nobody intends that permission; clearContext has no counterpart in the model and is
// reported; the evaluator words the question of a prompt or agent hook, so the text differs from Qoder's; texts over
// 10,000 characters aren't cut here, because the client does that.
package qoder

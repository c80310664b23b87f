// Package copilot is the dialect of GitHub Copilot: of its command line, of the local agent in VS Code (copilot@vscode)
// and of the cloud agent (copilot@cloud).
//
// Authority: the client @github/copilot 1.0.102 as observed in prompt mode and in its terminal; then
// copilot-sdk/types.d.ts and changelog.json of that package; for VS Code the sources of microsoft/vscode and
// vscode-copilot-chat 0.42.0; for the cloud agent docs.github.com. Checked 2026-11-22.
//
// The command line has every event twice, under its own name (preToolUse) and under Claude Code's (PreToolUse). The two
// differ in payload, names of tools and grammar of matchers. Each is one row.
//
// Known deviations: texts of Copilot's hooks at other events are joined here, while Copilot keeps only the last; the
// strictest answer to permissionRequest counts, not the last. The time of another agent's event is 1970, so that a
// translation doesn't depend on when it is made. Hooks of type prompt, and hooks in the front matter of agents, aren't
// read. Copilot's own progress lines are removed from an answer and not shown.
package copilot

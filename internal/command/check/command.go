// Package check is the command check.
package check

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command check.
func Command() cli.Command {
	return cli.Command{
		Name: "check", Summary: "find mistakes in hook files of any agent", Args: "[FILE|DIR|-]...",
		About: `Reads hook files as their agent does and reports what that agent rejects, ignores or reads
differently. Also reports common mistakes: events, fields and tools of another agent, matchers
that can't match, timeouts in milliseconds, missing scripts.

FILE is a settings file, hooks.json, plugin.json or a Markdown file with hooks in its front
matter. DIR is a project or a plugin (default: the current folder). - is stdin. Each finding is
one line: FILE:LINE:COLUMN: SEVERITY CODE: MESSAGE (FIX). An agent of the project that doesn't
call hookbridge for its hooks is a note.

--scripts also reads the hooks' scripts, without running them: shell with jq, Python and JavaScript.
It lists the fields that each reads and, for each agent of the project, whether its own payloads
have them (native) and the payloads that hookbridge makes for the hook (hookbridge). It leaves out
what it can't follow.`,
		Exits: "0 no findings, or notes only, 1 something is lost, weaker or wrong",
		Examples: []cli.Example{
			{Line: "hookbridge check", Says: "every hook file of this project"},
			{Line: "hookbridge check .cursor/hooks.json --strict", Says: "one file; notes also exit with 1"},
			{Line: "hookbridge check --fix --dry-run", Says: "what can be put right without you, as a diff"},
			{Line: "hookbridge check --scripts", Says: "also what the hooks' scripts read, and which agents send it"},
			{Line: "hookbridge check --format sarif > hooks.sarif", Says: "for code scanning"},
			{Line: "hookbridge check --dialect qoder - < settings.json",
				Says: "stdin has no file name, so name the agent"},
		},
		Looks: true, Tool: func() cli.Tool { return new(flags) },
	}
}

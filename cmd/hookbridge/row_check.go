package main

// rowCheck is the command check.
func rowCheck() command {
	return command{
		name: "check", summary: "find mistakes in hook files of any agent", args: "[FILE|DIR|-]...",
		about: `Reads hook files as their agent does and reports what that agent rejects, ignores or reads
differently. Also reports common mistakes: events, fields and tools of another agent, matchers
that can't match, timeouts in milliseconds, missing scripts.

FILE is a settings file, hooks.json, plugin.json or a Markdown file with hooks in its front
matter. DIR is a project or a plugin (default: the current folder). - is stdin. Each finding is
one line: FILE:LINE:COLUMN: SEVERITY CODE: MESSAGE (FIX). An agent of the project that doesn't
call hookbridge for its hooks is a note.`,
		exits: "0 no findings, or notes only, 1 something is lost, weaker or wrong",
		examples: []example{
			{"hookbridge check", "every hook file of this project"},
			{"hookbridge check .cursor/hooks.json --strict", "one file; notes also exit with 1"},
			{"hookbridge check --format sarif > hooks.sarif", "for code scanning"},
			{"hookbridge check --dialect qoder - < settings.json", "stdin has no file name, so name the agent"},
		},
		looks: true, tool: func() tool { return new(checkFlags) },
	}
}

package main

// rowConvert is the command convert.
func rowConvert() command {
	return command{
		name: "convert", summary: "convert a hook configuration for another agent", args: "[FILE|DIR|-]",
		about: `Converts a hook configuration of one agent into a file of another. FILE is a settings file,
hooks.json, plugin.json or a Markdown file with hooks in its front matter. DIR is a project or a
plugin (default: the current folder). - is stdin. Writes the result to stdout and reports what
can't be translated on stderr.`,
		exits: "0 nothing lost, 3 written, but something is lost or weaker, 1 nothing written",
		examples: []example{
			{"hookbridge convert --from claude --to cursor", "the hooks of this project, to stdout"},
			{"hookbridge convert --from cursor --to claude .cursor/hooks.json --merge .claude/settings.json",
				"into an existing file"},
			{"hookbridge convert --from claude --to qoder --strict -o settings.json",
				"write nothing unless everything can be translated"},
			{"hookbridge convert --from claude --to cursor --permissions --merge .cursor/hooks.json",
				"and a guard for each rule under permissions.deny that is about one tool"},
		},
		tool: func() tool { return new(convertFlags) },
	}
}

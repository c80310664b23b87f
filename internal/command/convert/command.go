// Package convert is the command convert.
package convert

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command convert.
func Command() cli.Command {
	return cli.Command{
		Name: "convert", Summary: "convert a hook configuration for another agent", Args: "[FILE|DIR|-]",
		About: `Converts a hook configuration of one agent into a file of another. FILE is a settings file,
hooks.json, plugin.json or a Markdown file with hooks in its front matter. DIR is a project or a
plugin (default: the current folder). - is stdin. Writes the result to stdout and reports what
can't be translated on stderr.`,
		Exits: "0 nothing lost, 3 written, but something is lost or weaker, 1 nothing written",
		Examples: []cli.Example{
			{Line: "hookbridge convert --from claude --to cursor", Says: "the hooks of this project, to stdout"},
			{Line: "hookbridge convert --from cursor --to claude .cursor/hooks.json --merge .claude/settings.json",
				Says: "into an existing file"},
			{Line: "hookbridge convert --from claude --to qoder --strict -o settings.json",
				Says: "write nothing unless everything can be translated"},
			{Line: "hookbridge convert --from claude --to cursor --permissions --merge .cursor/hooks.json",
				Says: "and a guard for each rule under permissions.deny that is about one tool"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

// Package plugin is the command plugin.
package plugin

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command plugin.
func Command() cli.Command {
	return cli.Command{
		Name: "plugin", Summary: "show and write what a plugin needs in every agent",
		Args: "[show|write|remove|check] [DIR]",
		About: `For plugin authors. Shows which files of the plugin in DIR (default: the current folder) each
agent reads, and whether each hook of the plugin works there.

write adds files for each agent of --host: its entries, the reference to them in the agent's
manifest, and the launcher hooks/hookbridge, which finds hookbridge and runs your hooks with it.
Your own hook file stays as it is, and its agent still runs it without hookbridge. A manifest that
already names hooks is not changed. Gemini CLI and Droid read only hooks/hooks.json; for them your
hooks move to another file. remove undoes all of this.

check reports hooks that fail in an agent that reads them unchanged, and files that write would
change.`,
		Exits: "0 done, check: nothing weaker found; 1 not done, or found",
		Examples: []cli.Example{
			{Line: "hookbridge plugin", Says: "every hook of this plugin under every agent"},
			{Line: "hookbridge plugin write --host codex,copilot,gemini",
				Says: "let three agents run them; calls are denied where hookbridge is missing"},
			{Line: "hookbridge plugin write --host codex --missing open --dry-run",
				Says: "let calls proceed there; show the change and write nothing"},
			{Line: "hookbridge plugin check --format github", Says: "in CI: annotations"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

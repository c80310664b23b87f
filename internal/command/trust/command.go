// Package trust is the commands trust and untrust.
package trust

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command trust.
func Command() cli.Command {
	return cli.Command{
		Name: "trust", Summary: "allow entries that require trust to run a project's hooks", Args: "[DIR]",
		About: `Allows entries with --require-trust to run the hooks of the project DIR (default: the current
folder). install --scope user writes such entries.

Records a hash of the project's hook files and of the files that their commands name, and lists
them. After a change to one of these files the hooks don't run until you trust them again.`,
		Exits: "0 recorded, 1 not recorded, or not the hooks of every agent",
		Examples: []cli.Example{
			{Line: "hookbridge trust", Says: "this project, with its current hooks"},
			{Line: "hookbridge trust --hooks cursor ~/site", Says: "the Cursor hooks of another project"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

// Untrust is the command untrust.
func Untrust() cli.Command {
	return cli.Command{
		Name: "untrust", Summary: "withdraw the trust", Args: "[DIR]",
		About: `Removes what hookbridge trust recorded for the project DIR (default: the current folder).
Entries with --require-trust no longer run its hooks.`,
		Exits: "0 removed, or nothing to do, 1 not done",
		Examples: []cli.Example{
			{Line: "hookbridge untrust", Says: "entries that require trust no longer run this project's hooks"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

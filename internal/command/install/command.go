// Package install is the commands install, uninstall and status.
package install

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command install.
func Command() cli.Command {
	return cli.Command{
		Name: "install", Summary: "add hookbridge to the hook files of agents",
		About: `Adds hookbridge to a host's hook file: one entry for each event that the found hooks need.
Everything else in the file is left unchanged, and a backup of the first state is kept next to
it. Run again, it updates its entries and keeps their flags. hookbridge.yaml may set defaults
for the project's file under install.

A project's file gets entries for the project's hooks and is the same for every teammate. A
user's file (--scope user) gets entries for the user's own hooks, and for those of projects
that have no entry of their own, once they are trusted. With both, each hook runs once. A user's
file may be a link, as in a folder of dotfiles: the file that it leads to is changed.`,
		Exits: "0 done, 1 not done; the reason is on stderr",
		Examples: []cli.Example{
			{Line: "hookbridge install --host cursor", Says: "Cursor runs this project's hooks for Claude Code"},
			{Line: "hookbridge install --host cursor,codex --dry-run",
				Says: "two hosts; show the change as a diff and write nothing"},
			{Line: "hookbridge install", Says: "every agent that the project uses runs the hooks of the others"},
			{Line: "hookbridge install --host claude --hooks cursor --scope user",
				Says: "your own hooks for Cursor run in Claude Code"},
		},
		Tool: func() cli.Tool { return new(call) },
	}
}

// Uninstall is the command uninstall.
func Uninstall() cli.Command {
	return cli.Command{
		Name: "uninstall", Summary: "remove hookbridge and restore the hook files",
		About: `Removes the entries of hookbridge from a host's hook file. If nothing else has changed there
since the first install, the file is restored exactly, or deleted if there was none.`,
		Exits: "0 done or nothing to do, 1 not done; the reason is on stderr",
		Examples: []cli.Example{
			{Line: "hookbridge uninstall", Says: "restore every agent's file in this project"},
			{Line: "hookbridge uninstall --host cursor", Says: "only Cursor's"},
			{Line: "hookbridge uninstall --host claude --hooks cursor --scope user --dry-run",
				Says: "show what would change in the user's own file"},
		},
		Tool: func() cli.Tool { return new(call) },
	}
}

// Status is the command status.
func Status() cli.Command {
	return cli.Command{
		Name: "status", Summary: "show whether hookbridge is installed and up to date",
		About: `Shows for each host's hook file whether hookbridge's entries are absent, current, stale (the
hooks now need other events) or edited. It compares them with what install would write, so it
takes the same flags. Without --scope it also shows the user's own files that call hookbridge.
Files that hookbridge writes as a whole, such as a launcher, are compared as a whole. Changes
nothing. For the state of each hook, see hookbridge doctor.`,
		Exits: "0 shown; 1 a file can't be read, one that hookbridge writes as a whole isn't as it writes it, or, " +
			"with --strict, an entry isn't",
		Examples: []cli.Example{
			{Line: "hookbridge status", Says: "a line for each agent that the project uses"},
			{Line: "hookbridge status --strict", Says: "in CI: fail where an entry was edited or is out of date"},
			{Line: "hookbridge status --host cursor --json", Says: "for scripts: a JSON array"},
			{Line: "hookbridge status --host claude --hooks cursor --scope user", Says: "the user's own file"},
		},
		Looks: true, Tool: func() cli.Tool { return new(call) },
	}
}

package main

// rowInstall is the command install.
func rowInstall() command {
	return command{
		name: "install", summary: "add hookbridge to the hook files of agents",
		about: `Adds hookbridge to a host's hook file: one entry for each event that the found hooks need.
Everything else in the file is left unchanged, and a backup of the first state is kept next to
it. Run again, it updates its entries and keeps their flags. hookbridge.yaml may set defaults
for the project's file under install.

A project's file gets entries for the project's hooks and is the same for every teammate. A
user's file (--scope user) gets entries for the user's own hooks, and for those of projects
that have no entry of their own, once they are trusted. With both, each hook runs once.`,
		exits: "0 done, 1 not done; the reason is on stderr",
		examples: []example{
			{"hookbridge install --host cursor", "Cursor runs this project's hooks for Claude Code"},
			{"hookbridge install --host cursor,codex --dry-run",
				"two hosts; show the change as a diff and write nothing"},
			{"hookbridge install", "every agent that the project uses runs the hooks of the others"},
			{"hookbridge install --host claude --hooks cursor --scope user",
				"your own hooks for Cursor run in Claude Code"},
		},
		tool: func() tool { return new(installTool) },
	}
}

// rowUninstall is the command uninstall.
func rowUninstall() command {
	return command{
		name: "uninstall", summary: "remove hookbridge and restore the hook files",
		about: `Removes the entries of hookbridge from a host's hook file. If nothing else has changed there
since the first install, the file is restored exactly, or deleted if there was none.`,
		exits: "0 done or nothing to do, 1 not done; the reason is on stderr",
		examples: []example{
			{"hookbridge uninstall", "restore every agent's file in this project"},
			{"hookbridge uninstall --host cursor", "only Cursor's"},
			{"hookbridge uninstall --host claude --hooks cursor --scope user --dry-run",
				"show what would change in the user's own file"},
		},
		tool: func() tool { return new(installTool) },
	}
}

// rowStatus is the command status.
func rowStatus() command {
	return command{
		name: "status", summary: "show whether hookbridge is installed and up to date",
		about: `Shows for each host's hook file whether hookbridge's entries are absent, current, stale (the
hooks now need other events) or edited. It compares them with what install would write, so it
takes the same flags. Without --scope it also shows the user's own files that call hookbridge.
Changes nothing. For the state of each hook, see hookbridge doctor.`,
		exits: "0 shown, 1 a file can't be read",
		examples: []example{
			{"hookbridge status", "a line for each agent that the project uses"},
			{"hookbridge status --host cursor --json", "for scripts: a JSON array"},
			{"hookbridge status --host claude --hooks cursor --scope user", "the user's own file"},
		},
		looks: true, tool: func() tool { return new(installTool) },
	}
}

package main

// rowTrust is the command trust.
func rowTrust() command {
	return command{
		name: "trust", summary: "allow entries that require trust to run a project's hooks", args: "[DIR]",
		about: `Allows entries with --require-trust to run the hooks of the project DIR (default: the current
folder). install --scope user writes such entries.

Records a hash of the project's hook files and of the files that their commands name, and lists
them. After a change to one of these files the hooks don't run until you trust them again.`,
		exits: "0 recorded, 1 not recorded, or not the hooks of every agent",
		examples: []example{
			{"hookbridge trust", "this project, with its current hooks"},
			{"hookbridge trust --hooks cursor ~/site", "the Cursor hooks of another project"},
		},
		tool: func() tool { return new(trustFlags) },
	}
}

// rowUntrust is the command untrust.
func rowUntrust() command {
	return command{
		name: "untrust", summary: "withdraw the trust", args: "[DIR]",
		about: `Removes what hookbridge trust recorded for the project DIR (default: the current folder).
Entries with --require-trust no longer run its hooks.`,
		exits: "0 removed, or nothing to do, 1 not done",
		examples: []example{
			{"hookbridge untrust", "entries that require trust no longer run this project's hooks"},
		},
		tool: func() tool { return new(trustFlags) },
	}
}

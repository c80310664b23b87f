package main

// commands lists the commands in the order in which help shows them.
func commands() []command {
	return append(bridgeCommands(), toolCommands()...)
}

// bridgeCommands run hooks, and see that they are run.
func bridgeCommands() []command {
	return []command{
		{
			name: "run", summary: "answer one event of a host with the hooks of another agent", args: "[-c COMMAND | -- PROGRAM ARG...]",
			about: `Reads the payload of a host's hook on stdin, runs the hooks of another agent that
apply, and answers the host in its own words: one JSON object on stdout. Without -c or --
the hooks are those that their agent would load for the project.`,
			exits: "0 answered, 1 the bridge failed and why is on stderr (never 2)",
			examples: []example{
				{"hookbridge run --host cursor --project . < payload.json", "the project's hooks for Claude Code answer Cursor"},
				{"hookbridge run --host cursor -c ./guard.sh < payload.json", "one hook, whatever the event"},
				{"hookbridge run --host claude --hooks cursor --event pre-tool --matcher Shell -- ./guard < payload.json", "a hook for Cursor, as its hooks.json had it"},
			},
			define: func(fs *flags) { new(runFlags).define(fs) }, run: runCommand,
		},
		{
			name: "install", summary: "put the bridge into a host's hook file",
			about: `Puts the bridge into the host's hook file, one entry for each event that the found hooks
need. All else in the file keeps its bytes; before its first change a backup is left beside
it. A user's entry carries --require-trust. Done again, it renews its entries.`,
			exits: "0 done, 1 not done, and why is on stderr",
			examples: []example{
				{"hookbridge install --host cursor", "Cursor runs this project's hooks for Claude Code"},
				{"hookbridge install --host cursor --dry-run", "show the entries and write nothing"},
				{"hookbridge install --host claude --hooks cursor --scope user", "in every project, once it is trusted: hookbridge trust"},
			},
			define: func(fs *flags) { new(installFlags).define(fs) }, run: installCommand,
		},
		{
			name: "uninstall", summary: "take it out again, byte for byte",
			about: `Takes the entries of the bridge out of the host's hook file. If nothing else has changed
there since install, the file is byte for byte as it was before, or gone if there was none.`,
			exits: "0 done or nothing to do, 1 not done, and why is on stderr",
			examples: []example{
				{"hookbridge uninstall --host cursor", "the file is as it was"},
				{"hookbridge uninstall --host claude --hooks cursor --scope user --dry-run", "show what would change in the user's own file"},
			},
			define: func(fs *flags) { new(installFlags).define(fs) }, run: uninstallCommand,
		},
		{
			name: "status", summary: "tell whether it is there and up to date",
			about: `Tells how the bridge stands in the host's hook file: absent; current; stale, if other events
are needed by now; or edited. It compares with what install would write, so it takes the same
flags. Nothing is changed. How every single hook stands is told by hookbridge doctor.`,
			exits: "0 told, 1 the file cannot be read",
			examples: []example{
				{"hookbridge status --host cursor", "one line: absent, current, stale or edited"},
				{"hookbridge status --host claude --hooks cursor --scope user", "of the user's own file"},
			},
			define: func(fs *flags) { new(installFlags).define(fs) }, run: statusCommand,
		},
		{
			name: "doctor", summary: "tell for every hook whether it is reached, weaker, fires twice or never",
			about: `Tells for every hook that a known agent would load in this project how it stands with a
host: reached, weaker, twice or never, and why.`,
			exits: "0 no hook fires twice or never (but for accepted ones), 1 some do",
			examples: []example{
				{"hookbridge doctor --host cursor", "how every hook stands with Cursor"},
				{"hookbridge doctor --json", "for scripts: one JSON array"},
				{"hookbridge doctor --accept .hookbridge-accepted", "in CI: findings that were looked at do not fail"},
			},
			define: func(fs *flags) { new(doctorFlags).define(fs) }, run: doctorCommand,
		},
		{
			name: "trust", summary: "allow a project's hooks for entries that demand trust", args: "[DIR]",
			about: `Records that the hooks of the project DIR (default: here) may be run by entries that carry
--require-trust, as those have that install --scope user writes. What is recorded is a hash of
the project's hook files and of the files in it that their commands name, which are listed:
after a change the hooks are not run until they are trusted again.`,
			exits: "0 recorded, 1 not recorded",
			examples: []example{
				{"hookbridge trust", "the project here, as its hooks are now"},
				{"hookbridge trust --hooks cursor ~/site", "another project, and its hooks for Cursor"},
			},
			define: func(fs *flags) { new(runFlags).defineTrust(fs, "trust") }, run: trustCommand,
		},
		{
			name: "untrust", summary: "take that back", args: "[DIR]",
			about: `Takes back what hookbridge trust has recorded for the project DIR (default: here): entries
that carry --require-trust do not run its hooks any more.`,
			exits: "0 taken back or nothing to do, 1 not done",
			examples: []example{
				{"hookbridge untrust", "the hooks of the project here are not run any more by entries that demand trust"},
			},
			define: func(fs *flags) { new(runFlags).defineTrust(fs, "untrust") }, run: untrustCommand,
		},
	}
}

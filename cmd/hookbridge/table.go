package main

// commands lists the commands in the order in which help shows them.
func commands() []command {
	return append(bridgeCommands(), toolCommands()...)
}

// bridgeCommands run hooks, install hookbridge and inspect installed hooks.
func bridgeCommands() []command {
	return []command{
		{
			name: "run", summary: "run another agent's hooks for one event of a host",
			args: "[-c COMMAND | -- PROGRAM ARG...]",
			about: `Reads the payload of a host's hook on stdin, runs the matching hooks of another agent, and
prints the answer in the host's format: one JSON object. Without -c or --, runs the hooks that
their own agent would load for the project. Agents call this command; install adds it to
their hook files.`,
			exits: "0 answered, 1 hookbridge failed and stderr says why (never 2)",
			examples: []example{
				{"hookbridge run --host cursor --project . < payload.json",
					"run the project's Claude Code hooks for a Cursor event"},
				{"hookbridge run --host cursor -c ./guard.sh < payload.json", "one hook, whatever the event"},
				{"hookbridge run --host claude --hooks cursor --event pre-tool --matcher Shell -- ./guard < " +
					"payload.json", "one Cursor hook, as it is in hooks.json"},
			},
			tool: func() tool { return new(runFlags) },
		},
		guardCommand(),
		{
			name: "init", summary: "set up the project: find agents and hooks, show the change, ask, install and test",
			about: `Finds the hooks of the project and the agents that it uses, shows what would be written as a
diff and what each hook will do under each agent, asks, installs hookbridge for all of them,
and lists the agents in hookbridge.yaml. Then it sends a harmless shell command through every
agent's hooks and lists what only a person can do. Without a terminal it needs --yes, or else
shows the plan, writes nothing and exits with 1.`,
			exits: "0 installed, up to date, or shown; 1 not installed, or the self-test failed",
			examples: []example{
				{"hookbridge init", "on a terminal: choose, look, agree"},
				{"hookbridge init --host cursor,codex --yes", "in a script"},
				{"hookbridge init --json", "the plan as JSON; nothing is written"},
			},
			tool: func() tool { return new(initFlags) },
		},
		{
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
			tool: func() tool { return new(installFlags) },
		},
		{
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
			tool: func() tool { return new(installFlags) },
		},
		{
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
			looks: true, tool: func() tool { return new(installFlags) },
		},
		{
			name: "doctor", summary: "show for each hook whether it works under the project's agents",
			about: `Examines every hook that a known agent would load in this project, including those of skills
and sub-agents, and shows for each host whether the hook is

  reached  it runs, with its effects
  pending  it needs the step below the table; hookbridge can't check that step
  weaker   it runs, but part of it has no effect
  twice    it runs more than once for one call
  never    it doesn't run

One line for each hook: status, host, FILE:LINE, event and matcher, what the hook does, then
every problem, the worst first, with its code and a fix. Accept findings that you have reviewed
in hookbridge.yaml or with --accept; a line that no longer matches a finding is reported.

  accept:
    - finding: never cursor ./deploy-guard.sh
      reason: runs in Claude Code only`,
			exits: "0 every guard runs, and no hook twice; accepted findings don't count; 1 otherwise, or there are " +
				"no hooks",
			examples: []example{
				{"hookbridge doctor", "every hook under every agent of the project"},
				{"hookbridge doctor --host cursor,codex --hooks claude", "the hooks for Claude Code under two hosts"},
				{"hookbridge doctor --format github --accept .hookbridge-accepted",
					"in CI: annotations; findings that were reviewed don't fail"},
			},
			looks: true, tool: func() tool { return new(doctorFlags) },
		},
		{
			name: "canary", summary: "see whether an agent really calls the entries of its hook file", args: "",
			about: `Adds one harmless entry to a host's hook file: at the start of a session it shows a sentence and
notes that it was called. On a terminal the command waits for the call and takes the entry out
again. Elsewhere --remove does that later.`,
			exits: "0 the entry was called, or added without waiting; 1 it wasn't called, or something failed",
			examples: []example{
				{"hookbridge canary --host codex", "add it, start Codex, see it called; it is taken out again"},
				{"hookbridge canary --host codex --remove", "was it called? take it out"},
			},
			tool: func() tool { return new(canaryFlags) },
		},
		{
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
		},
		{
			name: "untrust", summary: "withdraw the trust", args: "[DIR]",
			about: `Removes what hookbridge trust recorded for the project DIR (default: the current folder).
Entries with --require-trust no longer run its hooks.`,
			exits: "0 removed, or nothing to do, 1 not done",
			examples: []example{
				{"hookbridge untrust", "entries that require trust no longer run this project's hooks"},
			},
			tool: func() tool { return new(trustFlags) },
		},
	}
}

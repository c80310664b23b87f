package main

// rowInit is the command init.
func rowInit() command {
	return command{
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
	}
}

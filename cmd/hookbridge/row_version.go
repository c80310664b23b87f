package main

// rowVersion is the command version.
func rowVersion() command {
	return command{
		name: "version", summary: "print the version",
		about: `Prints the version.`,
		exits: "0 printed",
		examples: []example{
			{"hookbridge version", "prints the version"},
			{"hookbridge version --clients", "and the versions of the agents that it was checked with"},
		},
		tool: func() tool { return new(versionFlags) },
	}
}

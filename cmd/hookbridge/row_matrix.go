package main

// rowMatrix is the command matrix.
func rowMatrix() command {
	return command{
		name: "matrix", summary: "show what each agent supports of another agent's hooks",
		about: `Shows, for each event, what works when hooks written for one agent (--from) run under another
(--to). Without either flag, shows every pair at a glance. --format json has the details of
every pair and where each fact comes from. NO_COLOR switches colors off.`,
		exits: "0 printed",
		examples: []example{
			{"hookbridge matrix", "every pair at a glance"},
			{"hookbridge matrix --from claude --to cursor", "hooks for Claude Code under Cursor"},
		},
		looks: true, tool: func() tool { return new(matrixFlags) },
	}
}

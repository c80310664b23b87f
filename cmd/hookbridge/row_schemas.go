package main

// rowSchema is the command schema.
func rowSchema() command {
	return command{
		name: "schema", summary: "print a JSON Schema, or list them", args: "[NAME|NAME@VERSION]",
		about: `Prints the JSON Schema (draft 2020-12) of an agent's configuration, payloads or answers, of
hookbridge.yaml, of scenarios, or of one of hookbridge's own reports. Without NAME, lists the names. A version
or a program of the agent may follow after @; the schema then leaves out what that version or program lacks.`,
		exits: "0 printed, 1 there is no such schema or version",
		examples: []example{
			{"hookbridge schema", "the names"},
			{"hookbridge schema cursor-config > hooks.schema.json", "lets an editor check .cursor/hooks.json"},
			{"hookbridge schema scenarios > scenarios.schema.json",
				"lets an editor check the scenarios of hookbridge test"},
			{"hookbridge schema claude-answer@2.0.45", "what a hook could answer to that version"},
			{"hookbridge schema qoder-payload@ide", "one of the agent's programs"},
		},
		tool: func() tool { return plain(schemaCommand) },
	}
}

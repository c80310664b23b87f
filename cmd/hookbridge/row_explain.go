package main

// rowExplain is the command explain.
func rowExplain() command {
	return command{
		name: "explain", summary: "explain a code, and what to do", args: "[HBnnn]",
		about: `Explains what a diagnostic code means and what to do about it. For events see hookbridge matrix.`,
		exits: "0 printed, 1 there is no such code",
		examples: []example{
			{"hookbridge explain HB204", "a code"},
			{"hookbridge explain --list", "all codes"},
		},
		looks: true, tool: func() tool { return new(explainFlags) },
	}
}

package main

// rowCanary is the command canary.
func rowCanary() command {
	return command{
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
	}
}

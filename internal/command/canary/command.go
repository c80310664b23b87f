// Package canary is the command canary.
package canary

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command canary.
func Command() cli.Command {
	return cli.Command{
		Name: "canary", Summary: "see whether an agent really calls the entries of its hook file", Args: "",
		About: `Adds one harmless entry to a host's hook file: at the start of a session it shows a sentence and
notes that it was called. On a terminal the command waits for the call and takes the entry out
again. Elsewhere --remove does that later.`,
		Exits: "0 the entry was called, or added without waiting; 1 it wasn't called, or something failed",
		Examples: []cli.Example{
			{Line: "hookbridge canary --host codex", Says: "add it, start Codex, see it called; it is taken out again"},
			{Line: "hookbridge canary --host codex --remove", Says: "was it called? take it out"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

// Package setup is the command init.
package setup

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command init.
func Command() cli.Command {
	return cli.Command{
		Name: "init", Summary: "set up the project: find agents and hooks, show the change, ask, install and test",
		About: `Finds the hooks of the project and the agents that it uses, shows what would be written as a
diff and what each hook will do under each agent, asks, installs hookbridge for all of them,
and lists the agents in hookbridge.yaml. Then it sends a harmless shell command through every
agent's hooks and lists what only a person can do. Without a terminal it needs --yes, or else
shows the plan, writes nothing and exits with 1.`,
		Exits: "0 installed, up to date, or shown; 1 not installed, or the self-test failed",
		Examples: []cli.Example{
			{Line: "hookbridge init", Says: "on a terminal: choose, look, agree"},
			{Line: "hookbridge init --host cursor,codex --yes", Says: "in a script"},
			{Line: "hookbridge init --json", Says: "the plan as JSON; nothing is written"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

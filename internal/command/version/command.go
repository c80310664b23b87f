// Package version is the command version.
package version

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command version.
func Command() cli.Command {
	return cli.Command{
		Name: "version", Summary: "print the version",
		About: `Prints the version.`,
		Exits: "0 printed",
		Examples: []cli.Example{
			{Line: "hookbridge version", Says: "prints the version"},
			{Line: "hookbridge version --clients", Says: "and the versions of the agents that it was checked with"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

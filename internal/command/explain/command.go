// Package explain is the command explain.
package explain

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command explain.
func Command() cli.Command {
	return cli.Command{
		Name: "explain", Summary: "explain a code, and what to do", Args: "[HBnnn]",
		About: `Explains what a diagnostic code means and what to do about it. For events see hookbridge matrix.`,
		Exits: "0 printed, 1 there is no such code",
		Examples: []cli.Example{
			{Line: "hookbridge explain HB204", Says: "a code"},
			{Line: "hookbridge explain --list", Says: "all codes"},
		},
		Looks: true, Tool: func() cli.Tool { return new(flags) },
	}
}

// Package matrix is the command matrix.
package matrix

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command matrix.
func Command() cli.Command {
	return cli.Command{
		Name: "matrix", Summary: "show what each agent supports of another agent's hooks",
		About: `Shows, for each event, what works when hooks written for one agent (--from) run under another
(--to). Without either flag, shows every pair at a glance. --format json has the details of
every pair and where each fact comes from. NO_COLOR switches colors off.`,
		Exits: "0 printed",
		Examples: []cli.Example{
			{Line: "hookbridge matrix", Says: "every pair at a glance"},
			{Line: "hookbridge matrix --from claude --to cursor", Says: "hooks for Claude Code under Cursor"},
		},
		Looks: true, Tool: func() cli.Tool { return new(flags) },
	}
}

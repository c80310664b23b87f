// Package schemas is the command schema.
package schemas

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command schema.
func Command() cli.Command {
	return cli.Command{
		Name: "schema", Summary: "print a JSON Schema, or list them", Args: "[NAME|NAME@VERSION]",
		About: `Prints the JSON Schema (draft 2020-12) of an agent's configuration, payloads or answers, of
hookbridge.yaml, of scenarios, or of one of hookbridge's own reports. Without NAME, lists the names. A version
or a program of the agent may follow after @; the schema then leaves out what that version or program lacks.`,
		Exits: "0 printed, 1 there is no such schema or version",
		Examples: []cli.Example{
			{Line: "hookbridge schema", Says: "the names"},
			{Line: "hookbridge schema cursor-config > hooks.schema.json",
				Says: "lets an editor check .cursor/hooks.json"},
			{Line: "hookbridge schema scenarios > scenarios.schema.json",
				Says: "lets an editor check the scenarios of hookbridge test"},
			{Line: "hookbridge schema claude-answer@2.0.45", Says: "what a hook could answer to that version"},
			{Line: "hookbridge schema qoder-payload@ide", Says: "one of the agent's programs"},
		},
		Tool: func() cli.Tool { return cli.Plain(schemaCommand) },
	}
}

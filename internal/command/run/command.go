// Package run is the commands run and guard.
package run

import (
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/command/cli"
)

// Command is the command run.
func Command() cli.Command {
	return cli.Command{
		Name: "run", Summary: "run another agent's hooks for one event of a host",
		Args: "[-c COMMAND | -- PROGRAM ARG...]",
		About: `Reads the payload of a host's hook on stdin, runs the matching hooks of another agent, and
prints the answer in the host's format: one JSON object, or where the host takes no
JSON the text for its model. Without -c or --, runs the hooks that their own agent
would load for the project. Agents call this command; install adds it to their hook files.`,
		Exits: "0 answered, 1 hookbridge failed and stderr says why, 2 denied, for an agent that needs this status",
		Examples: []cli.Example{
			{Line: "hookbridge run --host cursor --project . < payload.json",
				Says: "run the project's Claude Code hooks for a Cursor event"},
			{Line: "hookbridge run --host cursor -c ./guard.sh < payload.json", Says: "one hook, whatever the event"},
			{Line: "hookbridge run --host claude --hooks cursor --event pre-tool --matcher Shell -- ./guard < " +
				"payload.json", Says: "one Cursor hook, as it is in hooks.json"},
		},
		Tool: func() cli.Tool { return new(call) },
	}
}

// Guard is the command guard.
func Guard() cli.Command {
	return cli.Command{
		Name: cmdline.GuardWord, Summary: "deny the calls that a permission rule denies", Args: "RULE...",
		About: `Reads the payload of a host's hook on stdin, as run does. Denies the call if a RULE of Claude Code's
permissions.deny would deny it there, and names the rule; else it has no opinion. A call that can't be
judged is denied: a payload that can't be read, a command that can't be taken apart, a rule that
isn't about one tool. Agents call this command; convert --permissions writes such entries.`,
		Exits: "0 answered, 2 denied, for an agent that needs this status",
		Examples: []cli.Example{
			{Line: "hookbridge guard --host cursor 'Bash(rm *)' < payload.json",
				Says: "deny a command that begins with rm"},
			{Line: "hookbridge guard --host codex 'Read(.env)' 'Edit(/src/**)' < payload.json", Says: "two rules"},
		},
		Tool: func() cli.Tool { return new(guardCall) },
	}
}

package main

import "github.com/hookbridge/hookbridge/adapter/cmdline"

// rowRun is the command run.
func rowRun() command {
	return command{
		name: "run", summary: "run another agent's hooks for one event of a host",
		args: "[-c COMMAND | -- PROGRAM ARG...]",
		about: `Reads the payload of a host's hook on stdin, runs the matching hooks of another agent, and
prints the answer in the host's format: one JSON object. Without -c or --, runs the hooks that
their own agent would load for the project. Agents call this command; install adds it to
their hook files.`,
		exits: "0 answered, 1 hookbridge failed and stderr says why (never 2)",
		examples: []example{
			{"hookbridge run --host cursor --project . < payload.json",
				"run the project's Claude Code hooks for a Cursor event"},
			{"hookbridge run --host cursor -c ./guard.sh < payload.json", "one hook, whatever the event"},
			{"hookbridge run --host claude --hooks cursor --event pre-tool --matcher Shell -- ./guard < " +
				"payload.json", "one Cursor hook, as it is in hooks.json"},
		},
		tool: func() tool { return new(runTool) },
	}
}

// rowGuard is the command guard.
func rowGuard() command {
	return command{
		name: cmdline.GuardWord, summary: "deny the calls that a permission rule denies", args: "RULE...",
		about: `Reads the payload of a host's hook on stdin, as run does. Denies the call if a RULE of Claude Code's
permissions.deny would deny it there, and names the rule; else it has no opinion. A call that can't be
judged is denied: a payload that can't be read, a command that can't be taken apart, a rule that
isn't about one tool. Agents call this command; convert --permissions writes such entries.`,
		exits: "0 answered (never 2)",
		examples: []example{
			{"hookbridge guard --host cursor 'Bash(rm *)' < payload.json", "deny a command that begins with rm"},
			{"hookbridge guard --host codex 'Read(.env)' 'Edit(/src/**)' < payload.json", "two rules"},
		},
		tool: func() tool { return new(guardFlags) },
	}
}

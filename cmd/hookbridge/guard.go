package main

import "github.com/hookbridge/hookbridge/adapter/cmdline"

// guardFlags are those of a run whose hooks are rules.
type guardFlags struct{ runFlags }

func (f *guardFlags) define(fs *flags) {
	for _, name := range []string{"host", "project", "home", "log"} {
		fs.row(&f.Call, name, "")
	}
}

func (f *guardFlags) run(fs *flags, rest []string, std stdio) (int, error) {
	f.Rules = append([]string{}, rest...)
	return f.runFlags.run(fs, nil, std)
}

func guardCommand() command {
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

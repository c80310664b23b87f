package main

// rowHelp is the command help.
func rowHelp(all func() []command) command {
	return command{
		name: "help", summary: "show how to use a command", args: "[COMMAND]",
		about: `Lists the commands, or shows how to use one of them.`,
		exits: "0 printed",
		examples: []example{
			{"hookbridge help run", "the same as hookbridge run --help"},
		},
		tool: func() tool {
			return plain(func(rest []string, std stdio) (int, error) { return helpCommand(all(), rest, std), nil })
		},
	}
}

// rowMan is the command man.
func rowMan(all func() []command) command {
	return command{
		name: "man", summary: "print the manual page",
		about: `Prints the manual page.`,
		exits: "0 printed",
		examples: []example{
			{"hookbridge man > /usr/local/share/man/man1/hookbridge.1", "then run man hookbridge"},
			{"hookbridge man | man -l -", "read it without installing it"},
		},
		tool: func() tool { return plain(func(_ []string, std stdio) (int, error) { return manCommand(all(), std) }) },
	}
}

// rowCompletion is the command completion.
func rowCompletion(all func() []command) command {
	return command{
		name: "completion", summary: "print a completion script for a shell", args: "bash|zsh|fish|powershell",
		about: `Prints a script that completes commands, flags, agents, events and codes.`,
		exits: "0 printed",
		examples: []example{
			{`eval "$(hookbridge completion bash)"`, "in ~/.bashrc"},
			{"hookbridge completion zsh > ~/.zfunc/_hookbridge", "in a folder of $fpath"},
			{"hookbridge completion powershell | Out-String | Invoke-Expression", "in $PROFILE"},
			{"hookbridge completion fish > ~/.config/fish/completions/hookbridge.fish", "for fish"},
		},
		tool: func() tool {
			return plain(func(rest []string, std stdio) (int, error) { return completionCommand(all(), rest, std) })
		},
	}
}

// Package help is the commands help, man and completion.
package help

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command help.
func Command(all func() []cli.Command) cli.Command {
	return cli.Command{
		Name: "help", Summary: "show how to use a command", Args: "[COMMAND]",
		About: `Lists the commands, or shows how to use one of them.`,
		Exits: "0 printed",
		Examples: []cli.Example{
			{Line: "hookbridge help run", Says: "the same as hookbridge run --help"},
		},
		Tool: func() cli.Tool {
			return cli.Plain(func(rest []string, std cli.IO) (int, error) { return helpCommand(all(), rest, std), nil })
		},
	}
}

// Man is the command man.
func Man(all func() []cli.Command) cli.Command {
	return cli.Command{
		Name: "man", Summary: "print the manual page",
		About: `Prints the manual page.`,
		Exits: "0 printed",
		Examples: []cli.Example{
			{Line: "hookbridge man > /usr/local/share/man/man1/hookbridge.1", Says: "then run man hookbridge"},
			{Line: "hookbridge man | man -l -", Says: "read it without installing it"},
		},
		Tool: func() cli.Tool {
			return cli.Plain(func(_ []string, std cli.IO) (int, error) { return manCommand(all(), std) })
		},
	}
}

// Completion is the command completion.
func Completion(all func() []cli.Command) cli.Command {
	return cli.Command{
		Name: "completion", Summary: "print a completion script for a shell", Args: "bash|zsh|fish|powershell",
		About: `Prints a script that completes commands, flags, agents, events and codes.`,
		Exits: "0 printed",
		Examples: []cli.Example{
			{Line: `eval "$(hookbridge completion bash)"`, Says: "in ~/.bashrc"},
			{Line: "hookbridge completion zsh > ~/.zfunc/_hookbridge", Says: "in a folder of $fpath"},
			{Line: "hookbridge completion powershell | Out-String | Invoke-Expression", Says: "in $PROFILE"},
			{Line: "hookbridge completion fish > ~/.config/fish/completions/hookbridge.fish", Says: "for fish"},
		},
		Tool: func() cli.Tool {
			return cli.Plain(func(rest []string, std cli.IO) (int, error) {
				return completionCommand(all(), rest, std)
			})
		},
	}
}

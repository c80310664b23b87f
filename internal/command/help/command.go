// Package help is the commands help, man and completion.
package help

import (
	_ "embed"

	"github.com/hookbridge/hookbridge/internal/command/cli"
)

var (
	//go:embed help.txt
	helpHelp string
	//go:embed man.txt
	manHelp string
	//go:embed completion.txt
	completionHelp string
)

// Command is the command help.
func Command(all func() []cli.Command) cli.Command { return command(helpHelp, all, helpCommand) }

// Man is the command man.
func Man(all func() []cli.Command) cli.Command { return command(manHelp, all, manCommand) }

// Completion is the command completion.
func Completion(all func() []cli.Command) cli.Command {
	return command(completionHelp, all, completionCommand)
}

// A listing is a command that shows the commands.
type listing func(all []cli.Command, rest []string, std cli.IO) (int, error)

func command(help string, all func() []cli.Command, does listing) cli.Command {
	return cli.DocumentedBy(help, func() cli.Tool {
		return cli.Plain(func(rest []string, std cli.IO) (int, error) { return does(all(), rest, std) })
	})
}

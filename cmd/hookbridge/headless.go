package main

import (
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
)

// headlessHelp begins the help of --headless.
const headlessHelp = "start the agent without its terminal, as in CI: "

// headlessWays lists how agents are started without a terminal.
func headlessWays() string {
	var commands []string
	for _, d := range adapter.Dialects() {
		if ways := d.Profile().Ways; ways != nil {
			commands = append(commands, (*ways)[0].Command)
		}
	}
	return strings.Join(commands, ", ")
}

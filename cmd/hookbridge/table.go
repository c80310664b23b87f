package main

import (
	"github.com/hookbridge/hookbridge/internal/command/canary"
	"github.com/hookbridge/hookbridge/internal/command/check"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/conformance"
	"github.com/hookbridge/hookbridge/internal/command/convert"
	"github.com/hookbridge/hookbridge/internal/command/doctor"
	"github.com/hookbridge/hookbridge/internal/command/explain"
	"github.com/hookbridge/hookbridge/internal/command/fire"
	"github.com/hookbridge/hookbridge/internal/command/help"
	"github.com/hookbridge/hookbridge/internal/command/install"
	"github.com/hookbridge/hookbridge/internal/command/log"
	"github.com/hookbridge/hookbridge/internal/command/matrix"
	"github.com/hookbridge/hookbridge/internal/command/plugin"
	"github.com/hookbridge/hookbridge/internal/command/run"
	"github.com/hookbridge/hookbridge/internal/command/schemas"
	"github.com/hookbridge/hookbridge/internal/command/setup"
	"github.com/hookbridge/hookbridge/internal/command/test"
	"github.com/hookbridge/hookbridge/internal/command/translate"
	"github.com/hookbridge/hookbridge/internal/command/trust"
	"github.com/hookbridge/hookbridge/internal/command/upgrade"
	"github.com/hookbridge/hookbridge/internal/command/version"
)

// commands lists the commands in the order in which help shows them.
func commands() []cli.Command {
	convert := convert.Command()
	return []cli.Command{
		run.Command(), run.Guard(), setup.Command(), install.Command(), install.Uninstall(), install.Status(),
		doctor.Command(), canary.Command(), trust.Command(), trust.Untrust(),
		fire.Command(), test.Command(), log.Command(),
		check.Command(), convert, plugin.Command(), translate.Command(convert),
		matrix.Command(), conformance.Command(), explain.Command(), schemas.Command(),
		help.Command(commands), help.Completion(commands), help.Man(commands), version.Command(),
		upgrade.Command(),
	}
}

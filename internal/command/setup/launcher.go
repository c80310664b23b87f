package setup

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/launcher"
)

// offerLauncher asks once whether the project gets a launcher, if nothing has decided that and a person can answer.
func (x *setup) offerLauncher() {
	if x.talk == nil || x.job.Launcher != "" || x.job.HasLauncher() {
		return
	}
	x.printf("\nWithout hookbridge on a teammate's machine, most agents let every call proceed and don't say so.\n"+
		"A launcher, %s, refuses the calls that your hooks could refuse, and says what to install.\n",
		cmdline.ProjectLauncher)
	if x.talk.Yes("Commit such a launcher?", true) {
		x.job.Launcher = launcher.Closed
	} else {
		x.job.Launcher = install.NoLauncher
	}
}

// stateLauncher adds the choice to the text for hookbridge.yaml, so that a later install for another agent follows it.
func (x *setup) stateLauncher() (err error) {
	choice := x.job.Launcher
	if choice == "" || choice == install.NoLauncher || choice == x.job.File.Launcher {
		return nil
	}
	line := "launcher: " + choice
	switch {
	case x.job.File.Launcher != "":
		x.agents.launcher = line
	case x.agents.after != nil:
		x.agents.after = slices.Concat(x.agents.after, []byte(line+"\n"))
	default:
		before, after, err := x.stating("launcher", line)
		if err != nil {
			return err
		}
		if x.agents.before, x.agents.after = before, after; after == nil {
			x.agents.launcher = line
		}
	}
	return nil
}

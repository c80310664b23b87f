package main

import (
	"cmp"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
)

type installFlags struct {
	runFlags
	hosts, owners listFlag
	dry, json     bool
	install       string // --scope
	output        string // folder in place of the root, for an administrator's files
	program       string
}

func (f *installFlags) define(fs *flags) {
	const idle = "ignored here; accepted so that the command line of install can be repeated"
	dry, policy := "show the change as a diff and write nothing", ""
	hosts := "the agents whose hook files are changed, such as cursor,codex (default: every agent\nwith a folder in " +
		"the project)"
	switch fs.set.Name() {
	case "uninstall":
		policy = idle
		hosts = "the agents whose hook files are changed (default: every agent whose file calls hookbridge)"
	case "status":
		dry = idle
		hosts = "the agents whose hook files are looked at (default: every agent with a folder in the project)"
	}
	fs.many(&f.hosts, "host", "D", hosts)
	fs.many(&f.owners, "hooks", "D", ownersHelp(fs.set.Name()))
	fs.row(&f.Call, "module", "with --hooks qoder-sdk: the module whose callbacks are the hooks")
	fs.text(&f.install, "scope", "project", "project|user|managed",
		"project (default): the project's file, for the project's hooks;\n"+
			"user: the user's own file, for the user's hooks; managed: an administrator's files, for the hooks in them")
	fs.text(&f.output, "output", "", "DIR", "with --scope managed: the folder for the files and the hooks that they "+
		"run,\n"+
		"such as the root of a package (default: the files of this machine)")
	if fs.set.Name() == "install" {
		fs.entryRows(&f.Call)
		fs.text(&f.program, "program", "", "FILE", "path of hookbridge in the entries (default: found in PATH)")
	} else {
		for _, name := range []string{"ask", "allow", "fail-closed"} {
			fs.row(&f.Call, name, cmp.Or(policy, cmdline.Row(name).Entries))
		}
	}
	fs.yes(&f.dry, "dry-run", dry)
	fs.yes(&f.json, "json", "the results as a JSON array")
	f.definePlaces(fs)
}

func ownersHelp(name string) string {
	if name == "uninstall" {
		return "only the entries for hooks of these agents (default: all)"
	}
	return "the agents that the hooks are written for (default: claude, or the only other agent that has\nhooks " +
		"here; without --host every agent that has hooks here)"
}

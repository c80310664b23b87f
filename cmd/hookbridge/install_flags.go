package main

type installFlags struct {
	runFlags
	hosts, owners listFlag
	dry, json     bool
	install       string // --scope
}

func (f *installFlags) define(fs *flags) {
	const idle = "ignored here; accepted so that the command line of install can be repeated"
	ask, failClosed, dry := "if the host can't ask the user; see run", "the entries deny if hookbridge itself fails", "show the change as a diff and write nothing"
	allow := allowHelp
	hosts := "the agents whose hook files are changed, such as cursor,codex (default: every agent\nwith a folder in the project)"
	switch fs.set.Name() {
	case "uninstall":
		ask, allow, failClosed = idle, idle, idle
		hosts = "the agents whose hook files are changed (default: every agent whose file calls hookbridge)"
	case "status":
		dry = idle
		hosts = "the agents whose hook files are looked at (default: every agent with a folder in the project)"
	}
	fs.many(&f.hosts, "host", "D", hosts)
	fs.many(&f.owners, "hooks", "D", ownersHelp(fs.set.Name()))
	fs.text(&f.module, "module", "", "FILE", "with --hooks qoder-sdk: the module whose callbacks are the hooks")
	fs.text(&f.install, "scope", "project", "project|user", "project (default): the project's file, for the project's hooks; user: the user's own\nfile, for the user's hooks")
	fs.text(&f.ask, "ask", "deny", "deny|relay|allow", ask)
	f.defineAllow(fs, allow)
	fs.yes(&f.failClosed, "fail-closed", failClosed)
	if fs.set.Name() == "install" {
		fs.text(&f.evaluator, "evaluator", "", "COMMAND", "written into the entries: answers prompt and agent hooks, as with run")
		fs.yes(&f.pinHooks, "pin-hooks", "written into the entries: deny tool calls once the hook files have changed during a session")
		fs.text(&f.log, "log", "", "FILE", "written into the entries: where run keeps its log")
	}
	fs.yes(&f.dry, "dry-run", dry)
	fs.yes(&f.json, "json", "the results as a JSON array")
	f.definePlaces(fs)
}

func ownersHelp(name string) string {
	if name == "uninstall" {
		return "only the entries for hooks of these agents (default: all)"
	}
	return "the agents that the hooks are written for (default: claude, or the only other agent that has\nhooks here; without --host every agent that has hooks here)"
}

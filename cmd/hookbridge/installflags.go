package main

// installFlags is the command line of install, uninstall and status.
type installFlags struct {
	runFlags
	dry   bool
	scope string
}

func (f *installFlags) define(fs *flags) {
	const idle = "means nothing here; taken so that the line of install can be repeated"
	ask, failClosed, dry := "where the host cannot ask the user, as with run", "the entries deny if the bridge itself fails", "show what would be written and write nothing"
	switch fs.set.Name() {
	case "uninstall":
		ask, failClosed = idle, idle
	case "status":
		dry = idle
	}
	fs.text(&f.host, "host", "", "D", "the agent whose file is meant")
	fs.text(&f.hooks, "hooks", "claude", "D", "the agent that the hooks are written for (default: claude, or the only other agent that\nhas hooks here)")
	fs.text(&f.module, "module", "", "FILE", "with --hooks qoder-sdk: the module whose callbacks are the hooks")
	fs.text(&f.scope, "scope", "project", "project|user", "which of its files: the project's (default) or the user's")
	fs.text(&f.ask, "ask", "deny", "deny|relay|allow", ask)
	f.defineAllow(fs)
	fs.yes(&f.failClosed, "fail-closed", failClosed)
	if fs.set.Name() == "install" {
		fs.text(&f.evaluator, "evaluator", "", "COMMAND", "written into the entries: answers prompt and agent hooks, as with run")
		fs.yes(&f.pinHooks, "pin-hooks", "written into the entries: deny tool calls once the hook files have changed during a session")
		fs.text(&f.log, "log", "", "FILE", "written into the entries: where run keeps its log")
	}
	fs.yes(&f.dry, "dry-run", dry)
	f.definePlaces(fs)
}

package main

// rowPlugin is the command plugin.
func rowPlugin() command {
	return command{
		name: "plugin", summary: "show and write what a plugin needs in every agent",
		args: "[show|write|remove|check] [DIR]",
		about: `For plugin authors. Shows which files of the plugin in DIR (default: the current folder) each
agent reads, and whether each hook of the plugin works there.

write adds files for each agent of --host: its entries, the reference to them in the agent's
manifest, and the launcher hooks/hookbridge, which finds hookbridge and runs your hooks with it.
Your own hook file stays as it is, and its agent still runs it without hookbridge. A manifest that
already names hooks is not changed. Gemini CLI and Droid read only hooks/hooks.json; for them your
hooks move to another file. remove undoes all of this.

check reports hooks that fail in an agent that reads them unchanged, and files that write would
change.`,
		exits: "0 done, check: nothing weaker found; 1 not done, or found",
		examples: []example{
			{"hookbridge plugin", "every hook of this plugin under every agent"},
			{"hookbridge plugin write --host codex,copilot,gemini",
				"let three agents run them; calls are denied where hookbridge is missing"},
			{"hookbridge plugin write --host codex --missing open --dry-run",
				"let calls proceed there; show the change and write nothing"},
			{"hookbridge plugin check --format github", "in CI: annotations"},
		},
		tool: func() tool { return new(pluginFlags) },
	}
}

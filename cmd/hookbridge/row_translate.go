package main

// rowTranslate is the command translate.
func rowTranslate(convert command) command {
	return command{
		name: "translate", summary: "translate one payload, answer or file for another agent",
		args: "call|reply|config",
		about: `A filter: reads one JSON document on stdin, writes its translation to stdout and findings to
stderr.

call    the payload that an agent sends to a hook. A call that is several calls for the other
        agent, like a patch of two files, gives one line for each
reply   what a hook of --from printed with exit code 0, as the answer that --to expects
config  a configuration, the same as hookbridge convert with - as its file`,
		exits: "0 translated, nothing lost or notes only, 3 translated, but something is lost or weaker, 1 no " +
			"result",
		examples: []example{
			{"hookbridge translate call --from cursor --to claude < payload.json",
				"the payload as a hook for Claude Code would see it"},
			{"echo '{\"decision\":\"block\",\"reason\":\"no\"}' | hookbridge translate reply --from claude --to " +
				"cursor --event PreToolUse", "the answer as Cursor would get it"},
			{"hookbridge translate config --from claude --to cursor < settings.json",
				"a configuration, as convert writes it"},
		},
		tool: func() tool { return &translateFlags{convert: convert} },
	}
}

// Package translate is the command translate.
package translate

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command translate.
func Command(convert cli.Command) cli.Command {
	return cli.Command{
		Name: "translate", Summary: "translate one payload, answer or file for another agent",
		Args: "call|reply|config",
		About: `A filter: reads one JSON document on stdin, writes its translation to stdout and findings to
stderr.

call    the payload that an agent sends to a hook. A call that is several calls for the other
        agent, like a patch of two files, gives one line for each
reply   what a hook of --from printed with exit code 0, as the answer that --to expects
config  a configuration, the same as hookbridge convert with - as its file`,
		Exits: "0 translated, nothing lost or notes only, 3 translated, but something is lost or weaker, 1 no " +
			"result",
		Examples: []cli.Example{
			{Line: "hookbridge translate call --from cursor --to claude < payload.json",
				Says: "the payload as a hook for Claude Code would see it"},
			{Line: "echo '{\"decision\":\"block\",\"reason\":\"no\"}' | hookbridge translate reply --from claude " +
				"--to cursor --event PreToolUse", Says: "the answer as Cursor would get it"},
			{Line: "hookbridge translate config --from claude --to cursor < settings.json",
				Says: "a configuration, as convert writes it"},
		},
		Tool: func() cli.Tool { return &flags{convert: convert} },
	}
}

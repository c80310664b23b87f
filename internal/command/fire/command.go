// Package fire is the command fire.
package fire

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command fire.
func Command() cli.Command {
	return cli.Command{
		Name: "fire", Summary: "play one call as an agent does, and show each step",
		Args: "[CALL... | -c COMMAND | -- PROGRAM ARG...]",
		About: `Plays one call as the agent would, with the hook files as they are now: the events that it raises,
the entries that it calls (its own and those of hookbridge, with their flags), and what it does with
their answers. The hooks really run, the call itself doesn't. CALL is one line, as in scenarios:
shell COMMAND, read PATH, write PATH CONTENT, mcp SERVER TOOL {JSON}, prompt TEXT, stop, and more
(see hookbridge help test). Without --host it shows every agent of the project side by side; with one
agent it shows each payload, what each hook sees, how it ended, the merged answer and what was lost.
The longer form takes --event with --tool, --input and --output, or --payload. Uses its own session
files, not those of a running agent.`,
		Exits: "0 the call proceeds (no opinion, or allow), 3 it is blocked (deny, or the agent must continue " +
			"or stop), 4 the user is asked, 1 hookbridge failed; with --expect 0 the answer is the expected one," +
			" 1 it is another",
		Examples: []cli.Example{
			{Line: `hookbridge fire shell "cat .env"`,
				Says: "a command under every agent of the project, as installed"},
			{Line: `hookbridge fire --host cursor --assume-installed write .env "x"`,
				Says: "a write under Cursor, as if hookbridge were installed there"},
			{Line: `hookbridge fire --host cursor shell 'rm -rf /'`,
				Says: "every step of a shell command under Cursor"},
			{Line: `hookbridge fire --host cursor --event preToolUse --input '{"command":"rm -rf /"}'`,
				Says: "one event of Cursor alone"},
			{Line: `hookbridge fire --host cursor --event pre-tool --tool write --input '{"file_path":".env",` +
				`"content":""}' --expect deny`, Says: "an assertion for scripts: the guard denies this"},
			{Line: "hookbridge fire --host claude --hooks cursor --event UserPromptSubmit -c ./policy.sh",
				Says: "one hook for Cursor under Claude Code"},
			{Line: "hookbridge fire --payload payload.json --json",
				Says: "a recorded payload; the host is detected from it"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

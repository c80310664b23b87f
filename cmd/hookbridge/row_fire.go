package main

// rowFire is the command fire.
func rowFire() command {
	return command{
		name: "fire", summary: "play one call as an agent does, and show each step",
		args: "[CALL... | -c COMMAND | -- PROGRAM ARG...]",
		about: `Plays one call as the agent would, with the hook files as they are now: the events that it raises,
the entries that it calls (its own and those of hookbridge, with their flags), and what it does with
their answers. The hooks really run, the call itself doesn't. CALL is one line, as in scenarios:
shell COMMAND, read PATH, write PATH CONTENT, mcp SERVER TOOL {JSON}, prompt TEXT, stop, and more
(see hookbridge help test). Without --host it shows every agent of the project side by side; with one
agent it shows each payload, what each hook sees, how it ended, the merged answer and what was lost.
The longer form takes --event with --tool, --input and --output, or --payload. Uses its own session
files, not those of a running agent.`,
		exits: "0 the call proceeds (no opinion, or allow), 3 it is blocked (deny, or the agent must continue " +
			"or stop), 4 the user is asked, 1 hookbridge failed; with --expect 0 the answer is the expected one," +
			" 1 it is another",
		examples: []example{
			{`hookbridge fire shell "cat .env"`, "a command under every agent of the project, as installed"},
			{`hookbridge fire --host cursor --assume-installed write .env "x"`,
				"a write under Cursor, as if hookbridge were installed there"},
			{`hookbridge fire --host cursor shell 'rm -rf /'`, "every step of a shell command under Cursor"},
			{`hookbridge fire --host cursor --event preToolUse --input '{"command":"rm -rf /"}'`,
				"one event of Cursor alone"},
			{`hookbridge fire --host cursor --event pre-tool --tool write --input '{"file_path":".env",` +
				`"content":""}' --expect deny`, "an assertion for scripts: the guard denies this"},
			{"hookbridge fire --host claude --hooks cursor --event UserPromptSubmit -c ./policy.sh",
				"one hook for Cursor under Claude Code"},
			{"hookbridge fire --payload payload.json --json", "a recorded payload; the host is detected from it"},
		},
		tool: func() tool { return new(fireFlags) },
	}
}

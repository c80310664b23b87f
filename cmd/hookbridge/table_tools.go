package main

func toolCommands() []command {
	return []command{
		{
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
		},
		{
			name: "test", summary: "test the project's hooks under every agent", args: "[FILE|DIR]...",
			about: `Runs scenarios under every agent of the project, through the same path as hookbridge run. A
scenario is three lines of YAML:

  - name: no rm -rf
    call: shell "rm -rf /"
    expect: deny

call is one line: shell COMMAND, read PATH, write PATH CONTENT, edit PATH OLD NEW, delete PATH,
grep PATTERN PATH, glob PATTERN, fetch URL, mcp:SERVER/TOOL {JSON}, agent TYPE PROMPT,
prompt TEXT, stop, or the name of any event with a JSON object. Put text with blanks in
quotes. Or it is a mapping with event, tool, server, input and output, with the names of any
agent. expect is deny, allow, ask, none, keep-going or end-turn. reason and context are a
part of the text, or a regular expression between slashes. agents is a list that limits the
scenario, or a mapping from an agent to what is expected there.

Without FILE or DIR the scenarios are in hook-tests, or in the folder that tests names in
hookbridge.yaml. Hooks run for real; the tool calls that they see do not. An agent under which
a guard never runs, as things are installed, is a failure too. hookbridge schema scenarios
prints the JSON Schema of these files.`,
			exits: "0 every scenario passed and every guard runs, 1 otherwise, or nothing was run",
			examples: []example{
				{"hookbridge test --init", "write scenarios from what the hooks answer today"},
				{"hookbridge test", "every scenario under every agent of the project"},
				{"hookbridge test --host cursor --run 'rm -rf'", "some scenarios under one agent"},
				{"hookbridge test --format github --junit hooks.xml", "in CI"},
			},
			tool: func() tool { return new(testFlags) },
		},
		{
			name: "log", summary: "show a run log as a timeline", args: "FILE",
			about: `Shows what hookbridge run --log FILE recorded: for each event its time, duration and answer,
then one line for each hook and each finding. With --format otlp each event is a line of OTLP JSON,
which an OpenTelemetry collector reads; OTEL_RESOURCE_ATTRIBUTES names the machine.`,
			exits: "0 shown, 1 the file or a line of it cannot be read",
			examples: []example{
				{"hookbridge log run.log", "the whole file"},
				{"hookbridge log -f run.log", "the whole file, then new events as they come"},
				{"hookbridge log -n 1 --json run.log", "the last event, for scripts"},
				{"hookbridge log -f --format otlp run.log >> run.otlp.jsonl", "for a collector's file receiver"},
			},
			tool: func() tool { return new(logFlags) },
		},
		{
			name: "check", summary: "find mistakes in hook files of any agent", args: "[FILE|DIR|-]...",
			about: `Reads hook files as their agent does and reports what that agent rejects, ignores or reads
differently. Also reports common mistakes: events, fields and tools of another agent, matchers
that can't match, timeouts in milliseconds, missing scripts.

FILE is a settings file, hooks.json, plugin.json or a Markdown file with hooks in its front
matter. DIR is a project or a plugin (default: the current folder). - is stdin. Each finding is
one line: FILE:LINE:COLUMN: SEVERITY CODE: MESSAGE (FIX). An agent of the project that doesn't
call hookbridge for its hooks is a note.`,
			exits: "0 no findings, or notes only, 1 something is lost, weaker or wrong",
			examples: []example{
				{"hookbridge check", "every hook file of this project"},
				{"hookbridge check .cursor/hooks.json --strict", "one file; notes also exit with 1"},
				{"hookbridge check --format sarif > hooks.sarif", "for code scanning"},
				{"hookbridge check --dialect qoder - < settings.json", "stdin has no file name, so name the agent"},
			},
			looks: true, tool: func() tool { return new(checkFlags) },
		},
		{
			name: "convert", summary: "convert a hook configuration for another agent", args: "[FILE|DIR|-]",
			about: `Converts a hook configuration of one agent into a file of another. FILE is a settings file,
hooks.json, plugin.json or a Markdown file with hooks in its front matter. DIR is a project or a
plugin (default: the current folder). - is stdin. Writes the result to stdout and reports what
can't be translated on stderr.`,
			exits: "0 nothing lost, 3 written, but something is lost or weaker, 1 nothing written",
			examples: []example{
				{"hookbridge convert --from claude --to cursor", "the hooks of this project, to stdout"},
				{"hookbridge convert --from cursor --to claude .cursor/hooks.json --merge .claude/settings.json",
					"into an existing file"},
				{"hookbridge convert --from claude --to qoder --strict -o settings.json",
					"write nothing unless everything can be translated"},
				{"hookbridge convert --from claude --to cursor --permissions --merge .cursor/hooks.json",
					"and a guard for each rule under permissions.deny that is about one tool"},
			},
			tool: func() tool { return new(convertFlags) },
		},
		{
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
		},
		{
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
			tool: func() tool { return new(translateFlags) },
		},
		{
			name: "matrix", summary: "show what each agent supports of another agent's hooks",
			about: `Shows, for each event, what works when hooks written for one agent (--from) run under another
(--to). Without either flag, shows every pair at a glance. --format json has the details of
every pair and where each fact comes from. NO_COLOR switches colors off.`,
			exits: "0 printed",
			examples: []example{
				{"hookbridge matrix", "every pair at a glance"},
				{"hookbridge matrix --from claude --to cursor", "hooks for Claude Code under Cursor"},
			},
			looks: true, tool: func() tool { return new(matrixFlags) },
		},
		{
			name: "conformance", summary: "run the conformance vectors against this or another translator",
			about: `Runs the conformance vectors against hookbridge itself or, with --impl, against any other
program. Each vector states the result of one translation. --vectors DIR runs vectors of
your own. To test the hooks of a project, use hookbridge test.`,
			exits: "0 every vector passed or was skipped for a reason, 1 one failed, a vector file is wrong or " +
				"nothing was run",
			examples: []example{
				{"hookbridge conformance", "all vectors, with counts by operation, pair and confirmation"},
				{"hookbridge conformance --run 'reply/claude-to-cursor/*' --json", "the replies of one pair, as JSON"},
				{"hookbridge conformance --impl 'python3 mine.py' --run 'call/*'",
					"another implementation, and only its calls"},
				{"hookbridge conformance --vectors hook-tests --junit report.xml", "your own vectors, for CI"},
			},
			tool: func() tool { return new(conformanceFlags) },
		},
		{
			name: "explain", summary: "explain a code, and what to do", args: "[HBnnn]",
			about: `Explains what a diagnostic code means and what to do about it. For events see hookbridge matrix.`,
			exits: "0 printed, 1 there is no such code",
			examples: []example{
				{"hookbridge explain HB204", "a code"},
				{"hookbridge explain --list", "all codes"},
			},
			looks: true, tool: func() tool { return new(explainFlags) },
		},
		{
			name: "schema", summary: "print a JSON Schema, or list them", args: "[NAME|NAME@VERSION]",
			about: `Prints the JSON Schema (draft 2020-12) of an agent's configuration, payloads or answers, of
hookbridge.yaml, of scenarios, or of one of hookbridge's own reports. Without NAME, lists the names. A version
or a program of the agent may follow after @; the schema then leaves out what that version or program lacks.`,
			exits: "0 printed, 1 there is no such schema or version",
			examples: []example{
				{"hookbridge schema", "the names"},
				{"hookbridge schema cursor-config > hooks.schema.json", "lets an editor check .cursor/hooks.json"},
				{"hookbridge schema scenarios > scenarios.schema.json",
					"lets an editor check the scenarios of hookbridge test"},
				{"hookbridge schema claude-answer@2.0.45", "what a hook could answer to that version"},
				{"hookbridge schema qoder-payload@ide", "one of the agent's programs"},
			},
			tool: func() tool { return plain(schemaCommand) },
		},
		{
			name: "help", summary: "show how to use a command", args: "[COMMAND]",
			about: `Lists the commands, or shows how to use one of them.`,
			exits: "0 printed",
			examples: []example{
				{"hookbridge help run", "the same as hookbridge run --help"},
			},
		},
		{
			name: "completion", summary: "print a completion script for a shell", args: "bash|zsh|fish|powershell",
			about: `Prints a script that completes commands, flags, agents, events and codes.`,
			exits: "0 printed",
			examples: []example{
				{`eval "$(hookbridge completion bash)"`, "in ~/.bashrc"},
				{"hookbridge completion zsh > ~/.zfunc/_hookbridge", "in a folder of $fpath"},
				{"hookbridge completion powershell | Out-String | Invoke-Expression", "in $PROFILE"},
				{"hookbridge completion fish > ~/.config/fish/completions/hookbridge.fish", "for fish"},
			},
			tool: func() tool { return plain(completionCommand) },
		},
		{
			name: "man", summary: "print the manual page",
			about: `Prints the manual page.`,
			exits: "0 printed",
			examples: []example{
				{"hookbridge man > /usr/local/share/man/man1/hookbridge.1", "then run man hookbridge"},
				{"hookbridge man | man -l -", "read it without installing it"},
			},
			tool: func() tool { return plain(manCommand) },
		},
		{
			name: "version", summary: "print the version",
			about: `Prints the version.`,
			exits: "0 printed",
			examples: []example{
				{"hookbridge version", "prints the version"},
				{"hookbridge version --clients", "and the versions of the agents that it was checked with"},
			},
			tool: func() tool { return new(versionFlags) },
		},
	}
}

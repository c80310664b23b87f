package main

// toolCommands translate, explain and look.
func toolCommands() []command {
	return []command{
		{
			name: "fire", summary: "send a synthetic or recorded event through the bridge, told step by step", args: "[-c COMMAND | -- PROGRAM ARG...]",
			about: `Makes the payload that the host would send (or takes a recorded one) and runs the hooks of
another agent as run does. It tells the payload, what each hook sees, which hooks run and
why the others do not, how each ended and how its answer was read, what they say together,
what the host gets, and what was lost. Session files are kept apart.`,
			exits: "0 the act goes on (no opinion, or allow), 3 it is refused (deny, or the agent is sent back or stopped), 4 the user is asked, 1 the bridge failed; with --expect 0 the answer is that, 1 it is another",
			examples: []example{
				{`hookbridge fire --host cursor --event preToolUse --input '{"command":"rm -rf /"}'`, "a shell command under Cursor, with this project's hooks for Claude Code"},
				{`hookbridge fire --host cursor --event pre-tool --tool write --input '{"file_path":".env","content":""}' --expect deny`, "an assertion for scripts: the guard holds"},
				{"hookbridge fire --host claude --hooks cursor --event UserPromptSubmit -c ./policy.sh", "one hook for Cursor under Claude Code"},
				{"hookbridge fire --payload payload.json --json", "a recorded payload; its host is seen from it"},
			},
			define: func(fs *flags) { new(fireFlags).define(fs) }, run: fireCommand,
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
quotes. Or it is a mapping with event, tool, server, input and output, in the words of any
agent. expect is deny, allow, ask, none, keep-going or end-turn. reason and context are a
part of the text, or a regular expression between slashes. agents is a list that limits the
scenario, or a mapping from an agent to what is expected there.

Without FILE or DIR the scenarios are in hook-tests, or in the folder that tests names in
hookbridge.yaml. Hooks run for real; the calls they are shown are not carried out.`,
			exits: "0 every scenario passed, 1 one failed, or nothing was run",
			examples: []example{
				{"hookbridge test --init", "write scenarios: what the hooks answer today"},
				{"hookbridge test", "every scenario under every agent of the project"},
				{"hookbridge test --host cursor --run 'rm -rf'", "some scenarios under one agent"},
				{"hookbridge test --format github --junit hooks.xml", "in CI"},
			},
			define: func(fs *flags) { new(testFlags).define(fs) }, run: testCommand,
		},
		{
			name: "log", summary: "show a run log as a timeline", args: "FILE",
			about: `Shows what hookbridge run --log FILE has recorded: a line for every event with its time,
how long it took and the answer, a line for every hook, a line for every finding.`,
			exits: "0 shown, 1 the file or a line of it cannot be read",
			examples: []example{
				{"hookbridge log run.log", "the whole file"},
				{"hookbridge log -f run.log", "and what is appended from now on"},
				{"hookbridge log -n 1 --json run.log", "the last event, for scripts"},
			},
			define: func(fs *flags) { new(logFlags).define(fs) }, run: logCommand,
		},
		{
			name: "replay", summary: "run recorded events again and say what changed", args: "FILE",
			about: `Runs the events of a run log again, in their order, with the hooks as they are now, and says
what changed: the decision, its effects, the answer, the hooks that ran and how they ended,
the findings. The hooks do all that they do. What was hidden in the log as a secret is
hidden from the hooks too.`,
			exits: "0 everything is the same, 1 something changed or could not be run",
			examples: []example{
				{"hookbridge replay --yes run.log", "after a change of a hook: what would be answered now"},
				{"hookbridge replay --yes --event preToolUse --json run.log", "one kind of event, for scripts"},
				{"hookbridge replay --yes --project ../new run.log", "with the hooks of another project"},
			},
			define: func(fs *flags) { new(replayFlags).define(fs) }, run: replayCommand,
		},
		{
			name: "check", summary: "look for mistakes in any agent's hook file", args: "[FILE|DIR|-]...",
			about: `Reads hook files as their agent does and tells what it refuses, ignores or understands
otherwise, and common mistakes: events, members and tools of another agent, matchers of the
wrong grammar or compared with something else, times in milliseconds, missing scripts. FILE
is a settings file, hooks.json, plugin.json or a Markdown file with hooks in its front
matter; DIR a project with all of these, or a plugin (default: here); - is stdin. A line a
finding, as editors read it:
FILE:LINE:COLUMN: SEVERITY CODE MESSAGE.`,
			exits: "0 nothing found but notes, 1 something is lost, weaker or wrong",
			examples: []example{
				{"hookbridge check", "every hook file of this project"},
				{"hookbridge check .cursor/hooks.json --strict", "one file; notes fail too"},
				{"hookbridge check --format sarif > hooks.sarif", "for code scanning"},
				{"hookbridge check --dialect qoder - < settings.json", "a text whose path tells nothing"},
			},
			define: func(fs *flags) { new(checkFlags).define(fs) }, run: checkCommand,
		},
		{
			name: "convert", summary: "turn a configuration of one agent's hooks into another's", args: "[FILE|DIR|-]",
			about: `Turns a configuration of one agent's hooks into another's. FILE is a settings file,
hooks.json, plugin.json or a Markdown file with hooks in its front matter; DIR a project or a
plugin (default: here); - is stdin. The result goes to stdout, what could not be carried to
stderr.`,
			exits: "0 nothing lost, 3 written and something is lost or weaker, 1 nothing written",
			examples: []example{
				{"hookbridge convert --from claude --to cursor", "the hooks of this project, to stdout"},
				{"hookbridge convert --from cursor --to claude .cursor/hooks.json --merge .claude/settings.json", "into an existing file"},
				{"hookbridge convert --from claude --to qoder --strict -o settings.json", "write nothing unless all of it carries"},
			},
			define: func(fs *flags) { new(convertFlags).define(fs) }, run: convertCommand,
		},
		{
			name: "translate", summary: "rewrite one payload, answer or file for another agent", args: "call|reply|config",
			about: `A filter: one JSON document on stdin, its translation on stdout, findings on stderr.

call   the payload that an agent gives a hook
reply  what a hook of --from printed (with exit status 0) for its event, rewritten as the
       answer that --to expects
config a configuration, as hookbridge convert has it with - as its file`,
			exits: "0 translated, nothing lost or notes only, 3 translated and something is lost or weaker, 1 no result",
			examples: []example{
				{"hookbridge translate call --from cursor --to claude < payload.json", "the payload as a hook for Claude Code would see it"},
				{"echo '{\"decision\":\"block\",\"reason\":\"no\"}' | hookbridge translate reply --from claude --to cursor --event PreToolUse", "the answer as Cursor would get it"},
				{"hookbridge translate config --from claude --to cursor < settings.json", "a configuration, as convert writes it"},
			},
			define: func(fs *flags) { new(translateFlags).define(fs) }, run: translateCommand,
		},
		{
			name: "matrix", summary: "tell what carries from one agent to another",
			about: `Tells what carries when hooks written for one agent (--from) run under another
(--to), event by event, from the program's own tables. With neither, every pair
at a glance; json and html hold the details and the evidence of every pair.
On a terminal the table is coloured, unless NO_COLOR is set.`,
			exits: "0 told",
			examples: []example{
				{"hookbridge matrix", "every pair at a glance"},
				{"hookbridge matrix --from claude --to cursor", "hooks for Claude Code under Cursor"},
				{"hookbridge matrix --format html > matrix.html", "one page, works without network"},
			},
			define: func(fs *flags) { new(matrixFlags).define(fs) }, run: matrixCommand,
		},
		{
			name: "conformance", summary: "hold this or another translator against the vectors",
			about: `Holds a translator against the conformance vectors, each of which says what one
translation must give: hookbridge itself, or with --impl any other program. With --vectors
a project's own scenarios: this command must be denied under all three agents.`,
			exits: "0 every vector passed or was skipped for a reason, 1 one did not, a file of vectors is wrong or nothing was run",
			examples: []example{
				{"hookbridge conformance", "all vectors, with the counts by op, pair and confirmation"},
				{"hookbridge conformance --run 'reply/claude-to-cursor/*' --json", "one pair's answers, as JSON"},
				{"hookbridge conformance --impl 'python3 mine.py' --run 'call/*'", "another implementation, as far as it claims"},
				{"hookbridge conformance --vectors hook-tests --junit report.xml", "scenarios of one's own, for CI"},
			},
			define: func(fs *flags) { new(conformanceFlags).define(fs) }, run: conformanceCommand,
		},
		{
			name: "explain", summary: "tell what a code or an event means, and what to do", args: "[HBnnn|EVENT]",
			about: `Tells what a diagnostic code means, or what an event is in every dialect.`,
			exits: "0 told, 1 there is no such code or event",
			examples: []example{
				{"hookbridge explain HB204", "a code"},
				{"hookbridge explain PreToolUse", "an event by any agent's name for it"},
				{"hookbridge explain pre-tool", "an event by its canonical name"},
				{"hookbridge explain --list", "what there is to explain"},
			},
			define: func(fs *flags) { new(explainFlags).define(fs) }, run: explainCommand,
		},
		{
			name: "schema", summary: "print a JSON Schema, or list them", args: "[NAME|NAME@VERSION]",
			about: `Prints the JSON Schema (draft 2020-12) of an agent's configuration, payloads or answers, or of
one of hookbridge's own reports; without NAME lists the names. After @ stands a version of
the agent, or the name of one of its programs: what that has not yet is left out.`,
			exits: "0 printed, 1 there is no such schema or version",
			examples: []example{
				{"hookbridge schema", "the names"},
				{"hookbridge schema cursor-config > hooks.schema.json", "for an editor to check .cursor/hooks.json with"},
				{"hookbridge schema claude-answer@2.0.45", "what a hook could answer that version"},
				{"hookbridge schema qoder-payload@ide", "one program of several"},
			},
			run: schemaCommand,
		},
		{
			name: "help", summary: "tell how a command is used", args: "[COMMAND]",
			about: `Lists the commands, or tells how one is used.`,
			exits: "0 told",
			examples: []example{
				{"hookbridge help run", "the same as hookbridge run --help"},
			},
			run: helpCommand,
		},
		{
			name: "completion", summary: "write completion for a shell", args: "bash|zsh|fish",
			about: `Writes the completion of commands, flags, dialects, events and codes for a shell to stdout.`,
			exits: "0 written",
			examples: []example{
				{`eval "$(hookbridge completion bash)"`, "in ~/.bashrc"},
				{"hookbridge completion zsh > ~/.zfunc/_hookbridge", "into a folder of $fpath"},
				{"hookbridge completion fish > ~/.config/fish/completions/hookbridge.fish", "for fish"},
			},
			run: completionCommand,
		},
		{
			name: "man", summary: "write the manual page",
			about: `Writes the manual page to stdout.`,
			exits: "0 written",
			examples: []example{
				{"hookbridge man > /usr/local/share/man/man1/hookbridge.1", "then: man hookbridge"},
				{"hookbridge man | man -l -", "read it at once"},
			},
			run: manCommand,
		},
		{
			name: "version", summary: "print the version",
			about: `Prints the version.`,
			exits: "0 told",
			examples: []example{
				{"hookbridge version", "prints the version"},
			},
			run: versionCommand,
		},
	}
}

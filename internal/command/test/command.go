// Package test is the command test.
package test

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command test.
func Command() cli.Command {
	return cli.Command{
		Name: "test", Summary: "test the project's hooks under every agent", Args: "[FILE|DIR]...",
		About: `Runs scenarios under every agent of the project, through the same path as hookbridge run. A
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
		Exits: "0 every scenario passed and every guard runs, 1 otherwise, or nothing was run",
		Examples: []cli.Example{
			{Line: "hookbridge test --init", Says: "write scenarios from what the hooks answer today"},
			{Line: "hookbridge test", Says: "every scenario under every agent of the project"},
			{Line: "hookbridge test --host cursor --run 'rm -rf'", Says: "some scenarios under one agent"},
			{Line: "hookbridge test --format github --junit hooks.xml", Says: "in CI"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

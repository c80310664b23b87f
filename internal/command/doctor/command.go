// Package doctor is the command doctor.
package doctor

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command doctor.
func Command() cli.Command {
	return cli.Command{
		Name: "doctor", Summary: "show for each hook whether it works under the project's agents",
		About: `Examines every hook that a known agent would load in this project, including those of skills
and sub-agents, and shows for each host whether the hook is

  reached  it works: it runs, with its effects
  pending  it works once you have done the step below the table; hookbridge can't check it
  weaker   it runs, but part of it has no effect
  twice    it runs more than once for one call
  never    it doesn't run

The first line counts them. Then follow a table with a row for each hook and a column for each
agent, what to fix, each finding once with its code, then what is good to know, and the steps
that are left to you. --verbose prints a line for each hook under each agent instead. Accept
findings that you have reviewed in hookbridge.yaml or with --accept; a line that no longer
matches a finding is reported.

  accept:
    - finding: never cursor ./deploy-guard.sh
      reason: runs in Claude Code only`,
		Exits: "0 every guard runs, and no hook twice; accepted findings don't count; 1 otherwise, or there are " +
			"no hooks",
		Examples: []cli.Example{
			{Line: "hookbridge doctor", Says: "every hook under every agent of the project"},
			{Line: "hookbridge doctor --host cursor,codex --hooks claude",
				Says: "the hooks for Claude Code under two hosts"},
			{Line: "hookbridge doctor --format github --accept .hookbridge-accepted",
				Says: "in CI: annotations; findings that were reviewed don't fail"},
		},
		Looks: true, Tool: func() cli.Tool { return new(flags) },
	}
}

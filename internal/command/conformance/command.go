// Package conformance is the command conformance.
package conformance

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command conformance.
func Command() cli.Command {
	return cli.Command{
		Name: "conformance", Summary: "run the conformance vectors against this or another translator",
		About: `Runs the conformance vectors against hookbridge itself or, with --impl, against any other
program. Each vector states the result of one translation. --vectors DIR runs vectors of
your own. To test the hooks of a project, use hookbridge test.`,
		Exits: "0 every vector passed or was skipped for a reason, 1 one failed, a vector file is wrong or " +
			"nothing was run",
		Examples: []cli.Example{
			{Line: "hookbridge conformance", Says: "all vectors, with counts by operation, pair and confirmation"},
			{Line: "hookbridge conformance --run 'reply/claude-to-cursor/*' --json",
				Says: "the replies of one pair, as JSON"},
			{Line: "hookbridge conformance --impl 'python3 mine.py' --run 'call/*'",
				Says: "another implementation, and only its calls"},
			{Line: "hookbridge conformance --vectors hook-tests --junit report.xml", Says: "your own vectors, for CI"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

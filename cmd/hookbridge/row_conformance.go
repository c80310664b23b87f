package main

// rowConformance is the command conformance.
func rowConformance() command {
	return command{
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
	}
}

// Package log is the command log.
package log

import "github.com/hookbridge/hookbridge/internal/command/cli"

// Command is the command log.
func Command() cli.Command {
	return cli.Command{
		Name: "log", Summary: "show a run log as a timeline", Args: "[FILE]",
		About: `Shows what hookbridge run --log FILE recorded, or without FILE what run --log did: for each
event its time, duration and answer, then one line for each hook and each finding. With
--format otlp each event is a line of OTLP JSON, which an OpenTelemetry collector reads;
OTEL_RESOURCE_ATTRIBUTES names the machine.`,
		Exits: "0 shown, 1 the file or a line of it cannot be read",
		Examples: []cli.Example{
			{Line: "hookbridge log", Says: "the log that --log without a file writes"},
			{Line: "hookbridge log run.log", Says: "the whole file"},
			{Line: "hookbridge log -f run.log", Says: "the whole file, then new events as they come"},
			{Line: "hookbridge log -n 1 --json run.log", Says: "the last event, for scripts"},
			{Line: "hookbridge log -f --format otlp run.log >> run.otlp.jsonl",
				Says: "for a collector's file receiver"},
		},
		Tool: func() cli.Tool { return new(flags) },
	}
}

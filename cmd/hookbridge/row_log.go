package main

// rowLog is the command log.
func rowLog() command {
	return command{
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
	}
}

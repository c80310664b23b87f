package main

import (
	"fmt"
	"runtime/debug"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// version is set by the linker for releases.
var version = "dev"

func versionCommand(args []string, std stdio) int {
	v := version
	if info, ok := debug.ReadBuildInfo(); ok && v == "dev" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		v = info.Main.Version
	}
	fmt.Fprintln(std.out, "hookbridge", v)
	return exitOK
}

// explainCommand tells what a code means, or an event in every dialect.
func explainCommand(args []string, std stdio) int {
	if len(args) != 1 {
		fmt.Fprintln(std.err, "usage: hookbridge explain HBnnn | EVENT")
		return exitUsage
	}
	if info, ok := schema.Code(args[0]).Info(); ok {
		fmt.Fprintf(std.out, "%s (%s): %s\n%s\n", info.Code, info.Severity, info.Title, info.Text)
		return exitOK
	}
	event := schema.ParseEvent(args[0])
	for _, d := range adapter.Dialects() {
		for _, row := range d.EventRows() {
			if row.Native == args[0] {
				event = row.Event
			}
		}
	}
	if event == 0 {
		fmt.Fprintf(std.err, "hookbridge explain: no code and no event %q\n", args[0])
		return exitFail
	}
	fmt.Fprintln(std.out, event)
	for _, d := range adapter.Dialects() {
		found := false
		for _, row := range d.EventRows() {
			if row.Event == event {
				found = true
				fmt.Fprintf(std.out, "  %-8s %-22s honours: %s (%s)\n", d.Name(), row.Native, row.Honours, row.Source)
			}
		}
		if !found {
			fmt.Fprintf(std.out, "  %-8s -\n", d.Name())
		}
	}
	return exitOK
}

package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
)

type versionFlags struct{ json, clients bool }

func (f *versionFlags) define(fs *flags) {
	fs.yes(&f.json, "json", "the version as a JSON object")
	fs.yes(&f.clients, "clients", "the versions of the agents that the tables were checked with too")
}

func (f *versionFlags) run(_ *flags, _ []string, std stdio) (int, error) {
	checked := map[string]string{}
	for _, d := range adapter.Dialects() {
		if p := d.Profile(); f.clients && len(p.Known) > 0 {
			checked[p.Name] = p.Known[0]
		}
	}
	if f.json && f.clients {
		printJSON(std.out, map[string]any{"version": versionText(), "clients": checked})
		return exitOK, nil
	}
	if f.json {
		printJSON(std.out, map[string]string{"version": versionText()})
		return exitOK, nil
	}
	fmt.Fprintln(std.out, "hookbridge", versionText())
	for _, name := range slices.Sorted(maps.Keys(checked)) {
		fmt.Fprintf(std.out, "%-10s %s\n", name, checked[name])
	}
	return exitOK, nil
}

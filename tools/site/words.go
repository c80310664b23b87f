package main

import (
	_ "embed"
	"strings"
)

// anyHook is the question whether a hook runs at an event at all.
const anyHook = "run"

var (
	// effectLines complete "can a hook ..": what people call the effects of an answer.
	//
	//go:embed effects.txt
	effectLines string
	// eventLines say when an event happens.
	//
	//go:embed events.txt
	eventLines string
)

// words are what the lines of a text say of names.
func words(text string) map[string]string {
	says := map[string]string{}
	for line := range strings.Lines(text) {
		name, what, _ := strings.Cut(strings.TrimSpace(line), ": ")
		says[name] = what
	}
	return says
}

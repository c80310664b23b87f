package main

import (
	_ "embed"
	"strings"
)

// anyHook is the question whether a hook runs at an event at all.
const anyHook = "run"

var (
	// effectLines complete "can a hook ..": they describe the effects of an answer in everyday words.
	//
	//go:embed effects.txt
	effectLines string
	// eventLines describe when an event happens.
	//
	//go:embed events.txt
	eventLines string
)

// words returns the texts in lines of the form "name: text" by name.
func words(text string) map[string]string {
	says := map[string]string{}
	for line := range strings.Lines(text) {
		name, what, _ := strings.Cut(strings.TrimSpace(line), ": ")
		says[name] = what
	}
	return says
}

package cli

import (
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// Values lists the words that may replace a placeholder. files is set if a file or folder may. COMMAND stands for the
// commands.
func Values(arg string, commands ...string) (words []string, files bool) {
	for _, part := range strings.Split(strings.Trim(arg, "[]."), "|") {
		switch part {
		case "AGENT":
			words = append(words, adapter.Names()...)
		case "EVENT":
			words = append(words, eventNames()...)
		case "HBnnn":
			code := func(c schema.CodeInfo) string { return string(c.Code) }
			words = append(words, lists.Map(schema.Codes(), code)...)
		case "COMMAND":
			if arg == "[COMMAND]" {
				words = append(words, commands...)
			}
		case "SHELL":
			words = append(words, "bash", "powershell") // the shells that hook files may name
		case "NAME":
			words = append(words, schema.Documents()...)
		case "TOOL":
			for k := range schema.NumKinds {
				words = append(words, k.String())
			}
		case "FILE", "DIR", "-":
			files = true
		default:
			if part != "" && strings.ToLower(part) == part {
				words = append(words, part)
			}
		}
	}

	return words, files
}

// eventNames lists every event by its canonical name, then by the agents' names.
func eventNames() (names []string) {
	for e := schema.Event(1); e < schema.NumEvents; e++ {
		names = append(names, e.String())
	}
	for _, row := range adapter.EventRows() {
		names = lists.With(names, row.Native)
	}
	return names
}

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

func schemaCommand(rest []string, std stdio) (int, error) {
	switch len(rest) {
	case 0:
		for _, name := range schema.Documents() {
			fmt.Fprintln(std.out, name)
		}
		return exitOK, nil
	case 1:
	default:
		return 0, errUsage{"takes one name"}
	}
	name, version, dated := strings.Cut(strings.TrimSuffix(rest[0], ".json"), "@")
	text, err := schema.Document(name, version)
	if dated && version == "" {
		err = fmt.Errorf("no version after @ in %q", rest[0])
	}
	if err != nil {
		question := ""
		if !slices.Contains(schema.Documents(), name) {
			question = suggest.Question(name, schema.Documents())
		}
		fmt.Fprintf(std.err, "hookbridge schema: %v%s\nsee hookbridge schema\n", err, question)
		return exitFail, nil
	}
	std.out.Write(text)
	return exitOK, nil
}

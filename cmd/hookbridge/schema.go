package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// schemaCommand prints an embedded JSON Schema, or the names of all.
func schemaCommand(args []string, std stdio) int {
	rest, err := newFlags("schema").parse(args)
	if err == nil && len(rest) > 1 {
		err = errUsage{"takes one name"}
	}
	if err != nil {
		return failed(std, "schema", err)
	}
	if len(rest) == 0 {
		for _, name := range schema.Documents() {
			fmt.Fprintln(std.out, name)
		}
		return exitOK
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
		return exitFail
	}
	std.out.Write(text)
	return exitOK
}

// Package schemas is the command schema.
package schemas

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed schema.txt
var help string

// Command is the command schema.
func Command() cli.Command {
	return cli.DocumentedBy(help, func() cli.Tool { return cli.Plain(schemaCommand) })
}

func schemaCommand(rest []string, std cli.IO) (int, error) {
	switch len(rest) {
	case 0:
		for _, name := range schema.Documents() {
			fmt.Fprintln(std.Out, name)
		}
		return cli.OK, nil
	case 1:
	default:
		return 0, cli.Usage("takes one name")
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
		fmt.Fprintf(std.Err, "hookbridge schema: %v%s\nsee hookbridge schema\n", err, question)
		return cli.Failed, nil
	}
	std.Out.Write(text)
	return cli.OK, nil
}

package common

import (
	"errors"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// NoHooks returns the error for a project without hooks. The worst mistake in its files comes first.
func NoHooks(p schema.Places, msg string) error {
	found := inspect.Mistakes(p, schema.Note)
	off := lists.Find(found, func(d *schema.Diagnostic) bool { return d.Code == schema.CodeDisabled })
	if worst := found.Worst(); worst != nil && worst.Severity >= schema.Loss {
		return errors.New("found no hooks that run: " + worst.String())
	} else if off != nil {
		return errors.New("found no hooks that run: " + off.String())
	}
	return errors.New(msg + survey.Hint(p))
}

// DialectsNamed finds the agents of a flag that accepts several, separated by commas or in repeated flags.
func DialectsNamed(flag string, given cli.ListFlag) (list []adapter.Dialect, err error) {
	for _, part := range given {
		for _, name := range strings.Split(part, ",") {
			d, err := cli.FindDialect(flag, strings.TrimSpace(name))
			if err != nil {
				return nil, err
			}
			list = adapter.With(list, d)
		}
	}
	return list, nil
}

// TitleOf returns the title of an agent, or the name if no agent has it.
func TitleOf(name string) string {
	d, err := adapter.Find(name)
	if err != nil {
		return name
	}
	return d.Profile().Title
}

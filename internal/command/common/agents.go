package common

import (
	"errors"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/schema"
)

// NoHooks is the error where a project has no hooks, as far as its files can be read.
func NoHooks(p schema.Places, msg string) error {
	if worst := inspect.Mistakes(p, schema.Loss).Worst(); worst != nil {
		return errors.New("found no hooks that run: " + worst.String())
	}
	return errors.New(msg + survey.Hint(p))
}

// DialectsNamed finds the agents of a flag that takes several, separated by commas or
// given again.
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

// TitleOf is the title of a named agent, or the name where no agent has it.
func TitleOf(name string) string {
	d, err := adapter.Find(name)
	if err != nil {
		return name
	}
	return d.Profile().Title
}

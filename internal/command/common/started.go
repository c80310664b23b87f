package common

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
)

// Started are the flags about how the simulated agents were started.
type Started struct {
	mode     string
	headless bool
	Assume   bool // as if hookbridge were installed
}

func (s *Started) Define(fs *cli.Flags) {
	fs.Set.BoolVar(&s.Assume, "assume-installed", false, "")
	fs.Doc("assume-installed", "", "as if hookbridge install had added the hooks of every other agent, with its "+
		"defaults")
	fs.Set.StringVar(&s.mode, "mode", "", "")
	fs.Doc("mode", "MODE", "the agent's permission mode, where no rule of its user's allows the call\n(default: they "+
		"allow it)")
	fs.Set.BoolVar(&s.headless, "headless", false, "")
	fs.Doc("headless", "", "start the agent without its terminal, as in CI: "+headlessWays())
}

// Set sets how a host was started. Naming an unknown mode of the agent is a mistake of usage.
func (s *Started) Set(host *simulate.Host) error {
	p := host.Dialect.Profile()
	if ways := p.StartedBy(); s.headless && len(ways) > 0 {
		host.Way = &ways[0]
	}
	host.Mode = s.mode
	modes := lists.Map(p.PermissionModes(), func(m dialect.Mode) string { return m.Name })
	switch {
	case s.mode == "" || slices.Contains(modes, s.mode):
		return nil
	case len(modes) == 0:
		return cli.Usage("--mode: nothing is known of the permission modes of " + p.Title)
	}
	return cli.Usage(fmt.Sprintf("--mode: %s has no mode %q; it is one of %s", p.Title, s.mode, cli.Either(modes)))
}

// headlessWays lists how agents are started without a terminal.
func headlessWays() string {
	var commands []string
	for _, d := range adapter.Dialects() {
		if ways := d.Profile().StartedBy(); len(ways) > 0 {
			commands = append(commands, ways[0].Command)
		}
	}
	return strings.Join(commands, ", ")
}

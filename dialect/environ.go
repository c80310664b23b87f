package dialect

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// Moves is what an environment variable changes for hookbridge.
type Moves uint8

const (
	// MovesHooks: where hook files are. hookbridge reads those of the usual place as well.
	MovesHooks Moves = iota + 1
	// MovesRecord: where the agent, or hookbridge, records what the user has approved or what a session has done.
	MovesRecord
	// MovesLimit: how often or how deep something may happen.
	MovesLimit
	// MovesServers: where the names of MCP servers are.
	MovesServers
	// Describes: the call itself, beside what the payload says of it.
	Describes
	// Starts: which program starts hooks, or is started.
	Starts
	// Shows: what is printed or logged.
	Shows
)

// An EnvRow is one environment variable that hookbridge reads. Whoever sets an agent's environment sets it: a
// project's .env file too, where the agent that calls hookbridge reads that.
type EnvRow struct {
	Name  string
	Moves Moves
}

// Usual are the places without the variables that move an agent's hook files. moved reports whether one of them is
// set, so that these places are others.
func (p *Profile) Usual(at schema.Places) (_ schema.Places, moved bool) {
	for _, r := range p.Reads {
		if r.Moves == MovesHooks && at.Env.Get(r.Name) != "" {
			return p.unmoved(at), true
		}
	}
	return at, false
}

func (p *Profile) unmoved(at schema.Places) schema.Places {
	at.Env = at.Env.With(func(name string) bool {
		return slices.ContainsFunc(p.Reads, func(r EnvRow) bool { return r.Moves == MovesHooks && r.Name == name })
	})
	return at
}

// ShellVariable names the user's shell.
const ShellVariable = "SHELL"

// shells are the programs that run a command behind -c as a POSIX shell does.
var shells = []string{"bash", "zsh", "sh", "dash", "ksh", "mksh", "ash", "fish"}

// UserShell is the user's shell, by which an agent starts hooks. A program that isn't a shell, or that lies in the
// project, would answer in a guard's place: /bin/sh starts them then.
func UserShell(p schema.Places) string {
	shell := p.Env.Get(ShellVariable)
	if !filepath.IsAbs(shell) || !slices.Contains(shells, filepath.Base(shell)) {
		return "/bin/sh"
	}
	if _, err := os.Stat(shell); err != nil || p.Project != "" && Inside(p.Project, shell) {
		return "/bin/sh"
	}
	return shell
}

package dialect

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// Moves is the effect of an environment variable on hookbridge.
type Moves uint8

const (
	// MovesHooks: where hook files are. hookbridge also reads the files in the usual place.
	MovesHooks Moves = iota + 1
	// MovesRecord: where the agent or hookbridge records the user's approvals or the history of a session.
	MovesRecord
	// MovesLimit: how often or how deep something may happen.
	MovesLimit
	// MovesServers: where the names of MCP servers are.
	MovesServers
	// Describes: the call itself, in addition to its payload.
	Describes
	// Starts: which program starts hooks, or is started.
	Starts
	// Shows: what is printed or logged.
	Shows
)

// An EnvRow is one environment variable that hookbridge reads. It is set by anyone who controls an agent's environment,
// including a project's .env file if the agent that calls hookbridge reads one.
type EnvRow struct {
	Name  string
	Moves Moves
}

// Usual returns the places without the variables that move an agent's hook files. moved reports whether one of these
// variables is set, and the places therefore differ.
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

// shells are the programs whose -c runs a command as a POSIX shell does.
var shells = []string{"bash", "zsh", "sh", "dash", "ksh", "mksh", "ash", "fish"}

// UserShell returns the user's shell, with which an agent starts hooks. A program that isn't a shell, or that is in the
// project, could answer instead of a guard, so /bin/sh replaces it.
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

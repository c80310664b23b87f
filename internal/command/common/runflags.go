// Package common is what several commands share: the flags of run and install, the survey of a project, findings,
// what hookbridge.yaml says, and the records of calls.
package common

import (
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/schema"
)

// RunFlags are the flags of run, and of commands that have some of them.
type RunFlags struct {
	cmdline.Call
	Rooted bool   // the project is looked for where none is named
	Here   string // the folder below the project in which that began, "" if it is the project
	Called bool   // by a host, which has set the environment
}

func (f *RunFlags) Define(fs *cli.Flags) {
	fs.Rows(&f.Call)
}

// DefinePlaces declares the folders of commands that have no payload to read them from.
func (f *RunFlags) DefinePlaces(fs *cli.Flags) {
	f.Rooted = true
	fs.Row(&f.Call, "project", "root of the project (default: the nearest folder from here upward with a hook file "+
		"of any\nagent, else the root of the Git repository)")
	fs.Row(&f.Call, "home", "")
}

// Finish checks the flags together, and that no argument is left.
func (f *RunFlags) Finish(rest []string) error {
	err := cli.AsUsage(f.Check())
	if err == nil && len(rest) > 0 {
		err = cli.Usage("unexpected argument " + strconv.Quote(rest[0]) + "; put a program after --")
	}
	return err
}

// Ready is hookbridge for commands other than run: whatever is wrong with its places is
// a mistake on the command line.
func (f *RunFlags) Ready() (*bridge.Bridge, error) {
	err := cli.ProjectIsThere(f.Text("project"))
	if err != nil {
		return nil, err
	}
	b, err := f.Bridge()
	if err != nil {
		return nil, cli.Usage(err.Error())
	}
	return b, nil
}

// Bridge turns the flags into a Bridge; Host is nil if it is to be detected.
func (f *RunFlags) Bridge() (*bridge.Bridge, error) {
	m := machineOf(f.Called)
	f.findRoot(m)
	b, err := bridge.New(&f.Call, m)
	return b, cli.AsUsage(err)
}

// findRoot finds the project of commands that get it from no payload.
func (f *RunFlags) findRoot(m bridge.Machine) {
	if f.Rooted && f.Text("project") == "" && m.Dir != "" {
		root := cli.ProjectRoot(m.Dir, m.Places(&f.Call))
		if f.Set("project", root); root != m.Dir {
			f.Here = m.Dir
		}
	}
}

// Machine describes this computer: the only place that reads the environment, the
// clock and the current folder for a bridge.
func Machine() bridge.Machine { return machineOf(false) }

func machineOf(called bool) bridge.Machine {
	env := schema.Environ(os.Environ())
	m := bridge.Machine{OS: runtime.GOOS, Env: env, TempDir: os.TempDir(), Now: time.Now}
	m.Dir, _ = os.Getwd()
	m.Home, m.Account = cli.Homes(m.Dir, called)
	m.StateDir, m.UsualState = cli.StateDirs(env)
	m.Self = Self
	return m
}

// Self is the file of this program, "" if the system doesn't tell.
func Self() string {
	file, _ := os.Executable()
	return file
}

// NoEvent says that a dialect has no event of that name, and which was meant.
func NoEvent(flag, name string, d adapter.Dialect) error {
	return cli.AsUsage(cmdline.NoEvent(flag, name, d))
}

// Places are the folders of a command that gets them from no payload.
func (f *RunFlags) Places() (schema.Places, error) {
	if err := cli.ProjectIsThere(f.Text("project")); err != nil {
		return schema.Places{}, err
	}
	m := Machine()
	f.findRoot(m)
	return m.Places(&f.Call), nil
}

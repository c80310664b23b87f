// Package common has the parts that several commands share: the flags of run and install, the survey of a project,
// findings, the contents of hookbridge.yaml, and the records of calls.
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

// RunFlags are the flags of run, and of commands with some of them.
type RunFlags struct {
	cmdline.Call
	Rooted bool   // search for the project if none is named
	Here   string // the folder below the project in which the search began, or "" for the project
	Called bool   // by a host, which has set the environment
}

func (f *RunFlags) Define(fs *cli.Flags) {
	fs.Rows(&f.Call)
}

// DefinePlaces declares the folders of commands without a payload that contains them.
func (f *RunFlags) DefinePlaces(fs *cli.Flags) {
	f.Rooted = true
	fs.Row(&f.Call, "project", "root of the project (default: the nearest folder from here upward with a hook file "+
		"of any\nagent, else the root of the Git repository)")
	fs.Row(&f.Call, "home", "")
}

// Finish checks the flags together, and rejects remaining arguments.
func (f *RunFlags) Finish(rest []string) error {
	err := cli.AsUsage(f.Check())
	if err == nil && len(rest) > 0 {
		err = cli.Usage("unexpected argument " + strconv.Quote(rest[0]) + "; put a program after --")
	}
	return err
}

// Ready returns hookbridge for commands other than run. A fault in its places is a mistake on the command line.
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

// Bridge turns the flags into a Bridge. Host is nil if it must be detected.
func (f *RunFlags) Bridge() (*bridge.Bridge, error) {
	m := machineOf(f.Called)
	f.findRoot(m)
	b, err := bridge.New(&f.Call, m)
	return b, cli.AsUsage(err)
}

// findRoot finds the project for commands without a payload.
func (f *RunFlags) findRoot(m bridge.Machine) {
	if f.Rooted && f.Text("project") == "" && m.Dir != "" {
		root := cli.ProjectRoot(m.Dir, m.Places(&f.Call))
		if f.Set("project", root); root != m.Dir {
			f.Here = m.Dir
		}
	}
}

// Machine describes this computer. Nothing else reads the environment, the clock and the current folder for a bridge.
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

// Self returns the file of this program, or "" if the system doesn't report it.
func Self() string {
	file, _ := os.Executable()
	return file
}

// NoEvent reports that a dialect has no event with that name, and suggests a similar one.
func NoEvent(flag, name string, d adapter.Dialect) error {
	return cli.AsUsage(cmdline.NoEvent(flag, name, d))
}

// Places returns the folders of a command without a payload.
func (f *RunFlags) Places() (schema.Places, error) {
	if err := cli.ProjectIsThere(f.Text("project")); err != nil {
		return schema.Places{}, err
	}
	m := Machine()
	f.findRoot(m)
	return m.Places(&f.Call), nil
}

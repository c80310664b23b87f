package main

import (
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/schema"
)

// runFlags are the flags of run, and of commands that have some of them.
type runFlags struct {
	cmdline.Call
	rooted bool   // the project is looked for where none is named
	here   string // the folder below the project in which that began, "" if it is the project
	called bool   // by a host, which has set the environment
}

func (f *runFlags) define(fs *flags) {
	fs.rows(&f.Call)
	fs.removedRows(&f.Call)
}

// definePlaces declares the folders of commands that have no payload to read them from.
func (f *runFlags) definePlaces(fs *flags) {
	f.rooted = true
	fs.row(&f.Call, "project", "root of the project (default: the nearest folder from here upward with a hook file "+
		"of any\nagent, else the root of the Git repository)")
	fs.row(&f.Call, "home", "")
}

func (f *runFlags) finish(rest []string) error {
	err := asUsage(f.Check())
	if err == nil && len(rest) > 0 {
		err = errUsage{"unexpected argument " + strconv.Quote(rest[0]) + "; put a program after --"}
	}
	return err
}

// ready is hookbridge for commands other than run: whatever is wrong with its places is
// a mistake on the command line.
func (f *runFlags) ready() (*bridge.Bridge, error) {
	err := projectIsThere(f.Text("project"))
	if err != nil {
		return nil, err
	}
	b, err := f.bridge()
	if err != nil {
		return nil, errUsage{err.Error()}
	}
	return b, nil
}

// bridge turns the flags into a Bridge; Host is nil if it is to be detected.
func (f *runFlags) bridge() (*bridge.Bridge, error) {
	m := machineOf(f.called)
	f.findRoot(m)
	b, err := bridge.New(&f.Call, m)
	return b, asUsage(err)
}

// findRoot finds the project of commands that get it from no payload.
func (f *runFlags) findRoot(m bridge.Machine) {
	if f.rooted && f.Text("project") == "" && m.Dir != "" {
		root := projectRoot(m.Dir, m.Places(&f.Call))
		if f.Set("project", root); root != m.Dir {
			f.here = m.Dir
		}
	}
}

// machine describes this computer: the only place that reads the environment, the
// clock and the current folder for a bridge.
func machine() bridge.Machine { return machineOf(false) }

func machineOf(called bool) bridge.Machine {
	env := schema.Environ(os.Environ())
	m := bridge.Machine{OS: runtime.GOOS, Env: env, TempDir: os.TempDir(), Now: time.Now}
	m.Dir, _ = os.Getwd()
	m.Home, m.Account = homes(m.Dir, called)
	m.StateDir, m.UsualState = stateDirs(env)
	m.Self, _ = os.Executable()
	return m
}

// noEvent says that a dialect has no event of that name, and which was meant.
func noEvent(flag, name string, d adapter.Dialect) error {
	return asUsage(cmdline.NoEvent(flag, name, d))
}

// places are the folders of a command that gets them from no payload.
func (f *runFlags) places() (schema.Places, error) {
	if err := projectIsThere(f.Text("project")); err != nil {
		return schema.Places{}, err
	}
	m := machine()
	f.findRoot(m)
	return m.Places(&f.Call), nil
}

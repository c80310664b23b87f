package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/schema"
)

// places fills in the folders and the environment: the only place that reads
// them.
func (f *runFlags) places(b *bridge.Bridge) error {
	env := schema.Environ(os.Environ())
	home, err := f.homeFolder()
	if err != nil {
		return err
	}
	if err = f.settleRoot(home, env); err != nil {
		return err
	}
	project := f.project
	if project != "" {
		if project, err = filepath.Abs(project); err != nil {
			return err
		}
	}
	for i, file := range b.Given { // a plugin's folder follows from its file's
		if b.Given[i], err = filepath.Abs(file); err != nil {
			return err
		}
	}
	if env.Get("PWD") == "" {
		if wd, err := os.Getwd(); err == nil {
			env = append(env, "PWD="+wd)
		}
	}
	b.Places = schema.Places{OS: runtime.GOOS, Home: home, Project: project, Env: env}
	b.StateDir = stateDir(env)
	b.TrustFile = trustFile(env, home)
	b.Self, _ = os.Executable()
	return nil
}

// settleRoot finds the project of commands that are not told it by a payload.
func (f *runFlags) settleRoot(home string, env schema.Environ) error {
	if f.project != "" || !f.rooted {
		return nil
	}
	dir, err := os.Getwd()
	if err == nil {
		f.project = projectRoot(dir, schema.Places{OS: runtime.GOOS, Home: home, Env: env})
	}
	return err
}

// homeFolder is the user's home: what --home says, or the system.
func (f *runFlags) homeFolder() (home string, err error) {
	if home = f.home; home == "" {
		home, _ = os.UserHomeDir()
	}
	if home != "" {
		home, err = filepath.Abs(home)
	}
	return home, err
}

// projectIsThere checks that --project names a folder: with a wrong name no hooks would
// be found, and that would look like a project without hooks.
func projectIsThere(dir string) error {
	if dir == "" {
		return nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return errUsage{"--project " + strconv.Quote(dir) + " isn't a folder"}
	}
	return nil
}

// stateDir is where the session files lie: a folder of this user's that the
// system empties by itself.
func stateDir(env schema.Environ) string {
	if dir := env.Get("HOOKBRIDGE_STATE_DIR"); dir != "" {
		return dir
	}
	if dir := env.Get("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "hookbridge")
	}
	return filepath.Join(os.TempDir(), "hookbridge-"+strconv.Itoa(os.Getuid()))
}

// trustFile is the record of trusted projects; "" where there is no place for one.
func trustFile(env schema.Environ, home string) string {
	if dir := env.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "hookbridge", "trusted")
	}
	if home == "" {
		return "" // a path from the current folder would let a repository bring its own record
	}
	return filepath.Join(home, ".config", "hookbridge", "trusted")
}

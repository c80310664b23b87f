package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	// StateVariable names the folder of session files.
	StateVariable = "HOOKBRIDGE_STATE_DIR"
	// DepthVariable counts the bridges that run inside one another: a hook may be a
	// call of hookbridge for another agent, or start an agent whose hooks are.
	DepthVariable = "HOOKBRIDGE_DEPTH"
)

// Homes are the user's home folder, and the same if the system's register of users has it. Where a host has set the
// environment, a HOME that isn't a folder of this user's, or that is one of a process, such as /proc/self/cwd, came
// from a project: what the register says counts then. It is read only if that matters.
func Homes(dir string, called bool) (home, account string) {
	home, _ = os.UserHomeDir()
	fits := filepath.IsAbs(home) && !dialect.Within("/proc", home) && !dialect.Within("/dev", home) && ours(home)
	around := dir != "" && home != "" && dialect.Within(dir, home)
	if called && fits && !around {
		return home, ""
	}
	account = registeredHome()
	switch {
	case home == account:
		return home, account
	case called && account != "" && !fits && isSet("HOME"):
		return account, account
	}
	return home, ""
}

func isSet(name string) bool {
	_, set := os.LookupEnv(name)
	return set
}

// homeIn is the home folder of a user in the text of /etc/passwd.
func homeIn(passwd string, uid int) string {
	for line := range strings.SplitSeq(passwd, "\n") {
		if f := strings.Split(line, ":"); len(f) == 7 && f[2] == strconv.Itoa(uid) && filepath.IsAbs(f[5]) {
			return f[5]
		}
	}
	return ""
}

// StateDirs are where the session files lie: a folder of this user's that the system empties by itself, and the same
// if no variable says where.
func StateDirs(env schema.Environ) (dir, usual string) {
	own := "hookbridge-" + strconv.Itoa(os.Getuid())
	usual = filepath.Join(os.TempDir(), own)
	if env.Get("TMPDIR") != "" {
		usual = filepath.Join("/tmp", own)
	}
	switch runtime := env.Get("XDG_RUNTIME_DIR"); {
	case env.Get(StateVariable) != "":
		return env.Get(StateVariable), usual
	case filepath.IsAbs(runtime):
		return filepath.Join(runtime, "hookbridge"), usual
	}
	return filepath.Join(os.TempDir(), own), usual
}

// ProgramFile is where this program is, as PATH names it if it does: what is there stays in its place with the next
// version. It is "" if no file of the program's name is this one.
func ProgramFile(path string) string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	here, err := os.Stat(self)
	if err != nil {
		return ""
	}
	found := simulate.LookPath(cmdline.Program, path)
	if there, err := os.Stat(found); err == nil && filepath.IsAbs(found) && os.SameFile(here, there) {
		return found
	}
	if name := filepath.Base(self); strings.TrimSuffix(name, ".exe") != cmdline.Program {
		return ""
	}
	return self
}

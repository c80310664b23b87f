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
	// DepthVariable counts nested calls of hookbridge: a hook may call hookbridge for another agent, or start an agent
	// with such hooks.
	DepthVariable = "HOOKBRIDGE_DEPTH"
)

// Homes returns the user's home folder, and the folder that the system's list of users has for this user, if it was
// read. A host's environment may contain a HOME from a project: one that isn't this user's folder, or that belongs to a
// process, such as /proc/self/cwd. Then the folder from the list counts. The list is read only if that matters.
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

// homeIn returns the home folder of a user according to the text of /etc/passwd.
func homeIn(passwd string, uid int) string {
	for line := range strings.SplitSeq(passwd, "\n") {
		if f := strings.Split(line, ":"); len(f) == 7 && f[2] == strconv.Itoa(uid) && filepath.IsAbs(f[5]) {
			return f[5]
		}
	}
	return ""
}

// StateDirs returns the folder for session files, which belongs to this user and which the system empties. usual is the
// folder used if no variable sets one.
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

// ProgramFile returns the path of this program, preferably as found in PATH, because that path stays the same after an
// upgrade. It is "" if no file with the program's name is this program.
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

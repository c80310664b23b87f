//go:build unix

package process

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// defaultPath is what execvp takes when there is no PATH at all.
const defaultPath = "/usr/bin:/bin"

func hasSeparator(name string) bool { return strings.IndexByte(name, '/') >= 0 }

func foldName(name string) string { return name }

// lookPath returns the file that name stands for in the PATH of env, "" if
// there is none. As for execvp, a relative entry is relative to dir, where the
// program will run, and an empty one is dir itself.
func lookPath(name, dir string, env []string) string {
	list, ok := getenv(env, "PATH")
	if !ok {
		list = defaultPath
	}
	for entry := range strings.SplitSeq(list, ":") {
		if entry == "" {
			entry = "."
		}
		file := entry + "/" + name
		seen := file
		if dir != "" && file[0] != '/' {
			seen = dir + "/" + file
		}
		if executable(seen) {
			return file
		}
	}
	return ""
}

// executable reports whether file is a regular file this user may execute.
func executable(file string) bool {
	const xOK = 1
	var st syscall.Stat_t
	return syscall.Access(file, xOK) == nil &&
		syscall.Stat(file, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFREG
}

// ownSession makes a program outlive the session, terminal and group of this
// process.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// killGroup kills pid and everything of its group. The caller holds pid
// unreaped, so that it cannot be anyone else's. The leader goes first: the
// others' end must not make it end in some way of its own.
func killGroup(pid int) {
	_ = syscall.Kill(pid, syscall.SIGKILL)
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}

// setStatus writes to r how the program ended.
func setStatus(r *Result, ws syscall.WaitStatus) {
	if ws.Exited() {
		r.Exit = ws.ExitStatus()
		return
	}
	r.Exit = -1
	if ws.Signaled() {
		r.Signal = signalName(ws.Signal())
	}
}

// signalName is what kill -l calls sig; package syscall only has prose.
func signalName(sig syscall.Signal) string {
	for _, s := range [...]struct {
		sig  syscall.Signal
		name string
	}{
		{syscall.SIGKILL, "SIGKILL"}, {syscall.SIGTERM, "SIGTERM"}, {syscall.SIGINT, "SIGINT"},
		{syscall.SIGHUP, "SIGHUP"}, {syscall.SIGPIPE, "SIGPIPE"}, {syscall.SIGSEGV, "SIGSEGV"},
		{syscall.SIGABRT, "SIGABRT"}, {syscall.SIGQUIT, "SIGQUIT"}, {syscall.SIGBUS, "SIGBUS"},
		{syscall.SIGFPE, "SIGFPE"}, {syscall.SIGILL, "SIGILL"}, {syscall.SIGTRAP, "SIGTRAP"},
		{syscall.SIGSYS, "SIGSYS"}, {syscall.SIGALRM, "SIGALRM"}, {syscall.SIGUSR1, "SIGUSR1"},
		{syscall.SIGUSR2, "SIGUSR2"}, {syscall.SIGXCPU, "SIGXCPU"}, {syscall.SIGXFSZ, "SIGXFSZ"},
	} {
		if s.sig == sig {
			return s.name
		}
	}
	return "signal " + strconv.Itoa(int(sig))
}

// unlinked returns an open file that holds b from its start on and has no
// name, so that it is gone with the last program that has it open.
func unlinked(b []byte) (*os.File, error) {
	f, err := os.CreateTemp("", "hookbridge-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name())
	if _, err = f.Write(b); err == nil {
		_, err = f.Seek(0, 0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

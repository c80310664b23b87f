//go:build unix

package process

import (
	"cmp"
	"os"
	"strconv"
	"strings"
	"syscall"
)

func hasSeparator(name string) bool { return strings.IndexByte(name, '/') >= 0 }

func foldName(name string) string { return name }

// lookPath returns the file that name means in the PATH of env, or "". As for execvp, a relative entry is relative to
// dir, where the program will run, and an empty one is dir itself.
func lookPath(name, dir string, env []string) string {
	list, ok := getenv(env, "PATH")
	if !ok {
		list = "/usr/bin:/bin" // as for execvp
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

// systemShell finds nothing: shells are started by their paths.
func systemShell(string, string, []string) (file string, is bool) { return "", false }

func handsOver(string, []string) bool { return true }

const noProgram = syscall.ENOEXEC

// atOnce returns how many programs may run in parallel within this process's limit for open files. Each takes four to
// eight descriptors, and other open files need theirs; poll takes no more entries than the limit.
func atOnce() int {
	const each, others = 8, 32
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 1
	}
	return max((int(min(limit.Cur, maxAtOnce*each+others))-others)/each, 1)
}

// ownGroup makes a program the leader of a new group.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// ownSession makes a program outlive the session, terminal and group of this process.
func ownSession([]string) *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// killGroup kills pid and everything in its group. The caller holds pid unreaped, so no other process can have it. The
// leader goes first: the others' end must not make it end in another way.
func killGroup(pid int) {
	_ = syscall.Kill(pid, syscall.SIGKILL)
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}

// A tree is a program with everything that it starts, except processes with a group of their own.
type tree struct{}

func startTree(path string, argv []string, attr *os.ProcAttr) (p *os.Process, t tree, err error) {
	attr.Sys = ownGroup()
	p, err = os.StartProcess(path, argv, attr)
	return p, t, err
}

func (tree) close() {}

// kill kills p and its group, unless p has been waited for.
func (tree) kill(p *os.Process) {
	if p.Signal(syscall.Signal(0)) == nil {
		killGroup(p.Pid)
	}
}

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

// signalName returns the name of sig in kill -l; package syscall only has prose.
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

// unlinked returns an open file without a name that contains b. It is gone with the last program that has it open.
func unlinked(b []byte) (*os.File, error) {
	if f := unnamed(); f != nil {
		return holding(f, b)
	}
	f, err := os.CreateTemp("", "hookbridge-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name())
	return holding(f, b)
}

// handOff leaves the copying of in to out to a cat that outlives this process, and closes both here; nil is the null
// device. A released program thus keeps a reader, without which its next output would end it with SIGPIPE, and gets the
// rest of its stdin. Without a cat in its PATH it gets neither.
func handOff(env []string, in, out *os.File) {
	defer in.Close() // an error on nil
	defer out.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	files := []*os.File{cmp.Or(in, null), cmp.Or(out, null), null}
	cat := cmp.Or(lookPath("cat", "/", env), "/bin/cat")
	p, err := os.StartProcess(cat, []string{"cat"}, &os.ProcAttr{Dir: "/", Env: []string{}, Files: files,
		Sys: ownSession(nil)})
	if err == nil {
		go p.Wait()
	}
}

func pipeToRead() (ours, theirs *os.File, err error) { return os.Pipe() }

func pipeToWrite() (theirs, ours *os.File, err error) { return os.Pipe() }

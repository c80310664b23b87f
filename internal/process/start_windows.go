package process

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

func hasSeparator(name string) bool { return strings.ContainsAny(name, `\/:`) }

func foldName(name string) string { return strings.ToUpper(name) }

// lookPath returns the file that name, with or without one of the extensions in PATHEXT, means in the PATH of env, or
// "".
func lookPath(name, dir string, env []string) string {
	list, _ := getenv(env, "PATH")
	exts, ok := getenv(env, "PATHEXT")
	if !ok {
		exts = ".com;.exe;.bat;.cmd"
	}
	if filepath.Ext(name) != "" {
		exts = ";" + exts
	}
	for _, entry := range filepath.SplitList(list) {
		if !filepath.IsAbs(entry) {
			entry = filepath.Join(dir, entry)
		}
		if startsWSL(entry, name, env) {
			continue
		}
		for ext := range strings.SplitSeq(exts, ";") {
			if file := filepath.Join(entry, name+ext); isFile(file) {
				return file
			}
		}
	}
	return ""
}

func isFile(file string) bool {
	fi, err := os.Stat(file)
	return err == nil && fi.Mode().IsRegular()
}

// startsWSL reports whether bash in this folder is Windows' own, which starts another system: there a hook's paths
// don't exist, and its variables are missing.
func startsWSL(folder, name string, env []string) bool {
	if !isPOSIX(name) {
		return false
	}
	root, _ := getenv(env, "SYSTEMROOT")
	folder = strings.ToUpper(filepath.Clean(folder))
	return strings.HasSuffix(folder, `\WINDOWSAPPS`) || strings.HasSuffix(folder, `\WINDOWS\SYSTEM32`) ||
		root != "" && folder == strings.ToUpper(filepath.Join(root, "System32"))
}

func isPOSIX(shell string) bool {
	shell = strings.TrimSuffix(strings.ToLower(shell), ".exe")
	return shell == "sh" || shell == "bash"
}

// systemShell finds the shell for a command line. A POSIX shell comes from PATH or, because Git for Windows puts only
// git there, from a place next to git or where its installer puts it. is is false for other programs.
func systemShell(name, dir string, env []string) (file string, is bool) {
	base := strings.TrimPrefix(strings.TrimPrefix(name, "/usr"), "/bin/")
	plain := strings.TrimSuffix(strings.ToLower(base), ".exe")
	switch {
	case hasSeparator(base):
		return "", false
	case !isPOSIX(base):
		return lookPath(base, dir, env), slices.Contains([]string{"cmd", "powershell", "pwsh"}, plain)
	}

	if file = lookPath(base, dir, env); file != "" {
		return file, true
	}
	var roots []string
	if git := lookPath("git", dir, env); git != "" { // Git/cmd/git.exe, or Git/mingw64/bin/git.exe
		up := filepath.Dir(filepath.Dir(git))
		roots = append(roots, up, filepath.Dir(up))
	}
	for _, v := range [...][2]string{{"PROGRAMFILES", "Git"}, {"PROGRAMW6432", "Git"},
		{"LOCALAPPDATA", `Programs\Git`}} {
		if folder, _ := getenv(env, v[0]); filepath.IsAbs(folder) {
			roots = append(roots, filepath.Join(folder, v[1]))
		}
	}
	for _, root := range roots {
		for _, bin := range [...]string{"bin", `usr\bin`} {
			if file := filepath.Join(root, bin, plain+".exe"); isFile(file) {
				return file, true
			}
		}
	}
	return "", true
}

// handsOver reports whether a program gets args unchanged: Windows starts a batch file with cmd.exe, which expands and
// splits them.
func handsOver(path string, args []string) bool {
	ext := strings.ToLower(filepath.Ext(strings.TrimRight(path, ". ")))
	return ext != ".bat" && ext != ".cmd" || !slices.ContainsFunc(args, func(arg string) bool {
		return strings.ContainsAny(arg, "\"%!^&|<>()\r\n")
	})
}

// noProgram is the error for a file that isn't a program, ERROR_BAD_EXE_FORMAT.
const noProgram syscall.Errno = 193

// commandLine returns the command line of cmd.exe, "" for any other program. After /s /c it uses the text between the
// first and the last quote unchanged, while most programs undo quotes.
func commandLine(argv []string) string {
	n := len(argv)
	if n < 3 || strings.TrimSuffix(strings.ToLower(filepath.Base(argv[0])), ".exe") != "cmd" ||
		!strings.EqualFold(argv[n-2], "/c") {
		return ""
	}
	return "cmd " + strings.Join(argv[1:n-2], " ") + ` /s /c "` + argv[n-1] + `"`
}

func atOnce() int { return maxAtOnce }

// ownSession makes a program outlive the console of this process.
func ownSession(argv []string) *syscall.SysProcAttr {
	const detached = 0x8
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detached, CmdLine: commandLine(argv)}
}

var (
	kernel32      = syscall.NewLazyDLL("kernel32.dll")
	createJob     = kernel32.NewProc("CreateJobObjectW")
	assignToJob   = kernel32.NewProc("AssignProcessToJobObject")
	terminateJob  = kernel32.NewProc("TerminateJobObject")
	ntdll         = syscall.NewLazyDLL("ntdll.dll")
	resumeProcess = ntdll.NewProc("NtResumeProcess")
)

// killedExit is the exit code of a killed process, the same as for Ctrl-C.
const killedExit = 0xC000013A

// A tree is a program with everything that it starts: a job object, which a process can't leave. Closing the tree
// doesn't end the processes in it.
type tree struct{ job syscall.Handle }

// startTree starts a program and puts it into its job before it runs anything. A Ctrl-C for this process doesn't reach
// it.
func startTree(path string, argv []string, attr *os.ProcAttr) (p *os.Process, t tree, err error) {
	const suspended = 0x4
	attr.Sys = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | suspended, HideWindow: true,
		CmdLine: commandLine(argv)}
	if p, err = os.StartProcess(path, argv, attr); err != nil {
		return nil, t, err
	}

	job, _, _ := createJob.Call(0, 0)
	t.job = syscall.Handle(job)
	resumed := false
	err = p.WithHandle(func(process uintptr) {
		if ok, _, _ := assignToJob.Call(job, process); ok == 0 { // then only it can be killed
			t.close()
			t.job = 0
		}
		status, _, _ := resumeProcess.Call(process)
		resumed = status == 0
	})
	if err == nil && !resumed {
		err = syscall.EAGAIN
	}
	if err != nil {
		t.kill(p)
		t.close()
		_, _ = p.Wait()
		return nil, tree{}, err
	}
	return p, t, nil
}

func (t tree) close() {
	if t.job != 0 {
		_ = syscall.CloseHandle(t.job)
	}
}

// kill ends all processes of the tree.
func (t tree) kill(p *os.Process) {
	if t.job != 0 {
		_, _, _ = terminateJob.Call(uintptr(t.job), killedExit)
	}
	_ = p.WithHandle(func(process uintptr) { _ = syscall.TerminateProcess(syscall.Handle(process), killedExit) })
}

func setStatus(r *Result, ws syscall.WaitStatus) {
	if r.Exit = ws.ExitStatus(); ws.ExitCode == killedExit {
		r.Exit, r.Signal = -1, "SIGKILL"
	}
}

// handOff only closes: on Windows a pipe without a reader ends no writer.
func handOff(_ []string, in, out *os.File) {
	in.Close() // an error on nil
	out.Close()
}

// unlinked returns an open file that contains b and is deleted with the last handle to it.
func unlinked(b []byte) (*os.File, error) {
	tmp, err := os.CreateTemp("", "hookbridge-*")
	if err != nil {
		return nil, err
	}
	tmp.Close()
	name, err := syscall.UTF16PtrFromString(tmp.Name())
	if err != nil {
		return nil, err
	}
	const temporary, deleteOnClose = 0x100, 0x04000000
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ,
		nil, syscall.OPEN_EXISTING, temporary|deleteOnClose, 0)
	if err != nil {
		_ = os.Remove(tmp.Name())
		return nil, err
	}
	return holding(os.NewFile(uintptr(h), tmp.Name()), b)
}

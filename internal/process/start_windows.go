package process

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

func hasSeparator(name string) bool { return strings.ContainsAny(name, `\/:`) }

func foldName(name string) string { return strings.ToUpper(name) }

// lookPath returns the file that name, with or without one of the extensions
// in PATHEXT, stands for in the PATH of env, "" if there is none.
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
		for ext := range strings.SplitSeq(exts, ";") {
			file := filepath.Join(entry, name+ext)
			if fi, err := os.Stat(file); err == nil && fi.Mode().IsRegular() {
				return file
			}
		}
	}
	return ""
}

func atOnce() int { return maxAtOnce }

// ownGroup keeps a Ctrl-C for this process from the program.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// ownSession makes a program outlive the console of this process.
func ownSession() *syscall.SysProcAttr {
	const detached = 0x8
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP | detached}
}

// kill kills p alone: Windows has no groups that die together.
func kill(p *os.Process) { _ = p.Kill() }

func (s *stream) sweep(*[]byte) {} // pipes have no deadline here, so none passes

func setStatus(r *Result, ws syscall.WaitStatus) { r.Exit = ws.ExitStatus() }

// handOff only closes: on Windows a pipe without a reader kills nobody.
func handOff(_ []string, in, out *os.File) {
	in.Close() // an error on nil
	out.Close()
}

// unlinked returns an open file that holds b from its start on and is deleted
// with the last handle to it.
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

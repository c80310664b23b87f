package process

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

type startError struct {
	what string
	err  error
}

func (e *startError) Error() string { return "not started: " + e.what + ": " + e.err.Error() }
func (e *startError) Unwrap() error { return e.err }

// A fault is an error with a fixed text.
type fault string

const (
	errNUL     fault = "holds a NUL byte"
	errEmpty   fault = "is empty"
	errNotDir  fault = "is not a directory"
	errIsDir   fault = "is a directory"
	errInPath  fault = "not found in PATH"
	errInterp  fault = "the program its #! line names does not exist"
	errNoExec  fault = "is not executable"
	errNoMagic fault = "is neither a program of this system nor a script with a #! line"
	errNoShell fault = "this shell isn't installed"
	errBatch   fault = "an argument has a character that cmd.exe reads as its own"
)

// ErrNoWay is the error for a command that Windows can't start: its shell isn't installed, it is a script of another
// system, or its arguments can't be passed on unchanged.
var ErrNoWay = errors.New("Windows can't start this")

func (f fault) Error() string { return string(f) }

// Is makes errors.Is match the faults with the errors of package fs.
func (f fault) Is(target error) bool {
	switch f {
	case errNoShell, errNoMagic, errBatch:
		return target == ErrNoWay || target == fs.ErrNotExist && f == errNoShell
	case errInPath, errInterp:
		return target == fs.ErrNotExist
	case errNoExec:
		return target == fs.ErrPermission
	}
	return false
}

// ShellArgv returns the words that run a command line in the system's shell; os is as runtime.GOOS.
func ShellArgv(os, command string) []string {
	if os == "windows" {
		return []string{"cmd", "/C", command}
	}
	return []string{"/bin/sh", "-c", command}
}

// prepare checks s and returns the file to execute and the environment, which is never nil: package os would use its
// own for nil.
func prepare(s *Spec) (path string, env []string, err error) {
	if len(s.Argv) == 0 || s.Argv[0] == "" {
		return "", nil, &startError{"the command", errEmpty}
	}
	for _, a := range s.Argv {
		if strings.IndexByte(a, 0) >= 0 {
			return "", nil, &startError{"an argument of " + strings.ReplaceAll(s.Argv[0], "\x00", `\0`), errNUL}
		}
	}
	if strings.IndexByte(s.Dir, 0) >= 0 {
		return "", nil, &startError{"the working directory", errNUL}
	}
	if env, err = lastOfEach(s.Env); err != nil {
		return "", nil, err
	}
	for _, dir := range s.Folders {
		_ = os.MkdirAll(dir, 0o755)
	}

	path = s.Argv[0]
	if shell, is := systemShell(path, s.Dir, env); is {
		if shell == "" {
			return "", nil, explain(s, path, errNoShell)
		}
		path = shell
	} else if !hasSeparator(path) {
		if path = lookPath(path, s.Dir, env); path == "" {
			return "", nil, explain(s, s.Argv[0], errInPath)
		}
	}
	if !handsOver(path, s.Argv[1:]) {
		return "", nil, &startError{path, errBatch}
	}
	return path, env, nil
}

// Find returns the file that a program or a shell of this name is started from, or "".
func Find(name string, env []string) string {
	if file, is := systemShell(name, "", env); is {
		return file
	}
	return lookPath(name, "", env)
}

// lastOfEach returns env with only the last entry of each name: a program's C library decides which of two it sees.
func lastOfEach(env []string) ([]string, error) {
	at := make(map[string]int, len(env))
	out := make([]string, 0, len(env))
	for _, e := range env {
		if strings.IndexByte(e, 0) >= 0 {
			return nil, &startError{"an environment variable", errNUL}
		}
		name, _, _ := strings.Cut(e, "=")
		name = foldName(name)
		if i, ok := at[name]; ok && name != "" {
			out[i] = e
			continue
		}
		at[name] = len(out)
		out = append(out, e)
	}
	return out, nil
}

func getenv(env []string, name string) (string, bool) {
	for _, e := range env {
		if k, v, ok := strings.Cut(e, "="); ok && foldName(k) == name {
			return v, true
		}
	}
	return "", false
}

// explain turns the system's error on starting path into the actual cause: one and the same ENOENT may mean the
// program, its interpreter or Dir.
func explain(s *Spec, path string, err error) error {
	if s.Dir != "" {
		if fi, derr := os.Stat(s.Dir); derr != nil {
			return &startError{"working directory " + s.Dir, plain(derr)}
		} else if !fi.IsDir() {
			return &startError{"working directory " + s.Dir, errNotDir}
		}
	}
	err = plain(err)
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(s.Dir, full)
	}
	fi, serr := os.Stat(full)
	switch {
	case err == errInPath || err == errNoShell:
	case serr == nil && fi.IsDir():
		err = errIsDir
	case serr == nil && errors.Is(err, syscall.ENOENT):
		err = errInterp
	case serr == nil && errors.Is(err, fs.ErrPermission) && fi.Mode()&0o111 == 0:
		err = errNoExec
	case errors.Is(err, noProgram):
		err = errNoMagic
	}
	return &startError{path, err}
}

// plain removes the operation and path that package os puts around an error number.
func plain(err error) error {
	var no syscall.Errno
	if errors.As(err, &no) {
		return no
	}
	return err
}

// pipes makes this process's and the program's ends of stdin, stdout and stderr. With an error it returns the ends made
// so far.
func pipes() (ours, theirs [3]*os.File, err error) {
	if theirs[0], ours[0], err = pipeToWrite(); err == nil {
		if ours[1], theirs[1], err = pipeToRead(); err == nil {
			ours[2], theirs[2], err = pipeToRead()
		}
	}
	return ours, theirs, err
}

func closeFiles(files [3]*os.File) {
	for _, f := range files {
		f.Close() // an error on nil
	}
}

// holding returns f with b in it, to be read from its start; on failure, f is closed.
func holding(f *os.File, b []byte) (*os.File, error) {
	_, err := f.Write(b)
	if err == nil {
		_, err = f.Seek(0, 0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

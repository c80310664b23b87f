package process

import (
	"errors"
	"os"
	"syscall"
)

// A web page starts no programs: lookPath finds none, so that every Start fails with the error for a missing program.

func hasSeparator(name string) bool { return false }

func foldName(name string) string { return name }

func lookPath(name, dir string, env []string) string { return "" }

// systemShell finds nothing: shells are started by their paths.
func systemShell(string, string, []string) (file string, is bool) { return "", false }

func handsOver(string, []string) bool { return true }

const noProgram = syscall.ENOEXEC

func atOnce() int { return maxAtOnce }

func ownSession([]string) *syscall.SysProcAttr { return nil }

type tree struct{}

func startTree(string, []string, *os.ProcAttr) (p *os.Process, t tree, err error) {
	return nil, t, errors.ErrUnsupported
}

func (tree) close() {}

func (tree) kill(*os.Process) {}

func readNow(*os.File, syscall.RawConn, []byte) int { return 0 }

func setStatus(r *Result, ws syscall.WaitStatus) { r.Exit = ws.ExitStatus() }

func handOff(_ []string, in, out *os.File) {}

func unlinked([]byte) (*os.File, error) { return nil, errors.ErrUnsupported }

func pipeToRead() (ours, theirs *os.File, err error) { return os.Pipe() }

func pipeToWrite() (theirs, ours *os.File, err error) { return os.Pipe() }

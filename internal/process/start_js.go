package process

import (
	"errors"
	"os"
	"syscall"
)

// A web page starts no programs: lookPath finds none, so that every Start fails with
// the error for a missing program.

func hasSeparator(name string) bool { return false }

func foldName(name string) string { return name }

func lookPath(name, dir string, env []string) string { return "" }

func atOnce() int { return maxAtOnce }

func ownGroup() *syscall.SysProcAttr { return nil }

func ownSession() *syscall.SysProcAttr { return nil }

func kill(*os.Process) {}

func (s *stream) sweep(*[]byte) {}

func setStatus(r *Result, ws syscall.WaitStatus) { r.Exit = ws.ExitStatus() }

func handOff(_ []string, in, out *os.File) {}

func unlinked([]byte) (*os.File, error) { return nil, errors.ErrUnsupported }

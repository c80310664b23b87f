//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peak returns the program's largest resident set in KiB.
func peak(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" { // in bytes there
		return int64(u.Maxrss) / 1024
	}
	return int64(u.Maxrss)
}

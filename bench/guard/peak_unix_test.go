//go:build unix

package guard

import (
	"os"
	"syscall"
)

// peak returns the largest resident set among a program and the children it waited for, in bytes. It applies to systems
// that count KiB.
func peak(s *os.ProcessState) int64 {
	return int64(s.SysUsage().(*syscall.Rusage).Maxrss) << 10
}

//go:build unix

package guard

import (
	"os"
	"syscall"
)

// peak is the largest resident set among a program and what it waited for, in
// bytes, where the system counts KiB.
func peak(s *os.ProcessState) int64 {
	return int64(s.SysUsage().(*syscall.Rusage).Maxrss) << 10
}

//go:build unix

package watch

import (
	"syscall"
	"time"
)

// Processor returns the processor time that this process has used, without the programs that it has started.
func Processor() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

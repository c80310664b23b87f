package watch

import (
	"syscall"
	"time"
)

// Processor returns the processor time that this process has used, without the programs that it has started.
func Processor() time.Duration {
	var created, ended, kernel, user syscall.Filetime
	self, _ := syscall.GetCurrentProcess()
	if syscall.GetProcessTimes(self, &created, &ended, &kernel, &user) != nil {
		return 0
	}
	spent := func(t syscall.Filetime) time.Duration { // in units of 100 ns
		return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
	}
	return spent(kernel) + spent(user)
}

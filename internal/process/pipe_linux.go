package process

import (
	"os"
	"syscall"
)

// Widen makes f, if it is a pipe, hold as much as any user may request, so that a large payload comes in few pieces. A
// failure is ignored.
func Widen(f *os.File) { widen(int(f.Fd())) }

func widen(fd int) {
	const setPipeSize = 1031 // F_SETPIPE_SZ, which package syscall lacks
	_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), setPipeSize, sureOutput)
}

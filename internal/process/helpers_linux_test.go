package process

import (
	"syscall"
	"unsafe"
)

// childless reports whether there is no child. It doesn't reap dead ones.
func childless() bool {
	const pAll = 0
	var info [128]byte // siginfo_t
	_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, pAll, 0, uintptr(unsafe.Pointer(&info)), syscall.WEXITED|
		syscall.WNOHANG|syscall.WNOWAIT, 0, 0)
	return errno == syscall.ECHILD
}

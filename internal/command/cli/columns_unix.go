//go:build linux || darwin

package cli

import (
	"syscall"
	"unsafe"
)

// columnsOf returns the width of the terminal behind a file, or 0 if it isn't known.
func columnsOf(fd int) int {
	var size struct{ rows, columns, width, height uint16 }
	_, _, err := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if err != 0 {
		return 0
	}
	return int(size.columns)
}

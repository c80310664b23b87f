package cli

import (
	"os"
	"syscall"
	"unsafe"
)

var (
	kernel32         = syscall.NewLazyDLL("kernel32.dll")
	screenBufferInfo = kernel32.NewProc("GetConsoleScreenBufferInfo")
	setConsoleMode   = kernel32.NewProc("SetConsoleMode")
)

// columnsOf returns the width of the console behind a file, or 0 if it isn't known.
func columnsOf(fd int) int {
	h := syscall.Stdout
	if fd == 2 {
		h = syscall.Stderr
	}
	var info struct {
		size, cursor             [2]int16
		colors                   uint16
		left, top, right, bottom int16
		largest                  [2]int16
	}
	if ok, _, _ := screenBufferInfo.Call(uintptr(h), uintptr(unsafe.Pointer(&info))); ok == 0 {
		return 0
	}
	return int(info.right-info.left) + 1
}

// hasColors makes a console interpret color marks, and reports whether it does. An older console prints them.
func hasColors(f *os.File) bool {
	const marks = 0x4 // ENABLE_VIRTUAL_TERMINAL_PROCESSING
	var mode uint32
	h := syscall.Handle(f.Fd())
	if syscall.GetConsoleMode(h, &mode) != nil {
		return false
	}
	ok, _, _ := setConsoleMode.Call(uintptr(h), uintptr(mode|marks))
	return mode&marks != 0 || ok != 0
}

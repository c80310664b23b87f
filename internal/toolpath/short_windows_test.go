package toolpath

import "syscall"

// shortName returns the short path of a file, or its path if it has none.
func shortName(file string) string {
	text, err := syscall.UTF16PtrFromString(file)
	if err != nil {
		return file
	}
	short := make([]uint16, 400)
	n, err := syscall.GetShortPathName(text, &short[0], uint32(len(short)))
	if err != nil || n == 0 {
		return file
	}
	return syscall.UTF16ToString(short[:n])
}

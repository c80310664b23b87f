package process

import (
	"os"
	"syscall"
)

// unnamed returns a file that never has a name, so that nothing stays if this process is killed; nil if the file system
// doesn't support that.
func unnamed() *os.File {
	const tmpfile = 0x400000 | syscall.O_DIRECTORY
	fd, err := syscall.Open(os.TempDir(), syscall.O_RDWR|tmpfile|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), "unnamed")
}

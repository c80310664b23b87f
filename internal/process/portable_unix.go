//go:build unix && (!linux || portable)

package process

import (
	"os"
	"syscall"
)

// readNow reads what is in a pipe at this moment.
func readNow(_ *os.File, rc syscall.RawConn, room []byte) (n int) {
	err := rc.Read(func(fd uintptr) bool {
		n, _ = syscall.Read(int(fd), room)
		return true
	})
	if err != nil {
		return 0
	}
	return n
}

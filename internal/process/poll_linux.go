//go:build linux && !portable

package process

import (
	"syscall"
	"time"
	"unsafe"
)

// A pollFD is the kernel's struct pollfd. A negative fd is ignored.
type pollFD struct {
	fd      int32
	events  int16
	revents int16
}

const (
	pollIn  = 0x1
	pollOut = 0x4
)

// poll waits until one of fds is ready, or until wake; a zero wake is never. Interrupted, it returns early with none
// ready.
func poll(fds []pollFD, wake time.Time) {
	var ts *syscall.Timespec
	if !wake.IsZero() {
		t := syscall.NsecToTimespec(int64(max(time.Until(wake), 0)))
		ts = &t
	}
	_, _, errno := syscall.Syscall6(syscall.SYS_PPOLL,
		uintptr(unsafe.Pointer(&fds[0])), uintptr(len(fds)), uintptr(unsafe.Pointer(ts)), 0, 0, 0)
	if errno != 0 {
		for i := range fds {
			fds[i].revents = 0
		}
	}
}

// A stream is the read end of a pipe, fd -1 when closed.
type stream struct {
	sink
	fd    int
	after int // bytes read since the program's end
}

// read reads from the stream, for which poll has found input, and returns the number of bytes.
func (s *stream) read(scratch *[]byte) int {
	n, err := syscall.Read(s.fd, s.room(scratch))
	switch {
	case err == syscall.EINTR || err == syscall.EAGAIN:
		return 0
	case err != nil || n == 0:
		closeFD(&s.fd)
		return 0
	}
	s.took(n)
	return n
}

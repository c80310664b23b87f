//go:build linux && !portable

package process

import (
	"syscall"
)

// A stream is the read end of a pipe, fd -1 when closed.
type stream struct {
	sink
	fd    int
	after int // bytes read since the program's end
}

// read takes in what the stream holds, which poll said is something, and
// returns how much that was.
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

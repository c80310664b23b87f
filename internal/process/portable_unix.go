//go:build unix && (!linux || portable)

package process

import (
	"syscall"
	"time"
)

// sweep reads what is in the pipe at this moment: a deadline that passes says
// nothing of what could have been read.
func (s *stream) sweep(scratch *[]byte) {
	rc, err := s.f.SyscallConn()
	if err != nil || s.f.SetReadDeadline(time.Time{}) != nil {
		return
	}
	for total := 0; total < sureOutput; {
		var n int
		s.mu.Lock()
		room := s.room(scratch)
		s.mu.Unlock()
		err := rc.Read(func(fd uintptr) bool {
			n, _ = syscall.Read(int(fd), room)
			return true
		})
		if err != nil || n <= 0 {
			return
		}
		s.mu.Lock()
		s.took(n)
		s.mu.Unlock()
		total += n
	}
}

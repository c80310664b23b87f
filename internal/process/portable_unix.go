//go:build unix && (!linux || portable)

package process

import (
	"os"
	"syscall"
	"time"
)

// ownGroup puts a program at the head of a group of its own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// kill kills p and its group, unless p has been waited for.
func kill(p *os.Process) {
	if p.Signal(syscall.Signal(0)) == nil {
		killGroup(p.Pid)
	}
}

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

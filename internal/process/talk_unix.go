//go:build unix

package process

import (
	"os"
	"syscall"
)

// talkGroup puts a program at the head of a group of its own.
func talkGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// endTalk kills p and its group, unless p has been waited for.
func endTalk(p *os.Process) {
	if p.Signal(syscall.Signal(0)) == nil {
		killGroup(p.Pid)
	}
}

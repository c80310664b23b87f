//go:build unix && !linux

package process

import "syscall"

// childless reports whether there is no child. It reaps a dead one.
func childless() bool {
	_, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
	return err == syscall.ECHILD
}

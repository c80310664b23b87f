//go:build unix && !linux

package state

import "syscall"

// moveOver makes path name the file of temp.
func moveOver(temp, path string) error { return syscall.Rename(temp, path) }

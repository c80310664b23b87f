//go:build unix && !linux

package state

import "syscall"

// moveOver makes path name what temp names.
func moveOver(temp, path string) error { return syscall.Rename(temp, path) }

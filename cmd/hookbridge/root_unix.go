//go:build unix

package main

import (
	"os"
	"syscall"
)

// ours reports whether a folder belongs to this user or to root: a hook file that
// another user puts above the current folder must not count.
func ours(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(stat.Uid) == os.Getuid() || stat.Uid == 0 && info.Mode()&0o022 == 0)
}

package state

import (
	"syscall"

	"github.com/hookbridge/hookbridge/internal/swap"
)

// moveOver makes path name what temp names. Where path already names a file
// the two are exchanged and the old one removed: to the file system a plain
// rename looks like an editor's save, for which ext4 first gives the new data
// its place on the disk, and that takes longer than all the rest of an update.
// What a power cut may leave for it, an empty file, is no more than the end of
// a session.
func moveOver(temp, path string) error {
	if swap.Exchange(temp, path) != nil {
		return syscall.Rename(temp, path)
	}
	_ = syscall.Unlink(temp) // left behind it would be written over
	return nil
}

package state

import (
	"syscall"

	"github.com/hookbridge/hookbridge/internal/swap"
)

// moveOver makes path name the file of temp. If path already names a file, the two are exchanged and the old one is
// removed. To the file system a plain rename looks like an editor's save: ext4 then first writes the new data to the
// disk, which takes longer than all the rest of an update. After a power cut the file may be empty, which only ends a
// session.
func moveOver(temp, path string) error {
	if swap.Exchange(temp, path) != nil {
		return syscall.Rename(temp, path)
	}
	_ = syscall.Unlink(temp) // otherwise the next update would overwrite it
	return nil
}

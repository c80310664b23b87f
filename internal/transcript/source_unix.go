//go:build unix

package transcript

import (
	"errors"
	"os"
	"syscall"
)

// openSource opens a regular file, but not through a link, and without waiting for other kinds of files.
func openSource(path string) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, syscall.ELOOP) {
		return nil, 0, ErrUnsafe
	}
	if err != nil {
		return nil, 0, err
	}
	return regular(f)
}

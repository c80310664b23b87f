//go:build !unix

package transcript

import "os"

// openSource opens a regular file, but not through a link.
func openSource(path string) (*os.File, int64, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, 0, err
	}
	if !fi.Mode().IsRegular() {
		return nil, 0, ErrUnsafe
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	return regular(f)
}

package swap

import (
	"io/fs"
	"syscall"
	"testing"
)

// TestPatiently: a failure while a file is open is retried, a missing file isn't, and it ends.
func TestPatiently(t *testing.T) {
	for _, c := range []struct {
		failures  int // how many times the try fails
		err, want error
		tries     int
	}{
		{0, nil, nil, 1},
		{5, syscall.ERROR_ACCESS_DENIED, nil, 6},
		{1 << 20, syscall.ERROR_ACCESS_DENIED, syscall.ERROR_ACCESS_DENIED, 8},
		{1 << 20, fs.ErrNotExist, fs.ErrNotExist, 1},
	} {
		tries := 0
		err := Patiently(func() error {
			if tries++; tries <= c.failures {
				return c.err
			}
			return nil
		})
		if err != c.want || tries != c.tries {
			t.Errorf("%d failures with %v: %v after %d tries", c.failures, c.err, err, tries)
		}
	}
}

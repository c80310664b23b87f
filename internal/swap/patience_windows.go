package swap

import (
	"errors"
	"io/fs"
	"time"
)

// Patiently retries for a while what fails as long as another program has a file open: a virus scanner, an editor,
// another hookbridge.
func Patiently(try func() error) error {
	for pause := time.Millisecond; ; pause *= 2 {
		err := try()
		if err == nil || errors.Is(err, fs.ErrNotExist) || pause > 100*time.Millisecond {
			return err
		}
		time.Sleep(pause)
	}
}

package state

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// A web page keeps no session: nothing is found, and nothing can be written.

type fileLock struct{}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

func checkDir(string, bool) error { return errors.ErrUnsupported }

func readFile(string) ([]byte, error) { return nil, fs.ErrNotExist }

func replaceFile(string, string, []byte) error { return errors.ErrUnsupported }

func removeFile(string) error { return errors.ErrUnsupported }

func lock(string, time.Duration) (fileLock, error) { return fileLock{}, errors.ErrUnsupported }

func (fileLock) unlock() {}

func (fileLock) remove(string) error { return errors.ErrUnsupported }

func checkOwn(string) error { return errors.ErrUnsupported }

func appendFile(string, []byte, int64) error { return errors.ErrUnsupported }

func openOwn(string) (*os.File, int64, error) { return nil, 0, errors.ErrUnsupported }

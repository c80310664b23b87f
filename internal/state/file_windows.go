package state

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/hookbridge/hookbridge/internal/swap"
)

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// checkDir fails unless dir is a folder; with create it creates it.
func checkDir(dir string, create bool) error {
	fi, err := os.Lstat(dir)
	if isMissing(err) && create {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		fi, err = os.Lstat(dir)
	}
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return &pathError{dir, "is not a folder", ErrUnsafe}
	}
	return nil
}

// readFile returns the file's content, nil if it is missing. It reads just enough of a large file to detect that.
func readFile(path string) ([]byte, error) {
	if fi, err := os.Lstat(path); err == nil && !fi.Mode().IsRegular() {
		return nil, &pathError{path, "is not a file", ErrUnsafe}
	}
	f, err := os.Open(path)
	if err != nil {
		if isMissing(err) {
			return nil, nil
		}
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if b == nil {
		b = []byte{}
	}
	return b, err
}

// replaceFile replaces the content of path with b, using the file temp. A reader that has path open blocks it for as
// long as it reads.
func replaceFile(path, temp string, b []byte) error {
	err := os.WriteFile(temp, b, 0o600)
	if err == nil {
		err = swap.Patiently(func() error { return os.Rename(temp, path) })
	}
	if err != nil {
		_ = os.Remove(temp)
	}
	return err
}

func removeFile(path string) error {
	if err := swap.Patiently(func() error { return os.Remove(path) }); err != nil && !isMissing(err) {
		return err
	}
	return nil
}

// A fileLock is a file that only this process has open, until it closes it or ends.
type fileLock syscall.Handle

// lock locks the file path, and waits for others up to wait.
func lock(path string, wait time.Duration) (fileLock, error) {
	const sharingViolation syscall.Errno = 32
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	deadline := time.Now().Add(wait)
	for {
		h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
			syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
		switch {
		case err == nil:
			return fileLock(h), nil
		case err != sharingViolation && err != syscall.ERROR_ACCESS_DENIED:
			return 0, &fs.PathError{Op: "lock", Path: path, Err: err}
		case time.Now().After(deadline):
			return 0, ErrLocked
		}
		time.Sleep(time.Millisecond)
	}
}

func (l fileLock) unlock() { _ = syscall.CloseHandle(syscall.Handle(l)) }

// remove removes the locked file, unless another process has locked it since.
func (l fileLock) remove(path string) error {
	l.unlock()
	_ = os.Remove(path)
	return nil
}

// checkOwn fails unless path names a regular file.
func checkOwn(path string) error {
	fi, err := os.Lstat(path)
	if err == nil && !fi.Mode().IsRegular() {
		err = &pathError{path, "is not a file", ErrUnsafe}
	}
	return err
}

func isLarge(path string, more int, limit int64) bool {
	fi, err := os.Lstat(path)
	return err == nil && fi.Size() > 0 && fi.Size()+int64(more) > limit
}

// appendFile first moves a file that b would make larger than limit to path.1; if that fails it stays, for example
// while another process has it open.
func appendFile(path string, b []byte, limit int64) error {
	if err := checkOwn(path); err != nil && !isMissing(err) {
		return err
	}
	if isLarge(path, len(b), limit) {
		if l, err := lock(path+".lock", lockWait); err == nil {
			if isLarge(path, len(b), limit) { // no other process has moved it meanwhile
				_ = os.Rename(path, path+".1")
			}
			_ = l.remove(path + ".lock")
		}
	}
	var f *os.File
	err := swap.Patiently(func() (err error) { // while another process moves it
		f, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}

// openOwn opens the file at path for writing, and creates it if there is none.
func openOwn(path string) (f *os.File, size int64, err error) {
	if err := checkOwn(path); err != nil && !isMissing(err) {
		return nil, 0, err
	}
	if f, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o600); err != nil {
		return nil, 0, err
	}
	fi, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, fi.Size(), nil
}

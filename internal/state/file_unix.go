//go:build unix

package state

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// The system calls don't use os.File, which would set up the poller and a finalizer for files that are open for
// microseconds.

const openFlags = syscall.O_CLOEXEC | syscall.O_NOFOLLOW | syscall.O_NONBLOCK // no link, no wait for a FIFO's writer

// again makes a system call until no signal interrupts it.
func again(call func() error) error {
	for {
		if err := call(); err != syscall.EINTR {
			return err
		}
	}
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// checkDir fails unless dir is a private folder; with create it creates the folder.
func checkDir(dir string, create bool) error {
	var st syscall.Stat_t
	err := syscall.Lstat(dir, &st)
	if err == syscall.ENOENT && create {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		err = syscall.Lstat(dir, &st)
	}
	if err != nil {
		return &fs.PathError{Op: "state", Path: dir, Err: err}
	}
	why := ""
	switch {
	case st.Mode&syscall.S_IFMT == syscall.S_IFLNK:
		why = "is a symbolic link"
	case st.Mode&syscall.S_IFMT != syscall.S_IFDIR:
		why = "is not a folder"
	case int(st.Uid) != syscall.Geteuid():
		why = "belongs to another user"
	case st.Mode&0o077 != 0:
		why = "is open to others"
	default:
		return nil
	}
	return &pathError{dir, why, ErrUnsafe}
}

// open opens a regular file of this user, but not through a symbolic link.
func open(path string, flags int) (fd int, size int64, err error) {
	err = again(func() (err error) {
		fd, err = syscall.Open(path, flags|openFlags, 0o600)
		return err
	})
	switch {
	case err == syscall.ELOOP || err == syscall.EMLINK: // the latter is FreeBSD's error
		return -1, 0, &pathError{path, "is a symbolic link", ErrUnsafe}
	case err != nil:
		return -1, 0, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	var st syscall.Stat_t
	if err := syscall.Fstat(fd, &st); err != nil {
		_ = syscall.Close(fd)
		return -1, 0, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG || int(st.Uid) != syscall.Geteuid() {
		_ = syscall.Close(fd)
		return -1, 0, &pathError{path, "is not a file of this user's", ErrUnsafe}
	}
	return fd, st.Size, nil
}

// readFile returns the file's content, nil if it is missing. It reads just enough of a large file to detect that.
func readFile(path string) ([]byte, error) {
	fd, size, err := open(path, syscall.O_RDONLY)
	if err != nil {
		if isMissing(err) {
			return nil, nil
		}
		return nil, err
	}
	defer syscall.Close(fd)
	b := make([]byte, min(size, maxFile)+1)
	n := 0
	for n < len(b) {
		var got int
		err := again(func() (err error) {
			got, err = syscall.Read(fd, b[n:])
			return err
		})
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: path, Err: err}
		}
		if got == 0 {
			break
		}
		n += got
	}
	return b[:n], nil
}

func writeAll(fd int, b []byte) (err error) {
	for len(b) > 0 && err == nil {
		err = again(func() error {
			n, err := syscall.Write(fd, b)
			b = b[max(n, 0):]
			return err
		})
	}
	return err
}

// openOwn opens the file at path for writing, and creates it for this user alone if there is none.
func openOwn(path string) (*os.File, int64, error) {
	fd, size, err := open(path, syscall.O_WRONLY|syscall.O_CREAT)
	if err != nil {
		return nil, 0, err
	}
	return os.NewFile(uintptr(fd), path), size, nil
}

// replaceFile replaces the content of path with b, all at once, using the file temp.
func replaceFile(path, temp string, b []byte) error {
	fd, _, err := open(temp, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_TRUNC)
	if err != nil {
		return err
	}
	err = writeAll(fd, b)
	if cerr := syscall.Close(fd); err == nil {
		err = cerr
	}
	if err == nil {
		err = moveOver(temp, path)
	}
	if err != nil {
		_ = syscall.Unlink(temp)
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

func removeFile(path string) error {
	if err := syscall.Unlink(path); err != nil && err != syscall.ENOENT {
		return &fs.PathError{Op: "remove", Path: path, Err: err}
	}
	return nil
}

// A fileLock is an open file with a lock on it, which ends with the process at the latest.
type fileLock int

// lock locks the file path, and waits for others up to wait. It first tries repeatedly for a moment, and then waits in
// the system's queue, so that of many waiting processes none is always too late.
func lock(path string, wait time.Duration) (fileLock, error) {
	deadline := time.Now().Add(wait)
	for pause := 50 * time.Microsecond; pause < 5*time.Millisecond; pause *= 2 {
		fd, err := tryLock(path, syscall.LOCK_NB)
		if fd >= 0 || err != nil {
			return fileLock(fd), err
		}
		if time.Now().Add(pause).After(deadline) {
			return -1, ErrLocked
		}
		time.Sleep(pause)
	}

	got, late := make(chan error), make(chan struct{})
	var l fileLock
	go func() {
		fd, err := -1, error(nil)
		for fd < 0 && err == nil {
			fd, err = tryLock(path, 0)
		}

		l = fileLock(fd)
		select {
		case got <- err:
		case <-late:
			if err == nil {
				l.unlock()
			}
		}
	}()

	select {
	case err := <-got:
		return l, err
	case <-time.After(time.Until(deadline)):
	}
	select { // it came while this process didn't run
	case err := <-got:
		return l, err
	case <-time.After(time.Millisecond):
		close(late)
		return -1, ErrLocked
	}
}

// tryLock returns -1 if another process has the lock, or had it and has removed the file. With how 0 it waits for the
// lock, with LOCK_NB it does not.
func tryLock(path string, how int) (fd int, err error) {
	fd, _, err = open(path, syscall.O_RDWR|syscall.O_CREAT)
	if err != nil {
		return -1, err
	}
	err = again(func() error { return syscall.Flock(fd, syscall.LOCK_EX|how) })
	if err == nil && !isStill(fd, path) {
		err = syscall.EWOULDBLOCK // removed meanwhile: the lock is on a file that no longer counts
	}
	switch err {
	case nil:
		return fd, nil
	case syscall.EWOULDBLOCK:
		_ = syscall.Close(fd)
		return -1, nil
	}
	_ = syscall.Close(fd)
	return -1, &fs.PathError{Op: "lock", Path: path, Err: err}
}

func isStill(fd int, path string) bool {
	var a, b syscall.Stat_t
	return syscall.Fstat(fd, &a) == nil && syscall.Lstat(path, &b) == nil && a.Dev == b.Dev && a.Ino == b.Ino
}

func (l fileLock) unlock() { _ = syscall.Close(int(l)) }

// remove removes the locked file, so that a process that waits for it starts again.
func (l fileLock) remove(path string) error {
	defer l.unlock()
	return removeFile(path)
}

// checkOwn fails unless path names a regular file that only this user can have written.
func checkOwn(path string) error {
	var st syscall.Stat_t
	if err := syscall.Lstat(path, &st); err != nil {
		return &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	switch {
	case st.Mode&syscall.S_IFMT == syscall.S_IFLNK:
		return &pathError{path, "is a symbolic link", ErrUnsafe}
	case st.Mode&syscall.S_IFMT != syscall.S_IFREG || int(st.Uid) != syscall.Geteuid():
		return &pathError{path, "is not a file of this user's", ErrUnsafe}
	case st.Mode&0o022 != 0:
		return &pathError{path, "can be written by others", ErrUnsafe}
	}
	return nil
}

// appendFile writes under a lock, so that a partial write can be undone without affecting another's. A file that b
// would make larger than limit is first moved to path.1; if that fails it stays.
func appendFile(path string, b []byte, limit int64) error {
	deadline := time.Now().Add(lockWait)
	for {
		fd, _, err := open(path, syscall.O_WRONLY|syscall.O_APPEND|syscall.O_CREAT)
		if err != nil {
			return err
		}
		moved, err := appendTo(fd, path, b, limit, deadline)
		syscall.Close(fd)
		if !moved || err != nil {
			return err
		}
	}
}

// appendTo is appendFile for an open file; moved reports that nothing was written because the file isn't at path any
// more.
func appendTo(fd int, path string, b []byte, limit int64, deadline time.Time) (moved bool, err error) {
	for {
		err = again(func() error { return syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB) })
		if err != syscall.EWOULDBLOCK || time.Now().After(deadline) {
			break
		}
		time.Sleep(time.Millisecond)
	}

	var st, at syscall.Stat_t
	if err == nil {
		err = syscall.Fstat(fd, &st)
	}
	if err != nil {
		return false, &fs.PathError{Op: "lock", Path: path, Err: err}
	}
	if syscall.Lstat(path, &at) != nil || at.Ino != st.Ino || at.Dev != st.Dev {
		return true, nil
	}
	if st.Size > 0 && st.Size+int64(len(b)) > limit && syscall.Rename(path, path+".1") == nil {
		return true, nil
	}

	if st.Mode&0o077 != 0 {
		err = syscall.Fchmod(fd, 0o600)
	}
	if err == nil {
		if err = writeAll(fd, b); err != nil {
			_ = syscall.Ftruncate(fd, st.Size)
		}
	}
	if err != nil {
		return false, &fs.PathError{Op: "append", Path: path, Err: err}
	}
	return false, nil
}

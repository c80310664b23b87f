//go:build unix

package cli

import (
	"os"
	"syscall"
)

// A Steady writer writes to stdout or stderr. If the reader is gone, the write returns an error; with os.File it would
// end the program. Whoever closed one stream may still be waiting for the other.
type Steady struct {
	*os.File
	Fd int
}

func (s Steady) Write(b []byte) (n int, err error) {
	for n < len(b) {
		m, err := syscall.Write(s.Fd, b[n:])
		n += max(m, 0)
		switch err {
		case nil, syscall.EINTR:
		case syscall.EAGAIN: // the host's end doesn't block: package os can wait
			m, err := s.File.Write(b[n:])
			return n + m, err
		default:
			return n, err
		}
	}
	return n, nil
}

// registeredHome returns this user's home folder from /etc/passwd, or "" if the user isn't in that file, as on macOS.
func registeredHome() string {
	text, _ := os.ReadFile("/etc/passwd")
	return homeIn(string(text), os.Getuid())
}

// ours reports whether a folder belongs to this user or to root. A hook file that another user puts above the current
// folder must not count.
func ours(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(stat.Uid) == os.Getuid() || stat.Uid == 0 && info.Mode()&0o022 == 0)
}

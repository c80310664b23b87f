//go:build !unix

package cli

import "os"

// A Steady writer writes to stdout or stderr.
type Steady struct {
	*os.File
	Fd int
}

// registeredHome returns this user's home folder in the system's list of users; see system_unix.go.
func registeredHome() string { return "" }

// ours reports whether a folder belongs to this user; see system_unix.go.
func ours(string) bool { return true }

//go:build !unix

package main

import "os"

// A steady writer writes to stdout or stderr.
type steady struct {
	*os.File
	fd int
}

// registeredHome is this user's home folder in the system's register of users; see system_unix.go.
func registeredHome() string { return "" }

// ours reports whether a folder belongs to this user; see system_unix.go.
func ours(string) bool { return true }

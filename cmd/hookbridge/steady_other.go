//go:build !unix

package main

import "os"

// A steady writer writes to stdout or stderr.
type steady struct {
	*os.File
	fd int
}

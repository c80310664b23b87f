//go:build !windows

package cli

import "os"

// hasColors reports whether a terminal reads the marks of colors; see columns_windows.go.
func hasColors(*os.File) bool { return true }

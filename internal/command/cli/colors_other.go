//go:build !windows

package cli

import "os"

// hasColors reports whether a terminal interprets color marks; see columns_windows.go.
func hasColors(*os.File) bool { return true }

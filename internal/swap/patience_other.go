//go:build !windows

package swap

// Patiently tries once: other programs can't block this; see patience_windows.go.
func Patiently(try func() error) error { return try() }

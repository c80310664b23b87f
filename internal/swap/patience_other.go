//go:build !windows

package swap

// Patiently tries what other programs can't be in the way of; see patience_windows.go.
func Patiently(try func() error) error { return try() }

//go:build !windows

package toolpath

func shortName(file string) string { return file }

// Package swap exchanges two files in one step, so that what a name stood for is
// kept and can be looked at, and has patience where a system doesn't rename open files.
package swap

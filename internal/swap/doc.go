// Package swap exchanges two files in one step, so that what a name stood for is
// kept and can be looked at.
package swap

// Package swap exchanges two files in one step, so that the previous file is kept and can be examined. It also retries
// renames on systems that don't rename open files.
package swap

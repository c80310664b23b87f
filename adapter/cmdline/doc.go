// Package cmdline reads and writes the command lines by which agents call the
// bridge: those that install writes, and those in which convert wraps a hook.
package cmdline

// Package hostile has only tests that attack the program: hooks and machines that fail in every way, input made to
// break it, many calls at once and for long. They run the built command, as hosts do, and check leftover processes in
// /proc: on Linux only.
//
// The short form runs with every go test. HOOKBRIDGE_LONG=1 runs all of it; docs/reliability.md has the figures and the
// commands.
package hostile

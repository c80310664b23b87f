// Package hostile holds no code, only tests that mean the program ill: hooks and
// machines that fail in every way, input made to break it, many calls at once and
// for long. They drive the built command, as hosts do, and look for what is left in
// /proc: on Linux only.
//
// The short form runs with every go test. HOOKBRIDGE_LONG=1 runs all of it;
// docs/reliability.md has the figures and the commands.
package hostile

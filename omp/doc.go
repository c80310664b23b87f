// Package omp makes Oh My Pi a host of hooks. Oh My Pi 18.2.3 is a fork of Pi and has no command hooks: the extension
// that this package writes is Pi's, with the end of a turn as Oh My Pi has it.
//
// Authority: npm @oh-my-pi/pi-coding-agent 18.2.3 as it was observed headless, then its source. Checked 2026-11-28. It
// has folders of its own, so an extension of Pi's does nothing in it. A project's extension needs no trust. One that
// can't be parsed is left out with a line on stderr, and every call runs. A handler has 30 seconds, and then the call
// is refused: the extension refuses a little earlier and says so.
//
// Known deviations: the calls of a sub-agent were not tried, and 18.3.4 only with the native library of 18.2.11.
package omp

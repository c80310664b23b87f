// Package omp makes Oh My Pi a host of hooks. Oh My Pi 18.2.3 is a fork of Pi and has no command hooks. The extension
// that this package writes is Pi's, adapted to the end of a turn in Oh My Pi.
//
// Authority: npm @oh-my-pi/pi-coding-agent 18.2.3 as it was observed headless, then its source. Checked 2026-11-28. It
// has its own folders, so an extension of Pi's has no effect in it. A project's extension needs no trust. One that
// can't be parsed is skipped with a line on stderr, and every call runs. A handler has 30 seconds, and then the call is
// denied: the extension denies a little earlier, with that reason.
//
// Known deviations: the calls of a sub-agent were not tried, and 18.3.4 only with the native library of 18.2.11.
package omp

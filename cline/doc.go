// Package cline is the dialect of Cline, whose hooks are executables that are named by an event.
//
// Authority: npm cline 3.0.65 as it was observed in JSON mode, then its program. Checked 2026-11-27.
//
// There is no configuration: no matcher, no condition, no timeout. Exit codes mean nothing, and one JSON object on
// stdout is the answer. Its only refusal, cancel, ends the whole run and tells nobody the reason; an input with which
// one of the client's own tools fails refuses the call alone, and the model reads why. Tools take lists: of commands,
// of files.
//
// Known deviations: the VS Code extension, which runs the same files, was not driven. Its payloads have no id of the
// call, by which they are known, and get no answer but cancel. PreCompact, TaskResume, TaskCancel and
// TaskError, by which files may be named too, were raised by no headless run and have no rows.
package cline

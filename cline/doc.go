// Package cline is the dialect of Cline, whose hooks are executables named after an event.
//
// Authority: npm cline 3.0.65 as it was observed in JSON mode, then its program. Checked 2026-11-27.
//
// There is no configuration: no matcher, no condition, no timeout. Exit codes have no meaning, and one JSON object on
// stdout is the answer. Its only denial, cancel, ends the whole run without showing the reason. An input that makes one
// of the client's own tools fail denies just the call, and the model reads the reason. Tools take lists: of commands,
// of files.
//
// Known deviations: the VS Code extension, which runs the same files, was not tested. Its payloads are recognized by
// having no id of the call, and get no answer but cancel. PreCompact, TaskResume, TaskCancel and TaskError, which files
// may be named after too, were raised by no headless run and have no rows.
package cline

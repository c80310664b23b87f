package main

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// appendLog writes one JSON line about a call: what log shows and what replay
// needs to run it again. What hooks printed is left out.
func appendLog(f *runFlags, b *bridge.Bridge, rep *bridge.Report, stdin, answer []byte, failed error, start time.Time) error {
	return state.AppendOwn(f.log, append(f.record(b, rep, stdin, answer, failed, start), '\n'))
}

// A logRecord is one line of a log; lines of older versions lack members.
type logRecord struct {
	Time     string       `json:"time"`
	HooksOf  string       `json:"hooks_of"`
	Host     string       `json:"host"` // this and the next five: "" if the payload couldn't be read
	Version  string       `json:"version"`
	Event    string       `json:"event"`
	Session  string       `json:"session"`
	Tool     string       `json:"tool,omitempty"`
	Project  string       `json:"project"`
	Hooks    []logHook    `json:"hooks"`
	Decision string       `json:"decision"`
	Effects  string       `json:"effects"`
	Findings []logFinding `json:"diagnostics"`
	Failed   bool         `json:"failed"`
	MS       float64      `json:"ms"`
	Args     []string     `json:"args"`
	Stdin    jsondoc.Raw  `json:"stdin,omitempty"` // a string, as Stdout; nil: the payload wasn't to be logged
	Stdout   jsondoc.Raw  `json:"stdout,omitempty"`

	raw []byte // the line
}

// A logHook is what one hook did.
type logHook struct {
	Event    string  `json:"event"`
	Tool     string  `json:"tool,omitempty"`
	Handler  string  `json:"handler"`
	Command  string  `json:"command"`
	File     string  `json:"file"`
	Path     string  `json:"path"`
	Line     int     `json:"line"`
	Exit     int     `json:"exit"`
	Signal   string  `json:"signal,omitempty"`
	TimedOut bool    `json:"timed_out"`
	MS       float64 `json:"ms"`
	Decision string  `json:"decision"`
	Effects  string  `json:"effects"`
}

// A logFinding is a finding without its text, which may quote the payload.
type logFinding struct {
	Code     schema.Code `json:"code"`
	Severity string      `json:"severity"`
	Path     string      `json:"path"`
}

func (f logFinding) String() string {
	return strings.TrimSpace(f.Severity + " " + string(f.Code) + " " + f.Path)
}

// record is the line of the log: the one place where it is made.
func (f *runFlags) record(b *bridge.Bridge, rep *bridge.Report, stdin, answer []byte, failed error, start time.Time) []byte {
	r := logRecord{
		Time: start.UTC().Format(time.RFC3339Nano), HooksOf: b.Hooks.Profile().Name,
		Hooks:    each(rep.Runs, f.hookRecord),
		Decision: rep.Reply.Verdict.String(), Effects: rep.Reply.Uses().String(),
		Findings: each(rep.Diagnostics, func(d schema.Diagnostic) logFinding { return logFinding{d.Code, d.Severity.String(), d.Path} }),
		Failed:   failed != nil, MS: milliseconds(time.Since(start)), Args: each(f.told, f.veil),
	}
	if c := rep.Call; c != nil {
		r.Host, r.Version, r.Event, r.Project = c.Dialect, c.Version, c.Native, c.Project
		r.Session, r.Tool = f.veil(c.Str(schema.FieldSession)), f.veil(c.Tool.Name)
	}
	if f.logPayload {
		r.Stdin, r.Stdout = ordjson.AppendString(nil, f.veil(string(stdin))), ordjson.AppendString(nil, f.veil(string(answer)))
	}
	return jsondoc.Marshal(r)
}

func (f *runFlags) hookRecord(run bridge.HookRun) logHook {
	h, r := &run.Hook, &run.Result
	return logHook{run.View.Event, run.View.Tool, h.Handler.String(), f.veil(what(h)), h.Source.File, h.Path, h.Line, r.Exit, r.Signal, r.TimedOut,
		milliseconds(r.End.Sub(r.Start)), run.Reply.Verdict.String(), run.Reply.Uses().String()}
}

// readRecord reads one line of a log.
func readRecord(line []byte) (*logRecord, error) {
	if err := ordjson.Check(line); err != nil {
		return nil, err
	}
	r := &logRecord{}
	if err := jsondoc.Unmarshal(line, r); err != nil {
		return nil, errors.New("not a record of a log: " + err.Error())
	}
	r.raw = bytes.TrimSpace(line)
	return r, nil
}

// outcome is the answer in one word.
func (r *logRecord) outcome() string {
	switch {
	case r.Failed:
		return "failed"
	case r.Decision != "none" && r.Decision != "":
		return r.Decision
	case r.Effects != "":
		return r.Effects
	}
	return "none"
}

package main

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A logRecord is one line of a log: what log shows. What the host sent and
// what hooks printed is left out. Lines of older versions lack fields, and have others.
type logRecord struct {
	Time     string       `json:"time"`
	HooksOf  string       `json:"hooks_of"`
	Host     string       `json:"host"` // this and the next five: "" if the payload couldn't be read
	Version  string       `json:"version"`
	Event    string       `json:"event"`
	Session  string       `json:"session"`
	Tool     string       `json:"tool,omitempty"`
	CallID   string       `json:"call_id,omitempty"`
	Trace    string       `json:"traceparent,omitempty"` // of the payload, or of the environment
	Project  string       `json:"project"`
	Hooks    []logHook    `json:"hooks"`
	Decision string       `json:"decision"`
	Reason   string       `json:"reason,omitempty"` // this and those of the hooks: with --log-reasons
	Effects  string       `json:"effects"`
	Findings []logFinding `json:"diagnostics"`
	Failed   bool         `json:"failed"`
	MS       float64      `json:"ms"`

	raw []byte // the line
}

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
	Reason   string  `json:"reason,omitempty"`
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
func (f *runFlags) record(b *bridge.Bridge, rep *bridge.Report, failed error, start time.Time) []byte {
	r := logRecord{
		Time:     start.UTC().Format(time.RFC3339Nano),
		HooksOf:  strings.Join(adapter.NamesOf(append([]adapter.Dialect{b.Hooks}, b.Others...)), ","),
		Hooks:    each(rep.Runs, f.hookRecord),
		Decision: rep.Reply.Verdict.String(), Effects: rep.Reply.Uses().String(),
		Reason: f.loggedReason(rep.Reply.Reason),
		Findings: each(ofCall(b, rep), func(d schema.Diagnostic) logFinding {
			return logFinding{d.Code, d.Severity.String(), d.Path}
		}),
		Failed: failed != nil, MS: milliseconds(time.Since(start)),
		Trace: f.hideSecrets(b.Places.Env.Get("TRACEPARENT")),
	}
	if c := rep.Call; c != nil {
		r.Host, r.Version, r.Event, r.Project = c.Dialect, c.Version, c.Native, c.Project
		r.Session, r.Tool = f.hideSecrets(c.Str(schema.FieldSession)), f.hideSecrets(c.Tool.Name)
		r.Trace = cmp.Or(f.hideSecrets(c.Extra.Str("traceparent")), r.Trace)
		r.CallID = f.hideSecrets(c.Tool.UseID)
	}
	return jsondoc.Marshal(r)
}

func (f *runFlags) hookRecord(run bridge.HookRun) logHook {
	h, r := &run.Hook, &run.Result
	return logHook{run.View.Event, run.View.Tool, h.Handler.String(), f.hideSecrets(what(h)), h.Source.File, h.Path,
		h.Line, r.Exit, r.Signal, r.TimedOut,
		milliseconds(r.End.Sub(r.Start)), run.Reply.Verdict.String(), f.loggedReason(run.Reply.Reason),
		run.Reply.Uses().String()}
}

// loggedReason is a reason as the log has it, "" without --log-reasons.
func (f *runFlags) loggedReason(reason string) string {
	if !f.On("log-reasons") {
		return ""
	}
	return f.hideSecrets(reason)
}

// ofCall are the findings of a report that concern its call: not those about entries of other events in the hook files,
// which doctor lists.
func ofCall(b *bridge.Bridge, rep *bridge.Report) schema.Diagnostics {
	if rep.Call == nil {
		return rep.Diagnostics
	}
	owners := append([]adapter.Dialect{b.Hooks}, b.Others...)
	raised := map[string]bool{}
	for _, d := range owners {
		for _, v := range d.Views(rep.Call) {
			raised[v.Event] = true
		}
	}
	elsewhere := func(name string) bool {
		return !raised[name] && slices.ContainsFunc(owners, func(d adapter.Dialect) bool {
			return d.Profile().Row(name) != nil
		})
	}
	return slices.DeleteFunc(slices.Clone(rep.Diagnostics), func(d schema.Diagnostic) bool {
		return d.File != "" && slices.ContainsFunc(strings.Split(d.Path, "/"), elsewhere)
	})
}

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

// what names the call: the agent, its event and the tool, as far as they are known.
func (r *logRecord) what() string {
	return strings.TrimSpace(strings.Join([]string{r.Host, r.Event, r.Tool}, " "))
}

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

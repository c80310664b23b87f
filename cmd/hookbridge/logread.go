package main

import (
	"bytes"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A logRecord is one line of a log as log and replay read it; lines of older
// versions lack members.
type logRecord struct {
	raw                                                          []byte
	time, host, hooksOf, event, tool, project, decision, effects string
	session                                                      string
	failed                                                       bool
	ms                                                           float64
	args                                                         []string
	stdin, stdout                                                string
	recorded                                                     bool // the payload is there
	hooks                                                        []logHook
	findings                                                     []string // "severity code path"
}

// A logHook is what one hook did.
type logHook struct {
	event, tool, handler, command, file, path, signal, decision, effects string
	line, exit                                                           int64
	timedOut                                                             bool
	ms                                                                   float64
}

// members gives access to the values of an object by name.
type members ordjson.Object

func (m members) text(name string) string {
	raw, _ := ordjson.Object(m).Get(name)
	s, _ := ordjson.String(raw)
	return s
}

func (m members) whole(name string) int64 {
	raw, _ := ordjson.Object(m).Get(name)
	n, _ := ordjson.Int(raw)
	return n
}

func (m members) number(name string) float64 {
	raw, _ := ordjson.Object(m).Get(name)
	f, _ := ordjson.Float(raw)
	return f
}

func (m members) yes(name string) bool {
	raw, _ := ordjson.Object(m).Get(name)
	b, _ := ordjson.Bool(raw)
	return b
}

// list calls do for every element of an array.
func (m members) list(name string, do func(raw []byte)) {
	raw, _ := ordjson.Object(m).Get(name)
	elements, _ := ordjson.Elements(raw, 0)
	for _, e := range elements {
		do(e.Value)
	}
}

// readRecord reads one line of a log.
func readRecord(line []byte) (*logRecord, error) {
	o, err := ordjson.Parse(line)
	if err != nil {
		return nil, err
	}
	m := members(o)
	r := &logRecord{raw: bytes.TrimSpace(line), time: m.text("time"), host: m.text("host"), hooksOf: m.text("hooks_of"), event: m.text("event"), tool: m.text("tool"),
		project: m.text("project"), session: m.text("session"), decision: m.text("decision"), effects: m.text("effects"), failed: m.yes("failed"), ms: m.number("ms"),
		stdin: m.text("stdin"), stdout: m.text("stdout")}
	_, r.recorded = o.Get("stdin")
	m.list("args", func(raw []byte) {
		s, _ := ordjson.String(raw)
		r.args = append(r.args, s)
	})
	m.list("hooks", func(raw []byte) {
		o, _ := ordjson.Members(raw, 0)
		h := members(o)
		r.hooks = append(r.hooks, logHook{event: h.text("event"), tool: h.text("tool"), handler: h.text("handler"), command: h.text("command"), file: h.text("file"),
			path: h.text("path"), signal: h.text("signal"), decision: h.text("decision"), effects: h.text("effects"), line: h.whole("line"), exit: h.whole("exit"),
			timedOut: h.yes("timed_out"), ms: h.number("ms")})
	})
	m.list("diagnostics", func(raw []byte) {
		o, _ := ordjson.Members(raw, 0)
		d := members(o)
		r.findings = append(r.findings, strings.TrimSpace(d.text("severity")+" "+d.text("code")+" "+d.text("path")))
	})
	return r, nil
}

// outcome is the answer in one word.
func (r *logRecord) outcome() string {
	switch {
	case r.failed:
		return "failed"
	case r.decision != "none" && r.decision != "":
		return r.decision
	case r.effects != "":
		return r.effects
	}
	return "none"
}

package main

import (
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// appendLog writes one JSON line about a call: what log shows and what replay
// needs to run it again. What hooks printed is left out.
func appendLog(f *runFlags, b *bridge.Bridge, rep *bridge.Report, stdin, answer []byte, failed error, start time.Time) error {
	return state.AppendOwn(f.log, append(f.record(b, rep, stdin, answer, failed, start), '\n'))
}

// record is the line of the log: the one place where it is written.
func (f *runFlags) record(b *bridge.Bridge, rep *bridge.Report, stdin, answer []byte, failed error, start time.Time) []byte {
	w := ordjson.NewWriter(nil)
	w.String("time", start.UTC().Format(time.RFC3339Nano))
	w.String("hooks_of", b.Hooks.Profile().Name)
	if c := rep.Call; c != nil {
		w.String("host", c.Dialect)
		w.String("version", c.Version)
		w.String("event", c.Native)
		w.String("session", f.veil(c.Str(schema.FieldSession)))
		if c.Tool.Name != "" {
			w.String("tool", f.veil(c.Tool.Name))
		}
		w.String("project", c.Project)
	}
	var runs []byte
	for i := range rep.Runs {
		runs = append(f.appendRun(comma(runs), &rep.Runs[i]), ' ')
	}
	w.Raw("hooks", list(runs))
	w.String("decision", rep.Reply.Verdict.String())
	w.String("effects", rep.Reply.Uses().String())
	var losses []byte
	for _, d := range rep.Diagnostics {
		l := ordjson.NewWriter(comma(losses))
		l.String("code", string(d.Code))
		l.String("severity", d.Severity.String())
		l.String("path", d.Path)
		losses = append(l.Bytes(), ' ')
	}
	w.Raw("diagnostics", list(losses))
	w.Bool("failed", failed != nil)
	w.Raw("ms", millis(time.Since(start)))
	w.Raw("args", arrayOf(f.told, func(a string) []byte { return ordjson.AppendString(nil, f.veil(a)) }))
	if f.logPayload {
		w.String("stdin", f.veil(string(stdin)))
		w.String("stdout", f.veil(string(answer)))
	}
	return w.Bytes()
}

func (f *runFlags) appendRun(dst []byte, run *bridge.HookRun) []byte {
	w := ordjson.NewWriter(dst)
	h := &run.Hook
	w.String("event", run.View.Event)
	if run.View.Tool != "" {
		w.String("tool", run.View.Tool)
	}
	w.String("handler", h.Handler.String())
	w.String("command", f.veil(what(h)))
	w.String("file", h.Source.File)
	w.String("path", h.Path)
	w.Int("line", int64(h.Line))
	w.Int("exit", int64(run.Result.Exit))
	if run.Result.Signal != "" {
		w.String("signal", run.Result.Signal)
	}
	w.Bool("timed_out", run.Result.TimedOut)
	w.Raw("ms", millis(run.Result.End.Sub(run.Result.Start)))
	w.String("decision", run.Reply.Verdict.String())
	w.String("effects", run.Reply.Uses().String())
	return w.Bytes()
}

func comma(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	b[len(b)-1] = ','
	return b
}

func list(b []byte) []byte {
	if len(b) == 0 {
		return []byte("[]")
	}
	out := append([]byte{'['}, b...)
	out[len(out)-1] = ']'
	return out
}

func millis(d time.Duration) []byte {
	return strconv.AppendFloat(nil, float64(d.Microseconds())/1000, 'f', -1, 64)
}

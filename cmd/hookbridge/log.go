package main

import (
	"os"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// appendLog writes one JSON line about a call. Payload and answer are left out
// unless asked for, and so is what hooks printed: it may quote either.
func appendLog(f *runFlags, b *adapter.Bridge, rep *adapter.Report, stdin, answer []byte, failed error, start time.Time) error {
	w := ordjson.NewWriter(nil)
	w.String("time", start.UTC().Format(time.RFC3339Nano))
	w.String("hooks_of", b.Hooks.Name())
	if c := rep.Call; c != nil {
		w.String("host", c.Dialect)
		w.String("version", c.Version)
		w.String("event", c.Native)
		w.String("session", c.Str(schema.FieldSession))
		if c.Tool.Name != "" {
			w.String("tool", c.Tool.Name)
		}
	}
	var runs []byte
	for i := range rep.Runs {
		runs = append(appendRun(comma(runs), &rep.Runs[i]), ' ')
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
	if f.logPayload {
		w.String("stdin", string(stdin))
		w.String("stdout", string(answer))
	}
	file, err := os.OpenFile(f.log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(w.Bytes(), '\n'))
	if cerr := file.Close(); err == nil {
		err = cerr
	}
	return err
}

func appendRun(dst []byte, run *adapter.HookRun) []byte {
	w := ordjson.NewWriter(dst)
	h := &run.Hook
	w.String("event", run.View.Event)
	if run.View.Tool != "" {
		w.String("tool", run.View.Tool)
	}
	w.String("handler", h.Handler.String())
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

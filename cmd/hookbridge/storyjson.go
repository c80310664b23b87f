package main

import (
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// json is the story as one object.
func (s *story) json() []byte {
	rep := s.report
	w := ordjson.NewWriter(nil)
	w.String("host", s.host())
	w.String("hooks", s.b.Hooks.Profile().Name)
	if rep.Call != nil {
		w.String("event", rep.Call.Native)
	}
	w.String("answer", s.outcome)
	putJSON(&w, "payload", s.payload)
	w.Raw("views", arrayOf(rep.Trace.Views, viewJSON))
	w.Raw("ran", arrayOf(rep.Runs, func(run bridge.HookRun) []byte { return s.runJSON(&run) }))
	w.Raw("skipped", arrayOf(rep.Trace.Skipped, func(x bridge.Skip) []byte {
		o := s.hookJSON(&x.Hook)
		o.String("why", x.Why.String())
		o.String("detail", x.Detail)
		return o.Bytes()
	}))
	w.Raw("merged", replyJSON(&rep.Trace.Merged))
	w.Raw("reply", replyJSON(&rep.Reply))
	putJSON(&w, "stdout", s.answer)
	w.Raw("diagnostics", diagnosticsJSON(rep.Diagnostics))
	return w.Bytes()
}

// putJSON writes a document as it is, and what is none as a text.
func putJSON(w *ordjson.Writer, name string, text []byte) {
	switch {
	case text == nil:
		w.Raw(name, []byte("null"))
	case ordjson.Check(text) == nil:
		w.Raw(name, ordjson.AppendCompact(nil, text))
	default:
		w.String(name, string(text))
	}
}

func arrayOf[T any](list []T, one func(T) []byte) []byte {
	out := []byte{'['}
	for i, x := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, one(x)...)
	}
	return append(out, ']')
}

func viewJSON(v schema.View) []byte {
	w := ordjson.NewWriter(nil)
	w.String("event", v.Event)
	w.String("tool", v.Tool)
	w.Strings("matched_against", v.Target)
	return w.Bytes()
}

// hookJSON begins an object about a hook.
func (s *story) hookJSON(h *schema.Hook) ordjson.Writer {
	w := ordjson.NewWriter(nil)
	w.String("file", s.short(h.Source.File))
	w.String("path", h.Path)
	w.Int("line", int64(h.Line))
	w.String("event", h.Native)
	w.String("matcher", h.Matcher)
	w.String("handler", h.Handler.String())
	w.String("command", what(h))
	return w
}

func (s *story) runJSON(run *bridge.HookRun) []byte {
	w := s.hookJSON(&run.Hook)
	w.String("tool", run.View.Tool)
	putJSON(&w, "stdin", run.Stdin)
	w.Bool("started", run.Ran && run.Result.Err == nil)
	w.Bool("async", run.Async)
	if !run.Async {
		w.Int("exit", int64(run.Result.Exit))
		w.String("signal", run.Result.Signal)
		w.Bool("timed_out", run.Result.TimedOut)
		w.Raw("ms", millis(run.Result.End.Sub(run.Result.Start)))
		w.String("stdout", string(run.Result.Stdout))
		w.String("stderr", string(run.Result.Stderr))
		w.Raw("reply", replyJSON(&run.Reply))
	}
	w.Raw("diagnostics", diagnosticsJSON(diagnosticsOf(s.report.Diagnostics, &run.Hook)))
	return w.Bytes()
}

// replyJSON tells a reply effect by effect.
func replyJSON(r *schema.Reply) []byte {
	w := ordjson.NewWriter(nil)
	w.String("decision", r.Verdict.String())
	w.Strings("effects", names(r.Uses()))
	for _, p := range replyParts(r) {
		if p.name != r.Verdict.String() && p.name != schema.EffectEnv.Name() {
			w.String(p.name, p.text)
		}
	}
	if len(r.Env) > 0 {
		env := ordjson.NewWriter(nil)
		for _, v := range r.Env {
			env.String(v.Name, v.Value)
		}
		w.Raw(schema.EffectEnv.Name(), env.Bytes())
	}
	return w.Bytes()
}

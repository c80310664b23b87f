package main

import (
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

func (s *story) doc() document {
	rep := s.report
	var event any
	if rep.Call != nil {
		event = optional(rep.Call.Native)
	}
	return document{
		{"host", s.host()}, {"hooks", s.b.Hooks.Profile().Name}, {"event", event}, {"answer", s.outcome}, {"payload", jsondoc.Document(s.payload)},
		{"views", each(rep.Trace.Views, func(v schema.View) document {
			return document{{"event", v.Event}, {"tool", v.Tool}, {"matched_against", v.Target}}
		})},
		{"ran", each(rep.Runs, s.runDoc)},
		{"skipped", each(rep.Trace.Skipped, func(x bridge.Skip) document {
			return append(s.hookDoc(&x.Hook), member{"why", x.Why}, member{"detail", x.Detail})
		})},
		{"merged", replyJSON(&rep.Trace.Merged)}, {"reply", replyJSON(&rep.Reply)}, {"stdout", jsondoc.Document(s.answer)},
		{"diagnostics", findingDocs(rep.Diagnostics)},
	}
}

// hookDoc says which hook it is.
func (s *story) hookDoc(h *schema.Hook) document {
	return document{
		{"file", s.short(h.Source.File)}, {"path", h.Path}, {"line", h.Line}, {"event", h.Native}, {"matcher", h.Matcher},
		{"handler", h.Handler}, {"command", what(h)},
	}
}

// runDoc is a hook that ran, and how it ended if somebody waited for that.
func (s *story) runDoc(run bridge.HookRun) document {
	r := &run.Result
	doc := append(s.hookDoc(&run.Hook), document{
		{"tool", run.View.Tool}, {"stdin", jsondoc.Document(run.Stdin)}, {"started", run.Ran && r.Err == nil}, {"async", run.Async},
	}...)
	if !run.Async {
		doc = append(doc, document{
			{"exit", r.Exit}, {"signal", r.Signal}, {"timed_out", r.TimedOut}, {"ms", milliseconds(r.End.Sub(r.Start))},
			{"stdout", string(r.Stdout)}, {"stderr", string(r.Stderr)}, {"reply", replyJSON(&run.Reply)},
		}...)
	}
	return append(doc, member{"diagnostics", findingDocs(diagnosticsOf(s.report.Diagnostics, &run.Hook))})
}

// replyJSON tells a reply effect by effect: the members are those that it has, by the
// effects' names.
func replyJSON(r *schema.Reply) jsondoc.Raw {
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

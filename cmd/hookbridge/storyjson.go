package main

import (
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A storyDoc is a story in JSON.
type storyDoc struct {
	Host        string              `json:"host"`
	Hooks       string              `json:"hooks"`
	Event       string              `json:"event,omitempty"`
	Answer      string              `json:"answer"`
	Payload     jsondoc.Raw         `json:"payload"`
	Views       []viewDoc           `json:"views"`
	Ran         []any               `json:"ran"` // ranDoc or asyncDoc
	Skipped     []skippedDoc        `json:"skipped"`
	Merged      jsondoc.Raw         `json:"merged"`
	Reply       jsondoc.Raw         `json:"reply"`
	Stdout      jsondoc.Raw         `json:"stdout"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
}

type viewDoc struct {
	Event   string   `json:"event"`
	Tool    string   `json:"tool"`
	Matched []string `json:"matched_against"`
}

// A placeDoc says which hook it is.
type placeDoc struct {
	File    string `json:"file"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Event   string `json:"event"`
	Matcher string `json:"matcher"`
	Handler string `json:"handler"`
	Command string `json:"command"`
}

// A skippedDoc is a hook that didn't run.
type skippedDoc struct {
	placeDoc
	Why    string `json:"why"`
	Detail string `json:"detail"`
}

// A startDoc is how a hook was started.
type startDoc struct {
	placeDoc
	Tool    string      `json:"tool"`
	Stdin   jsondoc.Raw `json:"stdin"`
	Started bool        `json:"started"`
	Async   bool        `json:"async"`
}

// A ranDoc is a hook that ran and was waited for.
type ranDoc struct {
	startDoc
	Exit        int                 `json:"exit"`
	Signal      string              `json:"signal"`
	TimedOut    bool                `json:"timed_out"`
	MS          float64             `json:"ms"`
	Stdout      string              `json:"stdout"`
	Stderr      string              `json:"stderr"`
	Reply       jsondoc.Raw         `json:"reply"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
}

// An asyncDoc is a hook that nobody waits for.
type asyncDoc struct {
	startDoc
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
}

func (s *story) doc() storyDoc {
	rep := s.report
	doc := storyDoc{
		Host: s.host(), Hooks: s.b.Hooks.Profile().Name, Answer: s.outcome, Payload: jsondoc.Document(s.payload),
		Views: each(rep.Trace.Views, func(v schema.View) viewDoc { return viewDoc{v.Event, v.Tool, array(v.Target)} }),
		Ran:   each(rep.Runs, s.runDoc),
		Skipped: each(rep.Trace.Skipped, func(x bridge.Skip) skippedDoc {
			return skippedDoc{s.placeDoc(&x.Hook), x.Why.String(), x.Detail}
		}),
		Merged: replyJSON(&rep.Trace.Merged), Reply: replyJSON(&rep.Reply), Stdout: jsondoc.Document(s.answer),
		Diagnostics: findingDocs(rep.Diagnostics),
	}
	if rep.Call != nil {
		doc.Event = rep.Call.Native
	}
	return doc
}

func (s *story) placeDoc(h *schema.Hook) placeDoc {
	return placeDoc{s.short(h.Source.File), h.Path, h.Line, h.Native, h.Matcher, h.Handler.String(), what(h)}
}

func (s *story) runDoc(run bridge.HookRun) any {
	start := startDoc{s.placeDoc(&run.Hook), run.View.Tool, jsondoc.Document(run.Stdin), run.Ran && run.Result.Err == nil, run.Async}
	found := findingDocs(diagnosticsOf(s.report.Diagnostics, &run.Hook))
	if run.Async {
		return asyncDoc{start, found}
	}
	r := &run.Result
	return ranDoc{start, r.Exit, r.Signal, r.TimedOut, milliseconds(r.End.Sub(r.Start)), string(r.Stdout), string(r.Stderr), replyJSON(&run.Reply), found}
}

// replyJSON tells a reply effect by effect: the members are those that it has, by the
// effects' names.
func replyJSON(r *schema.Reply) jsondoc.Raw {
	w := ordjson.NewWriter(nil)
	w.String("decision", r.Verdict.String())
	w.Strings("effects", r.Uses().Names())
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

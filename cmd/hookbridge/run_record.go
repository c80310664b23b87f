package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/schema"
)

// record is the line of the log: the one place where it is made.
func (f *runTool) record(b *bridge.Bridge, rep *bridge.Report, failed error, start time.Time) []byte {
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

func (f *runTool) hookRecord(run bridge.HookRun) logHook {
	h, r := &run.Hook, &run.Result
	return logHook{run.View.Event, run.View.Tool, h.Handler.String(), f.hideSecrets(what(h)), h.Source.File, h.Path,
		h.Line, r.Exit, r.Signal, r.TimedOut,
		milliseconds(r.End.Sub(r.Start)), run.Reply.Verdict.String(), f.loggedReason(run.Reply.Reason),
		run.Reply.Uses().String()}
}

// loggedReason is a reason as the log has it, "" without --log-reasons.
func (f *runTool) loggedReason(reason string) string {
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

// saw notes the call. That it can't, on a full disk or in a home folder that can't be written, is none of the host's
// concern: the answer is out.
func (f *runTool) saw(b *bridge.Bridge, rep *bridge.Report, failed error) {
	if !f.On("seen") || rep.Call == nil {
		return
	}
	answer := rep.Reply.Verdict.String()
	if failed != nil {
		answer = "failed"
	}
	c := rep.Call
	key := seenKey(b.Host, c.Native, f.Scope(), c.Project)
	_ = seenStore(b.Places.Env, b.Places.Home).Saw(key, c.Str(schema.FieldSession), time.Now(), answer)
}

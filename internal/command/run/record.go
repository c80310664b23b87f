package run

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// record returns the line of the log. Nothing else builds one.
func (f *call) record(b *bridge.Bridge, rep *bridge.Report, failed error, start time.Time) []byte {
	r := common.LogRecord{
		Time:     start.UTC().Format(time.RFC3339Nano),
		HooksOf:  strings.Join(adapter.NamesOf(append([]adapter.Dialect{b.Hooks}, b.Others...)), ","),
		Hooks:    lists.Map(rep.Runs, f.hookRecord),
		Decision: rep.Reply.Verdict.String(), Effects: rep.Reply.Uses().String(),
		Reason: f.loggedReason(rep.Reply.Reason),
		Findings: lists.Map(ofCall(b, rep), func(d schema.Diagnostic) common.LogFinding {
			return common.LogFinding{Code: d.Code, Severity: d.Severity.String(), Path: d.Path}
		}),
		Failed: failed != nil, MS: cli.Milliseconds(time.Since(start)),
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

func (f *call) hookRecord(run bridge.HookRun) common.LogHook {
	h, r := &run.Hook, &run.Result
	return common.LogHook{Event: run.View.Event, Tool: run.View.Tool, Handler: h.Handler.String(),
		Command: f.hideSecrets(common.What(h)), File: h.Source.File, Path: h.Path,
		Line: h.Line, Exit: r.Exit, Signal: r.Signal, TimedOut: r.TimedOut,
		MS: cli.Milliseconds(r.End.Sub(r.Start)), Decision: run.Reply.Verdict.String(),
		Reason:  f.loggedReason(run.Reply.Reason),
		Effects: run.Reply.Uses().String()}
}

// loggedReason returns a reason for the log, or "" without --log-reasons.
func (f *call) loggedReason(reason string) string {
	if !f.On("log-reasons") {
		return ""
	}
	return f.hideSecrets(reason)
}

// ofCall returns the findings of a report about its call. It leaves out findings about entries of other events in the
// hook files, which doctor lists.
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

// saw notes the call. A failure, on a full disk or in a read-only home folder, must not affect the host: the answer is
// already written.
func (f *call) saw(b *bridge.Bridge, rep *bridge.Report, failed error) {
	if !f.On("seen") || rep.Call == nil {
		return
	}
	answer := rep.Reply.Verdict.String()
	if failed != nil {
		answer = "failed"
	}
	c := rep.Call
	key := common.SeenKey(b.Host, c.Native, f.Scope(), c.Project)
	_ = common.SeenStore(b.Places.Env, b.Places.Home).Saw(key, c.Str(schema.FieldSession), time.Now(), answer)
}

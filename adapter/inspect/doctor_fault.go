package inspect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// idle lists mistakes that keep a hook from ever running, under its own agent or another.
var idle = []schema.Code{schema.CodeVoidHook, schema.CodeDeadMatcher, schema.CodeDeadCondition, schema.CodePluginRoot}

// mistakes collects the mistakes in the files of d: ds, the parser's findings, and the findings of Check about hooks. A
// mistake of one hook is kept until the hook is added; the others are separate findings.
func (x *examination) mistakes(d dialect.Dialect, hooks []schema.Hook, ds schema.Diagnostics) {
	planned := x.planner(d)
	c := &checker{own: vocabularyOf(d), ds: slices.Clone(ds), places: x.places}
	named := map[[2]string][]*schema.Hook{} // by file and JSON Pointer
	for i := range hooks {
		h := &hooks[i]
		c.neverRuns(h)
		paths := []string{h.Path, h.MemberPath("matcher"), h.MemberPath(d.Profile().MemberName(schema.HookCondition))}
		for _, path := range slices.Compact(paths) {
			named[[2]string{h.Source.File, path}] = append(named[[2]string{h.Source.File, path}], h)
		}
	}

	for _, f := range c.ds {
		ofOthers := f.Code == schema.CodeNoHandler && dialect.Related(d, x.host) // the agent itself runs it
		if f.Severity < schema.Loss || ofOthers {
			continue
		}
		c.own.hint(nil, &f)
		found, path := named[[2]string{f.File, f.Path}], f.Path
		for i := strings.LastIndexByte(path, '/'); len(found) == 0 && i > 0; i = strings.LastIndexByte(path, '/') {
			path = path[:i]
			found = named[[2]string{f.File, path}]
		}
		if len(found) == 0 && f.Code == schema.CodeVoidHook { // it applies to all hooks below
			for i := range hooks {
				if hooks[i].Source.File == f.File && strings.HasPrefix(hooks[i].Path, f.Path+"/") {
					found = append(found, &hooks[i])
				}
			}
		}
		for _, h := range found {
			f := f
			status, foreign := Weaker, !dialect.Related(d, x.host)
			switch {
			case foreign && h.Handler == schema.HandlerHTTP && f.Code == schema.CodeVoidHook:
				status = Reached // hookbridge sends the request that the hook's agent won't send
			case foreign && f.Code == schema.CodeNewerPart:
				status = Weaker // hookbridge runs the hook without the unreadable part
			case foreign && f.Code == schema.CodeDeadMatcher && x.imports.fits(h):
				status = Weaker // the host's own import uses its own names of tools
			case foreign && f.Code == schema.CodeDeadMatcher && h.Event.IsTool():
				var some string
				status, some = elsewhereFor(planned, h)
				f.Message += some
			case f.Code == schema.CodeDeadCondition && c.own.holdsSome(h):
				if foreign { // hookbridge passes both spellings to the hook
					status = Reached
				}
			case foreign && f.Code == schema.CodeDeadCondition && unreadable(d, h) != nil:
				status = Reached // hookbridge runs the hook for every call that its matcher accepts
			case foreign && f.Code == schema.CodeDeadCondition && x.imports.runs(h):
				status = Weaker // the host's own import ignores conditions
			case f.Code == schema.CodeDeadMatcher && c.own.reaches(h):
				status = Weaker // it runs for a part of its tools
			case slices.Contains(idle, f.Code),
				f.Code == schema.CodePluginArgs && shell.IsInterpreter(h.Command): // the interpreter waits for a script
				status = Never
			}
			x.note(h, Problem{status, f.Code, f.Severity, f.Message, f.Fix})
		}
		if len(found) == 0 {
			x.found = append(x.found, Finding{
				Host: x.host.Profile().Name, Hooks: d.Profile().Name, File: f.File, Path: f.Path, Line: f.Line,
				Col: f.Col, Event: f.Event,
				Problems: []Problem{{Status: Never, Code: f.Code, Severity: f.Severity, Why: f.Message, Fix: f.Fix}},
			})
		}
	}
}

// elsewhereFor returns how a hook whose matcher matches no tool of its own agent runs under the planner's target. The
// matcher may match a target's tool under the name that the hook sees, or only parts of names, which some then lists.
func elsewhereFor(planned *plan.Planner, h *schema.Hook) (status HookStatus, some string) {
	names, meant := planned.Route(h).Runs()
	switch {
	case meant:
		return Reached, ""
	case len(names) > 0:
		return Weaker, "; here it only finds a part of the names " + plan.Listed(names, "and")
	}
	return Never, ""
}

// note stores a problem of a hook until the hook is added.
func (x *examination) note(h *schema.Hook, p Problem) {
	if x.noted == nil {
		x.noted = map[[2]string][]Problem{}
	}
	at := [2]string{h.Source.File, h.Path}
	if !slices.ContainsFunc(x.noted[at], func(o Problem) bool { return o.Code == p.Code && o.Why == p.Why }) {
		x.noted[at] = append(x.noted[at], p)
	}
}

// merge adds problems to those from the hook's file, which may have the same problem without a fix.
func merge(noted, problems []Problem) []Problem {
	own := len(noted)
	for _, p := range problems {
		same := slices.IndexFunc(noted[:own], func(o Problem) bool { return o.Code == p.Code || o.Why == p.Why })
		if same < 0 {
			noted = append(noted, p)
			continue
		}
		noted[same].Fix = cmp.Or(noted[same].Fix, p.Fix)
	}
	return noted
}

// allHooks returns the hooks of all files, including those that a setting switches off.
func allHooks(res *discover.Result) (hooks []schema.Hook) {
	for _, c := range res.Configs {
		hooks = append(hooks, c.Hooks...)
	}
	return hooks
}

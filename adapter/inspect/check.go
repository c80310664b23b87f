// Package inspect examines hook files and how their hooks work under another agent: [Check] finds mistakes, [Examine]
// finds hooks that don't work, and [Matrix] lists what is supported.
package inspect

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Check looks for common mistakes in a configuration that d has read from text; ds are the parser's findings. It
// returns all findings in the order of their places. Parser findings about another agent's word get a fix.
func Check(d dialect.Dialect, cfg *schema.Config, text []byte, ds schema.Diagnostics,
	p schema.Places) schema.Diagnostics {
	c := &checker{own: vocabularyOf(d), text: text, ds: slices.Clone(ds), places: p}
	c.judge(cfg)
	c.try(cfg.Source)
	slices.SortStableFunc(c.ds, func(a, b schema.Diagnostic) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col, strings.Compare(a.Path, b.Path))
	})
	return slices.Compact(c.ds) // the handlers of a group share its matcher
}

// judge adds to the parser's findings.
func (c *checker) judge(cfg *schema.Config) {
	d, text, p := c.own.d, c.text, c.places
	c.ds = slices.DeleteFunc(c.ds, func(d schema.Diagnostic) bool {
		return c.keepsOthersOut(d) || c.wrapped(d) || d.Code == schema.CodeNoHandler // the agent itself runs it
	})
	for i := range c.ds {
		d := &c.ds[i]
		if line, col, ok := placeOf(text, d.Path); ok { // the parser may have only the place of the whole entry
			d.Line, d.Col = line, col
		}
		c.own.hint(text, d)
	}

	if off := cfg.DisableAll; off != nil && *off && len(cfg.Hooks) > 0 {
		c.add(schema.CodeDisabled, schema.Note, &schema.Hook{Source: cfg.Source, Path: cfg.Switch}, cfg.Switch,
			"a setting switches off the hooks of this file", "")
	}

	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		c.neverRuns(h)
		c.entry(h)
		path := h.MemberPath("command")
		if _, _, ok := placeOf(text, path); !ok { // the command is in another field
			path = h.Path
		}
		if c.skips(h) {
			continue
		}
		if problem, fix := CommandProblem(d, h, p); problem != "" {
			c.add(schema.CodeNotStarted, schema.Weaker, h, path, problem, fix).Edit = variableEdit(c.text, h, path, fix)
		}
		short := func(file string) string { return filepath.ToSlash(trust.InProject(p.Project, file)) }
		for _, l := range lacking(d, h, p, short) {
			c.add(schema.CodeNotStarted, plan.GuardSeverity(d, h), h, path, l.String(), l.fix())
		}
		for _, u := range neverSet(d, h, p, short) {
			c.add(schema.CodeNoFeature, plan.GuardSeverity(d, h), h, path, u.String(), readFromStdin)
		}
	}
}

type checker struct {
	own    vocabulary // of the file's agent
	text   []byte
	ds     schema.Diagnostics
	places schema.Places
}

// add reports a finding that the parser doesn't have, and returns it. If the parser has it, the returned finding isn't
// reported.
func (c *checker) add(code schema.Code, s schema.Severity, h *schema.Hook, path, msg, fix string) *schema.Diagnostic {
	if c.reports(code, h, path) {
		return new(schema.Diagnostic) // the parser's finding is more precise
	}
	return c.report(code, s, h, path, msg, fix)
}

// reports reports whether there is a finding with the code about a part of a hook, or about the hook.
func (c *checker) reports(code schema.Code, h *schema.Hook, path string) bool {
	return slices.ContainsFunc(c.ds, func(d schema.Diagnostic) bool {
		return d.Code == code && d.File == h.Source.File && (d.Path == path || d.Path == h.Path)
	})
}

// report adds a finding. A path may have several findings.
func (c *checker) report(code schema.Code, s schema.Severity, h *schema.Hook, path, msg, fix string,
) *schema.Diagnostic {
	d := c.ds.AddSeverity(code, s, "", msg)
	d.OfHook(h)
	d.Path, d.Fix = path, fix
	if line, col, ok := placeOf(c.text, path); ok {
		d.Line, d.Col = line, col
	}
	return d
}

// entry looks for mistakes in a call of hookbridge.
func (c *checker) entry(h *schema.Hook) {
	call, ok := cmdline.Parse(h.Command, h.Args)
	if !ok {
		return
	}
	fails := func(why, fix string) {
		c.add(schema.CodeNotCalled, schema.Weaker, h, h.MemberPath("command"), "the entry "+why, fix)
	}
	switch err, host := flagMistake(&call), call.Text("host"); {
	case err != nil:
		fails("fails: "+err.Error(), "correct its flags, or run hookbridge install again")
	case host != "" && dialect.BaseName(host) != c.own.p.Name:
		fails("is written for "+host+", and this is a file of "+c.own.p.Title, "set --host "+c.own.p.Name)
	}
}

// neverRuns looks for reasons why a hook that its agent accepts never runs: a matcher that matches no tool, or a
// request that the agent won't send.
func (c *checker) neverRuns(h *schema.Hook) {
	c.matcher(h)
	c.condition(h)
	p := c.own.p
	if why, fix, severity := p.HTTP.Refused(h, h.Event); why != "" {
		c.add(schema.CodeVoidHook, severity, h, h.MemberPath("url"), p.Title+" "+why, fix)
	}
	if h.Handler != schema.HandlerCallback && !plan.Handles(c.own.d, schema.Entry{Native: h.Native}, h) {
		skipped := plan.Skipped(c.own.d, h.Native, h)
		c.add(skipped.Code, plan.GuardSeverity(c.own.d, h), h, h.Path, skipped.Message, skipped.Fix)
	}
	c.arguments(h)
	c.timeout(h)
}

// arguments looks for a command's arguments in a field that the agent ignores: it starts the command without them.
func (c *checker) arguments(h *schema.Hook) {
	const field = "args"
	list := h.Extra.Strings(field)
	if h.Handler != schema.HandlerCommand || len(list) == 0 {
		return
	}

	path := h.MemberPath(field)
	ofField := func(d schema.Diagnostic) bool { return d.File == h.Source.File && d.Path == path }
	if slices.ContainsFunc(c.ds, func(d schema.Diagnostic) bool { return ofField(d) && d.Code.RejectsFile() }) {
		return
	}
	c.ds = slices.DeleteFunc(c.ds, ofField) // the parser's finding is less precise
	c.add(schema.CodePluginArgs, plan.GuardSeverity(c.own.d, h), h, path, c.own.p.Title+" ignores "+field+" and runs "+
		plan.QuoteOr(h.Command, "no command")+" without its arguments", "write the arguments into the command").
		Edit = argumentsEdit(c.text, h, field, list)
}

// timeout looks for a time limit that the agent can't enforce, or that is probably in a unit that the agent doesn't
// use.
func (c *checker) timeout(h *schema.Hook) {
	p := c.own.p
	severity, path := plan.GuardSeverity(c.own.d, h), h.MemberPath(p.MemberName(schema.HookTimeout))
	const many = 1000 * time.Second
	inMilliseconds := func(d schema.Diagnostic) bool {
		return d.Code == schema.CodeMilliseconds && d.File == h.Source.File && d.Path == path
	}

	switch {
	case h.Timeout > 0 && p.Timeout(h) < cmdline.Startup:
		fix, edit := "write a longer timeout", schema.Change{}
		if p.TimeoutUnit == time.Millisecond || slices.ContainsFunc(c.ds, inMilliseconds) {
			fix, edit = "multiply by 1000 if seconds were meant", secondsEdit(c.text, path)
		}
		c.ds = slices.DeleteFunc(c.ds, inMilliseconds) // the parser's finding is less precise
		at := "after " + p.Timeout(h).String()
		if p.Timeout(h) < time.Millisecond {
			at = "at once"
		}
		c.add(schema.CodeVoidHook, severity, h, path, p.Title+" ends the hook "+at+", before it can answer", fix).
			Edit = edit
	case p.LongestTimeout > 0 && h.Timeout > p.LongestTimeout:
		c.add(schema.CodeVoidHook, severity, h, path, p.Title+" can wait for at most "+p.LongestTimeout.String()+
			"; with a longer timeout, the hook decides nothing", "lower the timeout")
	case p.TimeoutUnit == time.Millisecond && h.Timeout > 0 && h.Timeout < time.Second:
		c.add(schema.CodeMilliseconds, severity, h, path, "timeout "+strconv.FormatInt(h.Timeout.Milliseconds(), 10)+
			" is milliseconds; a hook that takes longer is ended and decides nothing",
			"multiply by 1000 if seconds were meant").Edit = secondsEdit(c.text, path)
	case h.Timeout >= many:
		m := pointed(c.text, path)
		if m == nil || string(m.Value) != strconv.FormatFloat(h.Timeout.Seconds(), 'f', -1, 64) {
			return // the agent reads milliseconds
		}
		c.add(schema.CodeMilliseconds, schema.Note, h, path, m.Name+" "+string(m.Value)+" is seconds",
			"divide by 1000 if milliseconds were meant")
	}
}

// Idle returns the findings of Check that keep hooks of d from running, except those in ds. Hooks that are translated
// for another agent have the same mistakes.
func Idle(d dialect.Dialect, hooks []schema.Hook, ds schema.Diagnostics) (out schema.Diagnostics) {
	for i := range hooks {
		if !cmdline.FindsHooks(hooks[i].Command, hooks[i].Args) {
			out = append(out, NeverRuns(d, &hooks[i], ds)...)
		}
	}
	return slices.Compact(out)
}

// NeverRuns lists what keeps a hook from ever running, except the parser's findings.
func NeverRuns(d dialect.Dialect, h *schema.Hook, found schema.Diagnostics) schema.Diagnostics {
	c := &checker{own: vocabularyOf(d), ds: slices.Clone(found)}
	c.neverRuns(h)
	return slices.DeleteFunc(c.ds, func(d schema.Diagnostic) bool { return slices.Contains(found, d) })
}

// wrapped reports whether a finding is about a field of a handler that replaces its group, which has its own finding.
func (c *checker) wrapped(found schema.Diagnostic) bool {
	return found.Code == schema.CodeUnknownMember && slices.ContainsFunc(c.ds, func(d schema.Diagnostic) bool {
		return d.Edit.Value != "" && d.File == found.File && strings.HasPrefix(found.Path, d.Path+"/")
	})
}

// keepsOthersOut reports whether a finding is about the field that install writes to make another agent skip the file.
func (c *checker) keepsOthersOut(found schema.Diagnostic) bool {
	m := pointed(c.text, found.Path)
	return found.Code == schema.CodeUnknownMember && m != nil && slices.ContainsFunc(adapter.Dialects(),
		func(d dialect.Dialect) bool {
			return d.Profile().VoidMember.Voids(m.Name, m.Value)
		})
}

// Mistakes lists the findings of all agents in the project's hook files, with at least the given severity.
func Mistakes(p schema.Places, least schema.Severity) (list schema.Diagnostics) {
	for _, d := range adapter.Dialects() {
		_, ds := survey.LoadScope(d, p, schema.ScopeProject)
		for _, found := range ds {
			if found.Severity >= least {
				list = append(list, Hinted(d, found))
			}
		}
	}
	return list
}

// skips reports whether a hook's command isn't examined: there is none, it calls hookbridge, or the parser has found a
// mistake in it.
func (c *checker) skips(h *schema.Hook) bool {
	same := func(d schema.Diagnostic) bool {
		return d.Code == schema.CodePluginRoot && d.Path == h.Path && d.File == h.Source.File
	}
	wrapped := len(cmdline.Unwrap(h.Command, h.Args)) > 0
	return h.Handler != schema.HandlerCommand || wrapped || cmdline.FindsHooks(h.Command, h.Args) ||
		slices.ContainsFunc(c.ds, same)
}

package bridge

import (
	"slices"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// A log collects what a Run has to report, and how it came about if somebody asks.
type log struct {
	event string // the host's, "" while it is not known
	ds    schema.Diagnostics
	trace *Trace // nil: nobody asks
}

// note reports something about the call.
func (l *log) note(c schema.Code, msg string) *schema.Diagnostic {
	d := l.ds.Add(c, "", msg)
	d.Event = l.event
	return d
}

// hookNote is note for a finding about a hook.
func (l *log) hookNote(c schema.Code, h *schema.Hook, msg string) {
	d := l.note(c, msg)
	d.OfHook(h)
}

// told reports whether the reading of the hook's file has said so already.
func (l *log) told(c schema.Code, h *schema.Hook) bool {
	return slices.ContainsFunc(l.ds, func(d schema.Diagnostic) bool {
		return d.Code == c && d.File != "" && d.File == h.Source.File && d.Line == h.Line && d.Col == h.Col
	})
}

// add takes over findings about a hook.
func (l *log) add(ds schema.Diagnostics, h *schema.Hook) {
	for _, d := range ds {
		line := d.Line
		d.OfHook(h)
		if d.Code == schema.CodeEnvFile {
			d.File, d.Line, d.Col = "", line, 0
		}
		l.ds = append(l.ds, d)
	}
}

// untrusted reports whether project hooks were left out of this call: another
// call, in another folder, may find them trusted.
func (l *log) untrusted() bool {
	return slices.ContainsFunc(l.ds, func(d schema.Diagnostic) bool { return d.Code == schema.CodeUntrusted })
}

// skip notes a hook that is not run; without a trace it does nothing.
func (l *log) skip(h *schema.Hook, why SkipReason, detail string) {
	if l.trace != nil {
		l.trace.Skipped = append(l.trace.Skipped, Skip{*h, why, detail})
	}
}

// loaded notes what was read, and the hooks that a setting switches off.
func (l *log) loaded(res *discover.Result) {
	if l.trace == nil {
		return
	}
	for _, c := range res.Configs {
		l.trace.Sources = append(l.trace.Sources, c.Source)
		for i := range c.Hooks {
			if !schema.HasHook(res.Hooks, &c.Hooks[i]) {
				l.skip(&c.Hooks[i], SkipDisabled, "a setting of its agent switches it off")
			}
		}
	}
}

// untrustedHooks notes the hooks that trust keeps from running.
func (l *log) untrustedHooks(all, kept []schema.Hook) {
	for i := range all {
		if l.trace != nil && !schema.HasHook(kept, &all[i]) {
			l.skip(&all[i], SkipUntrusted, "the project's current hooks aren't trusted")
		}
	}
}

// finish returns the trace. It leaves out of the skipped hooks what ran after all, and what was
// noted before.
func (l *log) finish(runs []HookRun) *Trace {
	if l.trace == nil {
		return nil
	}
	kept := l.trace.Skipped[:0:0]
next:
	for _, s := range l.trace.Skipped {
		for i := range runs {
			if runs[i].Hook.SamePlace(&s.Hook) {
				continue next
			}
		}
		for i := range kept {
			if kept[i].Hook.SamePlace(&s.Hook) {
				continue next
			}
		}
		kept = append(kept, s)
	}
	l.trace.Skipped = kept
	return l.trace
}

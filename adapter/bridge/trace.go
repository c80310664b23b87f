package bridge

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// A SkipReason says why a hook was not run. The zero SkipReason is invalid.
type SkipReason uint8

const (
	_             SkipReason = iota
	SkipEvent                // it is for another event
	SkipMatcher              // its matcher does not fit
	SkipCondition            // its condition does not hold
	SkipDuplicate            // an equal hook runs already
	SkipLimit                // it has blocked as often as its limit allows
	SkipRan                  // it ran, or will run, at the host's other event for the same call
	SkipRefused              // the call was refused before its turn
	SkipEnded                // an earlier hook has ended the turn
	SkipUntrusted            // its project isn't trusted
	SkipDisabled             // a setting disables it
	SkipBridge               // it is a call of hookbridge itself
	SkipUnread               // the file to show it can't be read
	SkipScope                // another entry of hookbridge runs it
	SkipAllowed              // the call was allowed before its turn
	SkipExcluded             // hookbridge.yaml excludes it from the host
)

var skipNames = [...]string{"skip(invalid)", "event", "matcher", "condition", "duplicate", "loop-limit", "already-run",
	"refused", "turn-ended",
	"untrusted", "disabled", "bridge", "unreadable", "scope", "allowed", "excluded"}

// String returns the word used in reports.
func (s SkipReason) String() string { return schema.NameOfValue(skipNames[:], s) }

// A Skip is a hook that didn't run, with the reason.
type Skip struct {
	Hook   schema.Hook
	Why    SkipReason
	Detail string // for people
}

// A Trace shows how a Run arrived at its answer. Without it, a Report has only the result.
type Trace struct {
	Sources []schema.Source // files that were read
	Views   []schema.View   // how the hooks' agent would show the call
	Skipped []Skip          // hooks that were not run, in configuration order
	Merged  schema.Reply    // the hooks' joint answer, before the host's limits
}

// unfit records why no view suits a hook, if pickFor has found none.
func unfit(r *run, h *schema.Hook, views []schema.View, why SkipReason) {
	if r.log.trace == nil {
		return
	}

	var targets []string
	for _, v := range views {
		if h.Native != "" && h.Native != v.Event {
			continue
		}
		for _, t := range v.Target {
			if !slices.Contains(targets, t) {
				targets = append(targets, t)
			}
		}
	}

	detail := ""
	switch why {
	case SkipEvent:
		if detail = "it is for " + h.Native; h.Native == "" {
			detail = r.rules.TitleChecked() + " has no such event"
		}
	case SkipMatcher:
		detail = "the matcher " + plan.QuoteOr(h.Matcher, "of none") + " doesn't match " + strings.Join(targets, ", ")
		if dead, live := plan.Unsent(r.hooks, r.host, h); !live {
			detail += "; " + plan.NeverSent(r.host, h, dead)
		}
	case SkipCondition:
		detail = "the condition " + plan.QuoteOr(h.Condition, "of none") + " isn't true"
	case SkipUnread:
		detail = "this event comes after the file is read, and the file can't be read"
	}

	r.log.skip(h, why, detail)
}

// A log collects what a Run has to report, and the trace if one is wanted.
type log struct {
	event string // the host's, "" while unknown
	ds    schema.Diagnostics
	trace *Trace // nil: not wanted
}

func (l *log) note(c schema.Code, msg string) *schema.Diagnostic {
	d := l.ds.Add(c, "", msg)
	d.Event = l.event
	return d
}

// noteAs is note with another severity.
func (l *log) noteAs(s schema.Severity, c schema.Code, msg string) *schema.Diagnostic {
	d := l.note(c, msg)
	d.Severity = s
	return d
}

// hookNote is note for a finding about a hook.
func (l *log) hookNote(c schema.Code, h *schema.Hook, msg string) {
	l.note(c, msg).OfHook(h)
}

// stateError reports that the session's file can't be read or written.
func (l *log) stateError(err error) {
	l.note(schema.CodeState, "can't use the session file, so nothing reaches later events: "+
		strings.TrimPrefix(err.Error(), "state: "))
}

// hookNoteOnce is hookNote, unless parsing the hook's file already gave this finding.
func (l *log) hookNoteOnce(c schema.Code, h *schema.Hook, msg string) {
	if !slices.ContainsFunc(l.ds, func(d schema.Diagnostic) bool {
		return d.Code == c && d.File != "" && d.File == h.Source.File && d.Line == h.Line && d.Col == h.Col
	}) {
		l.hookNote(c, h, msg)
	}
}

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

// skip notes a hook that is not run; without a trace it does nothing.
func (l *log) skip(h *schema.Hook, why SkipReason, detail string) {
	if l.trace != nil {
		l.trace.Skipped = append(l.trace.Skipped, Skip{*h, why, detail})
	}
}

// loaded records the files that were read, and the hooks that a setting disables.
func (l *log) loaded(res *discover.Result) {
	if l.trace == nil {
		return
	}
	for _, c := range res.Configs {
		l.trace.Sources = append(l.trace.Sources, c.Source)
		l.left(c.Hooks, res.Hooks, SkipDisabled, "a setting of its agent switches it off")
	}
}

// left records the hooks of all that weren't kept.
func (l *log) left(all, kept []schema.Hook, why SkipReason, detail string) {
	if l.trace == nil {
		return
	}
	stays := schema.Kept(kept)
	for i := range all {
		if !stays(&all[i]) {
			l.skip(&all[i], why, detail)
		}
	}
}

// finish returns the trace. It removes skipped hooks that ran later or were already recorded.
func (l *log) finish(runs []HookRun) *Trace {
	if l.trace == nil {
		return nil
	}
	kept := l.trace.Skipped[:0:0]
	for _, s := range l.trace.Skipped {
		if !slices.ContainsFunc(runs, func(r HookRun) bool { return r.Hook.SamePlace(&s.Hook) }) &&
			!slices.ContainsFunc(kept, func(k Skip) bool { return k.Hook.SamePlace(&s.Hook) }) {
			kept = append(kept, s)
		}
	}
	l.trace.Skipped = kept
	return l.trace
}

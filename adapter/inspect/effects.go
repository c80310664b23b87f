package inspect

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Outcomes lists the words for the outcome of a hook's answer under a host, with the findings that cause them, the
// worst first. Without such a finding the word is Works.
var Outcomes = []struct {
	Word  string
	Codes []schema.Code
}{
	{"no", []schema.Code{schema.CodeContextLost, schema.CodeOutputKept, schema.CodeDenyLost, schema.CodeKeepGoLost,
		schema.CodeEffectLost}},
	{"denied", []schema.Code{schema.CodeAskDenied, schema.CodeInputDenied}},
	{"later", []schema.Code{schema.CodeRelayed}},
}

// Works is the word for no loss.
const Works = "works"

// Word returns the hook's result under the host: never, twice, weaker, or the word of its answer.
func (f *Finding) Word() string {
	if f.Status() >= Weaker {
		for _, o := range Outcomes {
			if f.Status() == Weaker && slices.Contains(o.Codes, f.Problems[0].Code) {
				return o.Word
			}
		}
		return f.Status().String()
	}
	if f.Status() == Excluded {
		return Excluded.String()
	}
	for _, o := range Outcomes {
		if slices.ContainsFunc(f.Problems, func(p Problem) bool { return slices.Contains(o.Codes, p.Code) }) {
			return o.Word
		}
	}
	return Works
}

// Effects reports doctor's findings about the hooks' answers before anything is installed.
func Effects(d, host dialect.Dialect, p schema.Places, hooks []schema.Hook) (ds schema.Diagnostics) {
	x := &examination{host: host, places: p, ofProject: func(*schema.Hook) bool { return true }}
	for i := range hooks {
		h := &hooks[i]
		for _, found := range x.bridged(d, h).effects() {
			n := ds.AddSeverity(found.Code, found.Severity, h.Path, found.Why)
			n.OfHook(h)
			n.Fix = found.Fix
		}
	}
	return ds
}

// relaysAsk reports whether --ask relay lets the host ask its user about a call of some of these kinds at its own
// event: at the event itself, where it doesn't always ask, or at another one.
func relaysAsk(host dialect.Dialect, native string, kinds []schema.Kind) bool {
	p := host.Profile()
	row := p.Row(native)
	if row == nil {
		return false
	}
	call := schema.Call{Dialect: p.Name, Native: native, Event: row.Event, Version: p.Version}
	return slices.ContainsFunc(kinds, func(k schema.Kind) bool {
		call.Tool.Kinds = []schema.Kind{k}
		gate, _ := host.Asks(&call)
		return gate != ""
	})
}

// AsksAt reports whether the host asks its user at its own event without a flag of the entry.
func AsksAt(host dialect.Dialect, native string) bool {
	p := host.Profile()
	row := p.Row(native)
	if row == nil || row.Honors&schema.EffectAsk == 0 {
		return false
	}
	_, sure := host.Asks(&schema.Call{Dialect: p.Name, Native: native, Event: row.Event, Version: p.Version})
	return sure
}

// effects reports how the host treats the hook's most likely answers: a question, if the hook's text contains one, and
// context at the start of a session.
func (b *bridged) effects() (found []Problem) {
	row, host := b.d.Profile().Row(b.h.Native), b.host.Profile()
	if row == nil || len(b.Own) == 0 {
		return nil
	}

	policy := b.policy()
	asks := slices.ContainsFunc(b.Own, func(e schema.Entry) bool { return AsksAt(b.host, e.Native) })
	may := row.Honors&schema.EffectAsk != 0 && strings.Contains(b.textOf(), `"ask"`)
	kinds := append(b.planner(b.d).Route(b.h).Kinds(), schema.Other)
	relays := slices.ContainsFunc(b.Own, func(e schema.Entry) bool { return relaysAsk(b.host, e.Native, kinds) })
	denies := policy.Ask == cmdline.AskDeny || policy.Ask == cmdline.AskRelay && !relays
	if may && !asks && denies {
		fix := "let the hook deny what nobody may approve"
		if relays {
			fix = plan.Command("install", b.host) + " --ask relay"
		}
		found = append(found, Problem{Reached, schema.CodeAskDenied, schema.Note, "if the hook asks, " + host.Title +
			" denies the call: it can't ask there", fix})
	}

	if may && asks {
		found = append(found, unasked(host, b.Own)...)
	}

	takes := slices.ContainsFunc(b.Own, func(e schema.Entry) bool {
		return plan.Honors(host, e.Native, schema.EffectContext)
	})
	if b.h.Event == schema.SessionStart && row.Honors&schema.EffectContext != 0 && !takes {
		found = append(found, Problem{Reached, schema.CodeRelayed, schema.Note, host.Title + " takes no context at " +
			b.Own[0].Native + "; hookbridge delivers it with a later event", ""})
	}

	return found
}

// unasked returns the ways and modes in which the host answers a hook's question without asking its user.
func unasked(host *dialect.Profile, entries []schema.Entry) (found []Problem) {
	add := func(where, so string) {
		found = append(found, Problem{Reached, schema.CodeWayAnswers, schema.Note, host.Title +
			" doesn't ask its user " + where + ": " + so, "let the hook deny what nobody may approve"})
	}
	const denied, ends = "hookbridge denies what the hook asks about", "a call that the hook asks about doesn't run"
	for _, e := range entries {
		if row := host.Row(e.Native); row == nil || row.Honors&schema.EffectAsk == 0 {
			continue
		}
		for _, m := range host.PermissionModes() {
			if m.Approves {
				add("in the mode "+m.Name, denied)
			}
		}
		for _, l := range host.LessOn(e.Native) {
			switch {
			case l.Effects&schema.EffectAsk == 0:
			case l.Refuses:
				add("under `"+l.Command+"`", ends)
			default:
				add("under `"+l.Command+"` in the mode "+plan.Listed(l.Modes, "or"), denied)
			}
		}
	}
	return found
}

// policy returns the policy of the entries that run the hook, or else of those that can't start, whose flags are from
// install. Without entries it is the strict one.
func (b *bridged) policy() (p cmdline.Policy) {
	if b.what.Assumed {
		return b.what.Policy
	}
	for _, e := range b.Own {
		calls, _ := b.calls(e.Native)
		if len(calls) == 0 {
			calls = b.callers(e.Native, b.forAgent)
		}
		for _, c := range calls {
			p = c.call.Policy()
		}
	}
	return p
}

// textOf returns a hook's command and the script that it starts.
func (b *bridged) textOf() string {
	text := strings.Join(append([]string{b.h.Command}, b.h.Args...), "\n")
	if _, script := script(b.d, b.h, b.places); script != nil {
		text += "\n" + string(script)
	}
	return strings.ReplaceAll(text, `\"`, `"`)
}

package bridge

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A setting is what fit has to know beside the reply.
type setting struct {
	host    dialect.Dialect
	rules   *dialect.Profile // of the hooks
	call    *schema.Call
	policy  cmdline.Policy
	environ schema.Environ

	shown   schema.Args      // the input as the hook saw it that rewrote it
	joined  schema.Args      // the whole input, parts of which hooks rewrote; nil: none
	allowed *schema.EventRow // the event at which a hook allowed the call, nil: none
	relays  bool             // a later event can say what this one can't
	asks    bool             // so can the event at which the host asks the user
	hasFile bool             // the host reads variables from a file
	prompts bool             // the host's prompts come after this event, and to hookbridge
}

// A fitted is a reply that holds nothing that the host would ignore, and what is
// left to be done.
type fitted struct {
	reply schema.Reply
	notes schema.Diagnostics

	env     []schema.EnvVar // what hooks have set
	envFile []schema.EnvVar // of that, what goes to the host's file

	// What later events of the session are to do.
	ask     bool   // ask the user, for the reason:
	reason  string //
	end     bool   // end the turn, for the reason:
	endWhy  string //
	context string // add this
	refused bool   // the call that the context is about is denied
}

// fit replaces what the host can't do for the call by what it can, never by
// something weaker without reporting it.
func fit(in setting, reply schema.Reply) fitted {
	p := in.host.Profile()
	f := &fitter{setting: in, fitted: fitted{reply: reply}, hostRules: p, title: p.Title}
	allows := reply.Verdict == schema.Allow // of its own, not as --ask allow has it
	f.question()
	f.input()
	if in.joined != nil && f.reply.Verdict != schema.Deny {
		f.reply.Input, f.reply.InputView = in.joined, schema.View{Tool: in.call.Tool.Name, Kind: in.call.Tool.Kind()}
	}
	if allows {
		f.approval()
	}
	f.turnEnd()
	f.objection()
	f.addedContext()
	f.continuation()
	f.variables()
	f.reasons()
	f.longReason()
	f.denial()
	f.losses()
	return f.fitted
}

type fitter struct {
	setting
	fitted
	hostRules *dialect.Profile
	title     string // of the host
}

func (f *fitter) note(c schema.Code, message string) *schema.Diagnostic {
	d := f.notes.Add(c, "", message)
	d.Event = f.call.Native
	return d
}

// lost reports what the host doesn't do at this event, and what follows from that.
func (f *fitter) lost(c schema.Code, does, so string) {
	f.note(c, f.title+" "+does+" at "+f.call.Native+so)
}

// honored are the effects of the reply, as it is now, that the host acts on.
func (f *fitter) honored() schema.Feature { return f.host.Honors(f.call, &f.reply) }

func (f *fitter) ignored() schema.Feature { return ignored(f.host, f.call, &f.reply) }

// ignored are the effects that stay in the answer although the host's program,
// unlike others of the host, ignores them. Their loss is reported.
func ignored(host dialect.Dialect, c *schema.Call, reply *schema.Reply) schema.Feature {
	program := host.Profile().ProgramOf(cmp.Or(host.Profile().Version, c.Version))
	if program == nil {
		return 0
	}
	return program.On(c.Native).Effects &^ host.Honors(c, reply) & kept
}

// losses drops and reports the effects for which nothing takes the place of the
// channel that the host lacks.
func (f *fitter) losses() {
	lost := f.reply.Uses() &^ f.honored()
	for _, row := range losses {
		if lost&row.effects == 0 {
			continue
		}
		if f.ignored()&row.effects == 0 {
			row.drop(&f.reply)
		}
		if row.code != "" { // a reason goes with its verdict, whose loss is reported
			f.lost(row.code, row.does, row.so)
		}
		lost &^= row.effects
	}
	others := f.reply.Others[:0:0]
	for _, o := range f.reply.Others {
		if o.Feature&lost == 0 {
			others = append(others, o)
		} else if o.Feature&schema.SilentEffects == 0 {
			f.note(schema.CodeEffectLost, f.hostRules.TitleChecked()+" has no counterpart for "+o.Feature.Name()+
				", so that part of the hook's answer is lost")
		}
	}
	f.reply.Others = others
}

// kept are effects that stay in the answer though the program that raised the
// event ignores them: another release of it may honor them.
const kept = schema.EffectDeny | schema.EffectReason | schema.EffectUserReason | schema.EffectEnv | schema.EffectContext

// losses are the effects for which nothing takes the place of the channel that
// the host lacks.
var losses = []struct {
	effects schema.Feature
	code    schema.Code
	does    string // what the host does instead of honoring them at an event
	so      string // what follows
	drop    func(*schema.Reply)
}{
	{schema.EffectDeny, schema.CodeDenyLost, "can't block anything", ", so the hook's denial has no effect",
		dropVerdict},
	{schema.EffectAllow, schema.CodeAllowPassed, "lets hooks approve nothing", ", so its own permission rules decide",
		dropVerdict},
	{schema.EffectOutput, schema.CodeOutputKept, "can't replace the result of this tool",
		", so the agent sees the original",
		func(r *schema.Reply) { r.Output = nil }},
	{schema.EffectKeepGoing, schema.CodeKeepGoLost, "doesn't let a hook keep the agent working", ", so it stops",
		func(r *schema.Reply) { r.KeepGoing = "" }},
	{schema.EffectEnv, schema.CodeEnvLost, "accepts no environment variables",
		", so later commands don't get the hook's", func(r *schema.Reply) { r.Env = nil }},
	{schema.EffectNotice, schema.CodeNoticeLost, "shows no message to the user", ", so the hook's message is lost",
		func(r *schema.Reply) { r.Notice = "" }},
	{schema.EffectReason | schema.EffectUserReason, "", "", "", func(r *schema.Reply) {
		r.Reason, r.UserReason = "", ""
	}},
}

func denial(reason string) schema.Reply { return schema.Reply{Verdict: schema.Deny, Reason: reason} }

// dropVerdict takes the reason along, which explains nothing by itself.
func dropVerdict(r *schema.Reply) { r.Verdict, r.Reason, r.UserReason = schema.NoOpinion, "", "" }

// reasons gives the agent what is meant for the user where the host has one reason
// for both.
func (f *fitter) reasons() {
	honored := f.honored()
	if f.reply.UserReason == "" || honored&schema.EffectUserReason != 0 || honored&schema.EffectReason == 0 {
		return
	}
	if f.reply.UserReason != f.reply.Reason {
		f.reply.Reason = schema.JoinText(f.reply.Reason, f.reply.UserReason)
	}
	f.reply.UserReason = ""
}

// longReason reports a reason of which the host shows its model a part, where the hook's own agent shows more.
func (f *fitter) longReason() {
	limit, own := f.hostRules.ReasonLimit, f.rules.ReasonLimit
	if f.reply.Verdict != schema.Deny || limit == 0 || own > 0 && own <= limit || utf16Len(f.reply.Reason) <= limit {
		return
	}
	f.note(schema.CodeContextCut, "the reason is longer than "+f.title+" shows its model ("+strconv.Itoa(limit)+
		" characters): it sees a part")
}

func (f *fitter) question() {
	if f.reply.Verdict != schema.Ask && f.reply.Verdict != schema.Defer {
		return
	}

	honored := f.honored()
	gate, sure := f.host.Asks(f.call)
	switch {
	case f.reply.Verdict == schema.Defer && honored&schema.EffectDefer != 0:
	case sure && honored&schema.EffectAsk != 0 && (gate == "" || gate == f.call.Native):
		f.reply.Verdict = schema.Ask
	case f.policy.Ask == cmdline.AskAllow:
		f.reply.Verdict = schema.Allow
		f.note(schema.CodeAskAllowed, "a hook asked for confirmation; --ask allow lets the call proceed without it")
	case f.policy.Ask == cmdline.AskRelay && gate == f.call.Native:
		f.reply.Verdict = schema.Ask
		f.uncertain(sure)
	case f.policy.Ask == cmdline.AskRelay && gate != "" && f.reply.Input == nil && f.asks:
		f.note(schema.CodeAskRelayed, "a hook asked for confirmation; "+f.title+" asks the user at "+gate)
		f.uncertain(sure)
		f.ask, f.reason = true, f.reply.Reason
		dropVerdict(&f.reply)
	default:
		f.reply.Verdict = schema.Deny
		if f.reply.Reason == "" {
			f.reply.Reason = unasked
		}
		f.note(schema.CodeAskDenied, f.askDenied(gate))
	}
}

// unasked is the reason where a hook that asks gives none.
const unasked = "A hook asked for the user's confirmation, and this agent can't ask here."

// askDenied says why a question became a refusal. gate is the event at which the
// host can ask, "" if there is none.
func (f *fitter) askDenied(gate string) string {
	const asked = "a hook asked for confirmation, and the call is denied: "
	host := f.title
	switch {
	case gate == "":
		return asked + host + " can't ask the user at " + f.call.Native
	case gate == f.call.Native:
		return asked + "this version of " + host + " may answer by itself without asking; --ask relay takes that risk"
	case f.policy.Ask == cmdline.AskRelay:
		return asked + "the question can't be moved to " + gate + ", where " + host + " asks"
	}
	return asked + host + " can only ask at " + gate + ", and --ask relay isn't set"
}

func (f *fitter) uncertain(sure bool) {
	if !sure {
		f.note(schema.CodeAskUncertain, "a hook asked for confirmation; this version of "+
			f.title+" may answer by itself without asking")
	}
}

// approval drops an allow that only means "no objection" where
// the host would skip the user's permission prompt for it. A rewritten input
// stays: hosts apply it without a verdict, and their permission rules then look
// at the new input (observed in Claude Code 2.1.328 and qodercli 1.1.52).
func (f *fitter) approval() {
	if f.reply.Verdict != schema.Allow || f.policy.Allow == cmdline.AllowApprove ||
		f.hostRules.Name == f.rules.Name ||
		!plan.AllowPasses(f.hostRules.Row(f.call.Native), f.allowed) {
		return
	}
	dropVerdict(&f.reply)
	f.note(schema.CodeAllowPassed, "allow means \"no objection\" in "+f.rules.Title+", so "+f.title+
		"'s own permission rules decide; --allow approve skips its prompt")
}

// denial reports what a refusal ends beside the call where the host can't refuse the call alone.
func (f *fitter) denial() {
	d := f.host.Abilities().Denials
	if d == nil || f.reply.Verdict != schema.Deny && !f.reply.EndTurn {
		return
	}
	reply := f.reply
	if what := d.DenialEnds(f.call, &reply); what != "" {
		f.note(schema.CodeEffectLost, f.title+" can't refuse this alone: it ends "+what)
	}
}

// lastEvents are followed by none that belongs to them.
var lastEvents = []schema.Event{schema.SessionEnd, schema.PreCompact, schema.Stop, schema.SubagentStop,
	schema.StopFailure}

// turnEnd deals with the end of the turn where the host cannot end it.
func (f *fitter) turnEnd() {
	if !f.reply.EndTurn {
		return
	}

	if f.honored()&schema.EffectEndTurn != 0 {
		row := f.hostRules.Row(f.call.Native)
		switch {
		case row == nil || !row.EndDenies || f.reply.Verdict == schema.Deny || f.reply.Output != nil:
		case f.call.Event == schema.PreTool:
			f.note(schema.CodeEndTurn, f.title+" ends the turn before this call, so the call doesn't run").
				Severity = schema.Note
		default:
			f.note(schema.CodeEndTurn, f.title+" ends the turn without the result of this call").Severity = schema.Note
		}
		return
	}

	reason := f.reply.EndReason
	f.reply.EndTurn, f.reply.EndReason = false, ""
	switch f.call.Event {
	case schema.Stop, schema.SubagentStop, schema.StopFailure, schema.SessionEnd:
		return // it ends by itself
	case schema.PromptSubmit:
		if f.reply.Verdict != schema.Deny {
			f.reply.Verdict, f.reply.Reason = schema.Deny, reason
		}
		return
	}

	if f.end = f.relays; f.end && f.prompts {
		f.endWhy = reason
		f.note(schema.CodeEndTurn, f.title+
			" can't end a session at its start, so hookbridge denies its prompts").Severity = schema.Note
	} else if f.end {
		f.endWhy = reason
		f.note(schema.CodeEndTurn, "a hook ended the turn. "+f.title+" can't do that, so hookbridge denies "+
			"the remaining tool calls of the turn wherever it runs before them")
	} else {
		f.note(schema.CodeEndTurn, "a hook ended the turn. "+f.title+" can't do that, so the turn goes on")
	}
}

// objection keeps what a hook says in the place of a result that stays.
func (f *fitter) objection() {
	if text, isText := ordjson.String(f.reply.Output); isText && f.reply.Objects &&
		f.honored()&schema.EffectOutput == 0 {
		f.reply.Feedback = schema.JoinText(f.reply.Feedback, text)
	}
}

// addedContext cuts context that is too long, and leaves unsupported context to a later
// event.
func (f *fitter) addedContext() {
	honored := f.honored()
	if f.reply.Context+f.reply.Feedback == "" {
		return
	}
	limit := f.hostRules.ContextLimit(f.call.Event)

	if honored&schema.EffectFeedback == 0 {
		f.reply.Context, f.reply.Feedback = schema.JoinText(f.reply.Feedback, f.reply.Context), ""
	}
	if honored&schema.EffectContext == 0 && f.beside(schema.JoinText(f.reply.Feedback, f.reply.Context)) {
		f.reply.Context, f.reply.Feedback = "", ""
		return
	}
	if honored&schema.EffectContext == 0 {
		if f.relays && !slices.Contains(lastEvents, f.call.Event) && takesContext(f.host, f.call) {
			f.context, f.refused = schema.JoinText(f.reply.Feedback, f.reply.Context), f.reply.Verdict == schema.Deny
			f.lost(schema.CodeRelayed, "accepts no context", "; a later event delivers it")
		} else {
			f.lost(schema.CodeContextLost, "accepts no context", " or later, so the agent doesn't see it")
		}
		if f.reply.Feedback = ""; f.ignored()&schema.EffectContext == 0 {
			f.reply.Context = ""
		} else if limit > 0 { // a program that takes it after all drops one that is too long
			f.reply.Context = cut(f.reply.Context, limit)
		}
		return
	}

	f.previewed(utf16Len(f.reply.Context))
	if limit == 0 || utf16Len(schema.JoinText(f.reply.Feedback, f.reply.Context)) <= limit {
		return
	}
	f.reply.Feedback = cut(f.reply.Feedback, limit)
	if room := limit - utf16Len(f.reply.Feedback) - 1; f.reply.Feedback == "" || room > 0 {
		if f.reply.Feedback == "" {
			room = limit
		}
		f.reply.Context = cut(f.reply.Context, room)
	} else {
		f.reply.Context = ""
	}
	f.note(schema.CodeContextCut, "the context is longer than "+f.title+" accepts ("+
		strconv.Itoa(limit)+" characters), so it was cut")
}

// previewed reports context that the host puts into a file, where the hook's own agent shows it whole.
func (f *fitter) previewed(length int) {
	at, own := f.hostRules.Row(f.call.Native), schema.RowFor(f.rules.Events, f.call.Event)
	same := at != nil && own != nil && own.Preview > 0 && own.Preview <= at.Preview
	if at == nil || at.Preview == 0 || length <= at.Preview || same {
		return
	}
	f.note(schema.CodeContextCut, "the context is longer than "+f.title+" shows its model ("+
		strconv.Itoa(at.Preview)+" characters): it sees a part, and the path of a file with all of it")
}

// goOn replaces a reason of blanks, which some hosts take for no wish at all.
const goOn = "A hook asks you to continue."

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
	said    schema.Verdict   // the hooks' verdict, before fit
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
	in.said = reply.Verdict
	out := fitted{reply: reply}
	for _, step := range fitSteps {
		out = step(&in, out)
	}
	return out
}

// fitSteps are what fit does, in this order. What the host honors depends on the verdict, so the steps that may change
// it come first.
var fitSteps = [...]func(*setting, fitted) fitted{
	fitOwnWords,      // before anything is added to them
	fitQuestion,      // first of the others, so that they only meet verdicts that the host has here
	fitUnknownFields, // before fitInput judges the input by its fields
	fitInput,         // denies a call whose new input the host can't apply; a denied call needs no input
	fitParts,         // after fitInput, which judges what one hook rewrote and not the whole
	fitApproval,      // after fitInput, which may deny what a hook allowed, and then gives that hook's reason
	fitTurnEnd,       // the last step that may deny: a prompt, where the host can't end the turn
	fitObjection,     // leaves to fitContext what a hook says in the place of a result that stays
	fitContext,       // may add to the reason, or to the result
	fitContinuation,
	fitVariables,
	fitReasons,    // once the reason is complete
	fitLongReason, // measures what fitReasons has made of it
	fitDenial,     // once the verdict and the end of the turn are final
	fitLosses,     // drops and reports what is left that the host ignores
}

// note reports a finding about the call.
func (f *fitted) note(in *setting, c schema.Code, message string) *schema.Diagnostic {
	d := f.notes.Add(c, "", message)
	d.Event = in.call.Native
	return d
}

// lost reports what the host doesn't do at this event, and what follows from that.
func (f *fitted) lost(in *setting, c schema.Code, does, so string) {
	f.note(in, c, in.title()+" "+does+" at "+in.call.Native+so)
}

func (in *setting) hostRules() *dialect.Profile { return in.host.Profile() }

func (in *setting) title() string { return in.host.Profile().Title }

// honors are the effects of the reply that the host acts on.
func (in *setting) honors(r schema.Reply) schema.Feature { return in.host.Honors(in.call, &r) }

func (in *setting) ignores(r schema.Reply) schema.Feature { return ignored(in.host, in.call, &r) }

// ignored are the effects that stay in the answer although the host's program,
// unlike others of the host, ignores them. Their loss is reported.
func ignored(host dialect.Dialect, c *schema.Call, reply *schema.Reply) schema.Feature {
	program := host.Profile().ProgramOf(cmp.Or(host.Profile().Version, c.Version))
	if program == nil {
		return 0
	}
	return program.On(c.Native).Effects &^ host.Honors(c, reply) & kept
}

// fitLosses drops and reports the effects for which nothing takes the place of the
// channel that the host lacks.
func fitLosses(in *setting, f fitted) fitted {
	lost := f.reply.Uses() &^ in.honors(f.reply)
	for _, row := range losses {
		if lost&row.effects == 0 {
			continue
		}
		if in.ignores(f.reply)&row.effects == 0 {
			f.reply.Drop(row.effects)
			if row.effects&explained != 0 {
				f.reply.UserReason = ""
			}
		}
		if row.code != "" { // a reason goes with its verdict, whose loss is reported
			f.lost(in, row.code, row.does, row.so)
		}
		lost &^= row.effects
	}

	others := f.reply.Others[:0:0]
	for _, o := range f.reply.Others {
		if o.Feature&lost == 0 {
			others = append(others, o)
		} else if o.Feature&schema.SilentEffects == 0 {
			f.note(in, schema.CodeEffectLost, in.hostRules().TitleChecked()+" has no counterpart for "+o.Feature.Name()+
				", so that part of the hook's answer is lost")
		}
	}
	f.reply.Others = others
	return f
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
}{
	{schema.EffectDeny, schema.CodeDenyLost, "can't block anything", ", so the hook's denial has no effect"},
	{schema.EffectAllow, schema.CodeAllowPassed, "lets hooks approve nothing", ", so its own permission rules decide"},
	{schema.EffectOutput, schema.CodeOutputKept, "can't replace the result of this tool",
		", so the agent sees the original"},
	{schema.EffectKeepGoing, schema.CodeKeepGoLost, "doesn't let a hook keep the agent working", ", so it stops"},
	{schema.EffectEnv, schema.CodeEnvLost, "accepts no environment variables",
		", so later commands don't get the hook's"},
	{schema.EffectNotice, schema.CodeNoticeLost, "shows no message to the user", ", so the hook's message is lost"},
	{schema.EffectReason | schema.EffectUserReason, "", "", ""},
}

// explained are effects without which the reason for the user explains nothing, and that reason.
const explained = schema.EffectDeny | schema.EffectAllow | schema.EffectUserReason

func denial(reason string) schema.Reply { return schema.Reply{Verdict: schema.Deny, Reason: reason} }

// dropVerdict takes the reasons along, which explain nothing by themselves.
func dropVerdict(r *schema.Reply) { r.Verdict, r.Reason, r.UserReason = schema.NoOpinion, "", "" }

// fitReasons gives the agent what is meant for the user where the host has one reason
// for both.
func fitReasons(in *setting, f fitted) fitted {
	if f.reply.UserReason == "" {
		return f
	}
	honored := in.honors(f.reply)
	if honored&schema.EffectUserReason != 0 || honored&schema.EffectReason == 0 {
		return f
	}
	if f.reply.UserReason != f.reply.Reason {
		f.reply.Reason = schema.JoinText(f.reply.Reason, f.reply.UserReason)
	}
	f.reply.UserReason = ""
	return f
}

// fitOwnWords leaves of the hooks' words what their own agent shows its model.
func fitOwnWords(in *setting, f fitted) fitted {
	own := in.rules.ReasonLimit
	if own > 0 && f.reply.Verdict == schema.Deny {
		f.reply.Reason = cut(f.reply.Reason, own)
	}
	if own > 0 {
		f.reply.Feedback = cut(f.reply.Feedback, own)
	}
	return f
}

// fitLongReason reports a reason of which the host shows its model a part, where the hook's own agent shows more.
func fitLongReason(in *setting, f fitted) fitted {
	limit, own := in.hostRules().ReasonLimit, in.rules.ReasonLimit
	if f.reply.Verdict != schema.Deny || limit == 0 || own > 0 && own <= limit || utf16Len(f.reply.Reason) <= limit {
		return f
	}
	f.note(in, schema.CodeContextCut, "the reason is longer than "+in.title()+" shows its model ("+strconv.Itoa(limit)+
		" characters): it sees a part")
	return f
}

// fitQuestion makes a question a verdict that the host knows here, or leaves it to the event at which it asks.
func fitQuestion(in *setting, f fitted) fitted {
	if f.reply.Verdict != schema.Ask && f.reply.Verdict != schema.Defer {
		return f
	}

	honored := in.honors(f.reply)
	gate, sure := in.host.Asks(in.call)
	switch {
	case f.reply.Verdict == schema.Defer && honored&schema.EffectDefer != 0:
	case sure && honored&schema.EffectAsk != 0 && (gate == "" || gate == in.call.Native):
		f.reply.Verdict = schema.Ask
	case in.policy.Ask == cmdline.AskAllow:
		f.reply.Verdict = schema.Allow
		f.note(in, schema.CodeAskAllowed, "a hook asked for confirmation; --ask allow lets the call proceed without it")
	case in.policy.Ask == cmdline.AskRelay && gate == in.call.Native:
		f.reply.Verdict = schema.Ask
		f.uncertain(in, sure)
	case in.policy.Ask == cmdline.AskRelay && gate != "" && f.reply.Input == nil && in.asks:
		f.note(in, schema.CodeAskRelayed, "a hook asked for confirmation; "+in.title()+" asks the user at "+gate)
		f.uncertain(in, sure)
		f.ask, f.reason = true, f.reply.Reason
		dropVerdict(&f.reply)
	default:
		f.reply.Verdict = schema.Deny
		if f.reply.Reason == "" {
			f.reply.Reason = unasked
		}
		f.note(in, schema.CodeAskDenied, askDenied(in, gate))
	}
	return f
}

// unasked is the reason where a hook that asks gives none.
const unasked = "A hook asked for the user's confirmation, and this agent can't ask here."

// askDenied says why a question became a refusal. gate is the event at which the
// host can ask, "" if there is none.
func askDenied(in *setting, gate string) string {
	const asked = "a hook asked for confirmation, and the call is denied: "
	host := in.title()
	switch {
	case gate == "":
		return asked + host + " can't ask the user at " + in.call.Native
	case gate == in.call.Native:
		return asked + "this version of " + host + " may answer by itself without asking; --ask relay takes that risk"
	case in.policy.Ask == cmdline.AskRelay:
		return asked + "the question can't be moved to " + gate + ", where " + host + " asks"
	}
	return asked + host + " can only ask at " + gate + ", and --ask relay isn't set"
}

func (f *fitted) uncertain(in *setting, sure bool) {
	if !sure {
		f.note(in, schema.CodeAskUncertain, "a hook asked for confirmation; this version of "+
			in.title()+" may answer by itself without asking")
	}
}

// fitApproval drops an allow that only means "no objection" where
// the host would skip the user's permission prompt for it. A rewritten input
// stays: hosts apply it without a verdict, and their permission rules then look
// at the new input (observed in Claude Code 2.1.328 and qodercli 1.1.52).
func fitApproval(in *setting, f fitted) fitted {
	if in.said != schema.Allow || f.reply.Verdict != schema.Allow || in.policy.Allow == cmdline.AllowApprove ||
		in.hostRules().Name == in.rules.Name ||
		!plan.AllowPasses(in.hostRules().Row(in.call.Native), in.allowed) {
		return f
	}
	dropVerdict(&f.reply)
	f.note(in, schema.CodeAllowPassed, "allow means \"no objection\" in "+in.rules.Title+", so "+in.title()+
		"'s own permission rules decide; --allow approve skips its prompt")
	return f
}

// fitDenial reports what a refusal ends beside the call where the host can't refuse the call alone.
func fitDenial(in *setting, f fitted) fitted {
	d := in.host.Abilities().Denials
	if d == nil || f.reply.Verdict != schema.Deny && !f.reply.EndTurn {
		return f
	}
	reply := f.reply
	if what := d.DenialEnds(in.call, &reply); what != "" {
		f.note(in, schema.CodeEffectLost, in.title()+" can't refuse this alone: it ends "+what)
	}
	return f
}

// lastEvents are followed by none that belongs to them.
var lastEvents = []schema.Event{schema.SessionEnd, schema.PreCompact, schema.Stop, schema.SubagentStop,
	schema.StopFailure}

// fitTurnEnd deals with the end of the turn where the host cannot end it.
func fitTurnEnd(in *setting, f fitted) fitted {
	if !f.reply.EndTurn {
		return f
	}

	if in.honors(f.reply)&schema.EffectEndTurn != 0 {
		row := in.hostRules().Row(in.call.Native)
		switch {
		case row == nil || !row.EndDenies || f.reply.Verdict == schema.Deny || f.reply.Output != nil:
		case in.call.Event == schema.PreTool:
			f.note(in, schema.CodeEndTurn, in.title()+" ends the turn before this call, so the call doesn't run").
				Severity = schema.Note
		default:
			f.note(in, schema.CodeEndTurn, in.title()+" ends the turn without the result of this call").
				Severity = schema.Note
		}
		return f
	}

	reason := f.reply.EndReason
	f.reply.EndTurn, f.reply.EndReason = false, ""
	switch in.call.Event {
	case schema.Stop, schema.SubagentStop, schema.StopFailure, schema.SessionEnd:
		return f // it ends by itself
	case schema.PromptSubmit:
		if f.reply.Verdict != schema.Deny {
			f.reply.Verdict, f.reply.Reason = schema.Deny, reason
		}
		return f
	}

	if f.end = in.relays; f.end && in.prompts {
		f.endWhy = reason
		f.note(in, schema.CodeEndTurn, in.title()+
			" can't end a session at its start, so hookbridge denies its prompts").Severity = schema.Note
	} else if f.end {
		f.endWhy = reason
		f.note(in, schema.CodeEndTurn, "a hook ended the turn. "+in.title()+" can't do that, so hookbridge denies "+
			"the remaining tool calls of the turn wherever it runs before them")
	} else {
		f.note(in, schema.CodeEndTurn, "a hook ended the turn. "+in.title()+" can't do that, so the turn goes on")
	}
	return f
}

// fitObjection keeps what a hook says in the place of a result that stays.
func fitObjection(in *setting, f fitted) fitted {
	if text, isText := ordjson.String(f.reply.Output); isText && f.reply.Objects &&
		in.honors(f.reply)&schema.EffectOutput == 0 {
		f.reply.Feedback = schema.JoinText(f.reply.Feedback, text)
	}
	return f
}

// fitContext cuts context that is too long, and leaves unsupported context to a later
// event.
func fitContext(in *setting, f fitted) fitted {
	if f.reply.Context+f.reply.Feedback == "" {
		return f
	}
	honored := in.honors(f.reply)
	limit := in.hostRules().ContextLimit(in.call.Event)

	if honored&schema.EffectFeedback == 0 {
		f.reply.Context, f.reply.Feedback = schema.JoinText(f.reply.Feedback, f.reply.Context), ""
	}
	if honored&schema.EffectContext == 0 && f.beside(in, schema.JoinText(f.reply.Feedback, f.reply.Context)) {
		f.reply.Context, f.reply.Feedback = "", ""
		return f
	}
	if honored&schema.EffectContext == 0 {
		if in.relays && !slices.Contains(lastEvents, in.call.Event) && takesContext(in.host, in.call) {
			f.context, f.refused = schema.JoinText(f.reply.Feedback, f.reply.Context), f.reply.Verdict == schema.Deny
			f.lost(in, schema.CodeRelayed, "accepts no context", "; a later event delivers it")
		} else {
			f.lost(in, schema.CodeContextLost, "accepts no context", " or later, so the agent doesn't see it")
		}
		if f.reply.Feedback = ""; in.ignores(f.reply)&schema.EffectContext == 0 {
			f.reply.Context = ""
		} else if limit > 0 { // a program that takes it after all drops one that is too long
			f.reply.Context = cut(f.reply.Context, limit)
		}
		return f
	}

	f.previewed(in, utf16Len(f.reply.Context))
	if limit == 0 || utf16Len(schema.JoinText(f.reply.Feedback, f.reply.Context)) <= limit {
		return f
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
	f.note(in, schema.CodeContextCut, "the context is longer than "+in.title()+" accepts ("+
		strconv.Itoa(limit)+" characters), so it was cut")
	return f
}

// previewed reports context that the host puts into a file, where the hook's own agent shows it whole.
func (f *fitted) previewed(in *setting, length int) {
	at, own := in.hostRules().Row(in.call.Native), schema.RowFor(in.rules.Events, in.call.Event)
	same := at != nil && own != nil && own.Preview > 0 && own.Preview <= at.Preview
	if at == nil || at.Preview == 0 || length <= at.Preview || same {
		return
	}
	f.note(in, schema.CodeContextCut, "the context is longer than "+in.title()+" shows its model ("+
		strconv.Itoa(at.Preview)+" characters): it sees a part, and the path of a file with all of it")
}

// goOn replaces a reason of blanks, which some hosts take for no wish at all.
const goOn = "A hook asks you to continue."

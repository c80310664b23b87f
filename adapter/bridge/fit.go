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

// A setting is what fit needs in addition to the reply.
type setting struct {
	host    dialect.Dialect
	rules   *dialect.Profile // of the hooks
	call    *schema.Call
	policy  cmdline.Policy
	environ schema.Environ

	shown   schema.Args      // the input that the rewriting hook got
	joined  schema.Args      // the whole input with the parts that hooks rewrote; nil: none
	allowed *schema.EventRow // the event at which a hook allowed the call; nil: none
	relays  bool             // a later event can deliver what this one can't
	asks    bool             // so can the event at which the host asks the user
	hasFile bool             // the host reads variables from a file
	prompts bool             // the host's prompts come after this event, and hookbridge gets them
	said    schema.Verdict   // the hooks' verdict, before fit
}

// A fitted is a reply without anything that the host would ignore, and the work that is left.
type fitted struct {
	reply schema.Reply
	notes schema.Diagnostics

	env     []schema.EnvVar // set by hooks
	envFile []schema.EnvVar // the part of env for the host's file

	// Work for later events of the session.
	ask     bool   // ask the user, with this reason:
	reason  string //
	end     bool   // end the turn, with this reason:
	endWhy  string //
	context string // add this context
	refused bool   // the context's call is denied
}

// fit replaces what the host can't do for the call with what it can. Anything weaker is reported.
func fit(in setting, reply schema.Reply) fitted {
	in.said = reply.Verdict
	out := fitted{reply: reply}
	for _, step := range fitSteps {
		out = step(&in, out)
	}
	return out
}

// fitSteps are the steps of fit, in order. What the host honors depends on the verdict, so the steps that may change
// the verdict come first.
var fitSteps = [...]func(*setting, fitted) fitted{
	fitOwnWords,      // before anything is added to the hooks' texts
	fitQuestion,      // before the rest, so that they only get verdicts that the host has here
	fitUnknownFields, // before fitInput judges the input by its fields
	fitInput,         // denies a call whose new input the host can't apply; a denied call needs no input
	fitParts,         // after fitInput, which checks one hook's rewrite and not the whole
	fitApproval,      // after fitInput, which may deny an allowed call, and then gives the allowing hook's reason
	fitTurnEnd,       // the last step that may deny: a prompt, where the host can't end the turn
	fitObjection,     // leaves to fitContext a hook's text that was to replace a result, if the result stays
	fitContext,       // may add to the reason, or to the result
	fitContinuation,
	fitVariables,
	fitReasons,    // once the reason is complete
	fitLongReason, // measures the result of fitReasons
	fitDenial,     // once the verdict and the end of the turn are final
	fitLosses,     // drops and reports the rest of what the host ignores
}

// note reports a finding about the call.
func (f *fitted) note(in *setting, c schema.Code, message string) *schema.Diagnostic {
	d := f.notes.Add(c, "", message)
	d.Event = in.call.Native
	return d
}

// lost reports what the host doesn't do at this event, and the consequence.
func (f *fitted) lost(in *setting, c schema.Code, does, so string) {
	f.note(in, c, in.title()+" "+does+" at "+in.call.Native+so)
}

func (in *setting) hostRules() *dialect.Profile { return in.host.Profile() }

func (in *setting) title() string { return in.host.Profile().Title }

// honors returns the effects of the reply that the host honors.
func (in *setting) honors(r schema.Reply) schema.Feature { return in.host.Honors(in.call, &r) }

func (in *setting) ignores(r schema.Reply) schema.Feature { return ignored(in.host, in.call, &r) }

// ignored returns the effects that stay in the answer although this one of the host's programs ignores them. Their loss
// is reported.
func ignored(host dialect.Dialect, c *schema.Call, reply *schema.Reply) schema.Feature {
	program := host.Profile().ProgramOf(cmp.Or(host.Profile().Version, c.Version))
	if program == nil {
		return 0
	}
	return program.On(c.Native).Effects &^ host.Honors(c, reply) & kept
}

// fitLosses drops and reports the effects that the host doesn't support and nothing replaces.
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

// kept lists effects that stay in the answer even if the program that raised the event ignores them: another release
// may honor them.
const kept = schema.EffectDeny | schema.EffectReason | schema.EffectUserReason | schema.EffectEnv | schema.EffectContext

// losses lists the effects that nothing replaces if the host doesn't support them.
var losses = []struct {
	effects schema.Feature
	code    schema.Code
	does    string // what the host does at an event instead of honoring them
	so      string // the consequence
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

// explained lists the effects that the reason for the user belongs to, and that reason.
const explained = schema.EffectDeny | schema.EffectAllow | schema.EffectUserReason

func denial(reason string) schema.Reply { return schema.Reply{Verdict: schema.Deny, Reason: reason} }

// dropVerdict also drops the reasons, which mean nothing without a verdict.
func dropVerdict(r *schema.Reply) { r.Verdict, r.Reason, r.UserReason = schema.NoOpinion, "", "" }

// fitReasons gives the agent the reason for the user if the host has one reason for both.
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

// fitOwnWords cuts the hooks' texts to what their own agent shows its model.
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

// fitLongReason reports a reason that the host cuts for its model and the hook's own agent shows in full.
func fitLongReason(in *setting, f fitted) fitted {
	limit, own := in.hostRules().ReasonLimit, in.rules.ReasonLimit
	if f.reply.Verdict != schema.Deny || limit == 0 || own > 0 && own <= limit || utf16Len(f.reply.Reason) <= limit {
		return f
	}
	f.note(in, schema.CodeContextCut, "the reason is longer than "+in.title()+" shows its model ("+strconv.Itoa(limit)+
		" characters): it sees a part")
	return f
}

// fitQuestion turns an ask into a verdict that the host supports here, or leaves it to the event at which the host
// asks.
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

// unasked is the reason for a hook that asks without one.
const unasked = "A hook asked for the user's confirmation, and this agent can't ask here."

// askDenied returns why an ask became a denial. gate is the event at which the host can ask, or "".
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

// fitApproval drops an allow that only means "no objection" if it would make the host skip the user's permission
// prompt. A rewritten input stays: hosts apply it without a verdict, and check it against their permission rules
// (observed in Claude Code 2.1.328 and qodercli 1.1.52).
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

// fitDenial reports what else a denial ends if the host can't deny the call alone.
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

// lastEvents have no later event that belongs to them.
var lastEvents = []schema.Event{schema.SessionEnd, schema.PreCompact, schema.Stop, schema.SubagentStop,
	schema.StopFailure}

// fitTurnEnd handles the end of the turn if the host can't end it.
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
		return f // it ends anyway
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

// fitObjection keeps a hook's text that was to replace a result, if the result stays.
func fitObjection(in *setting, f fitted) fitted {
	if text, isText := ordjson.String(f.reply.Output); isText && f.reply.Objects &&
		in.honors(f.reply)&schema.EffectOutput == 0 {
		f.reply.Feedback = schema.JoinText(f.reply.Feedback, text)
	}
	return f
}

// fitContext cuts context that is too long, and leaves unsupported context to a later event.
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
		} else if limit > 0 { // a program that supports it nevertheless drops long context
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

// previewed reports context that the host moves to a file and the hook's own agent shows in full.
func (f *fitted) previewed(in *setting, length int) {
	at, own := in.hostRules().Row(in.call.Native), schema.RowFor(in.rules.Events, in.call.Event)
	same := at != nil && own != nil && own.Preview > 0 && own.Preview <= at.Preview
	if at == nil || at.Preview == 0 || length <= at.Preview || same {
		return
	}
	f.note(in, schema.CodeContextCut, "the context is longer than "+in.title()+" shows its model ("+
		strconv.Itoa(at.Preview)+" characters): it sees a part, and the path of a file with all of it")
}

// goOn replaces a blank reason, which some hosts ignore.
const goOn = "A hook asks you to continue."

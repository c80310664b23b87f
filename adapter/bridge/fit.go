package bridge

import (
	"os"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// fit replaces what the host cannot do for this call by what it can, never by
// something weaker without saying so, and reports what is left over. When it is
// done the reply holds nothing that the host would ignore.
func (r *run) fit(reply *schema.Reply) {
	allows := reply.Verdict == schema.Allow // of its own, not as --ask allow has it
	r.fitAsk(reply)
	r.fitInput(reply)
	if r.joined != nil && reply.Verdict != schema.Deny {
		reply.Input, reply.InputView = r.joined, schema.View{Tool: r.call.Tool.Name, Kind: r.call.Tool.Kind()}
	}
	if allows {
		r.fitAllow(reply)
	}
	r.fitEnd(reply)
	r.fitContext(reply)
	r.fitStop(reply)
	r.fitEnv(reply)
	lost := reply.Uses() &^ r.Host.Honors(r.call, reply)
	for _, row := range losses {
		if lost&row.effects != 0 {
			if ignoredByProgram(r.Host, r.call, reply)&row.effects == 0 {
				row.drop(reply)
			}
			if row.code != "" { // a reason goes with its verdict, whose loss is reported
				r.note(row.code, row.message)
			}
			lost &^= row.effects
		}
	}
	r.dropOthers(reply, lost)
}

// kept are effects that stay in the answer though the program that raised the
// event ignores them: another release of it may honor them.
const kept = schema.EffectDeny | schema.EffectReason | schema.EffectUserReason | schema.EffectEnv | schema.EffectContext

// ignoredByProgram are the effects of a reply that stay in the answer although the
// host's program, unlike others of the host, ignores them. Their loss is reported.
func ignoredByProgram(host dialect.Dialect, c *schema.Call, reply *schema.Reply) schema.Feature {
	program := host.Profile().Program
	if program == nil || program.Less == nil {
		return 0
	}
	general, err := adapter.Find(host.Profile().Name)
	if err != nil {
		return 0
	}
	return general.Honors(c, reply) &^ host.Honors(c, reply) & kept
}

// losses are the effects for which nothing takes the place of the channel that
// the host lacks.
var losses = []struct {
	effects schema.Feature
	code    schema.Code
	message string
	drop    func(*schema.Reply)
}{
	{schema.EffectDeny, schema.CodeDenyLost, "the host cannot refuse this event; it goes on although a hook said no", dropVerdict},
	{schema.EffectAllow, schema.CodeAllowPassed, "the host's hooks can't approve anything here, so its own permission rules decide", dropVerdict},
	{schema.EffectOutput, schema.CodeOutputKept, "the host cannot replace the result of this tool", func(r *schema.Reply) { r.Output = nil }},
	{schema.EffectKeepGoing, schema.CodeKeepGoLost, "the host cannot be told to go on here", func(r *schema.Reply) { r.KeepGoing = "" }},
	{schema.EffectEnv, schema.CodeEnvLost, "the host takes no environment here", func(r *schema.Reply) { r.Env = nil }},
	{schema.EffectNotice, schema.CodeNoticeLost, "the host shows the user nothing here", func(r *schema.Reply) { r.Notice = "" }},
	{schema.EffectReason | schema.EffectUserReason, "", "", func(r *schema.Reply) { r.Reason, r.UserReason = "", "" }},
}

// dropVerdict takes the reason along, which explains nothing by itself.
func dropVerdict(r *schema.Reply) { r.Verdict, r.Reason, r.UserReason = schema.NoOpinion, "", "" }

func (r *run) dropOthers(reply *schema.Reply, lost schema.Feature) {
	kept := reply.Others[:0:0]
	for _, o := range reply.Others {
		if o.Feature&lost == 0 {
			kept = append(kept, o)
		} else if o.Feature&schema.SilentEffects == 0 {
			r.note(schema.CodeEffectLost, "the host has no counterpart for "+o.Feature.Name())
		}
	}
	reply.Others = kept
}

// fitAsk deals with a question for the user.
func (r *run) fitAsk(reply *schema.Reply) {
	if reply.Verdict != schema.Ask && reply.Verdict != schema.Defer {
		return
	}
	honoured := r.Host.Honors(r.call, reply)
	gate, sure := r.Host.Asks(r.call)
	switch {
	case reply.Verdict == schema.Defer && honoured&schema.EffectDefer != 0:
	case sure && honoured&schema.EffectAsk != 0 && gate == "":
		reply.Verdict = schema.Ask
	case r.Ask == cmdline.AskAllow:
		reply.Verdict = schema.Allow
		r.note(schema.CodeAskAllowed, "a hook asked for confirmation; --ask allow lets the act proceed")
	case r.Ask == cmdline.AskRelay && gate == r.call.Native:
		reply.Verdict = schema.Ask
		r.uncertain(sure)
	case r.Ask == cmdline.AskRelay && gate != "" && reply.Input == nil && r.canReach(gate) && r.relayAsk(reply):
		r.note(schema.CodeAskRelayed, "the question is asked at "+gate)
		r.uncertain(sure)
		reply.Verdict, reply.Reason, reply.UserReason = schema.NoOpinion, "", ""
	default:
		reply.Verdict = schema.Deny
		if reply.Reason == "" {
			reply.Reason = "A hook asks for the user's confirmation, which cannot be had here."
		}
		r.note(schema.CodeAskDenied, r.askDenied(gate))
	}
}

// askDenied says why a question became a refusal. gate is the event at which the
// host can ask, "" if there is none.
func (r *run) askDenied(gate string) string {
	const asked = "a hook asked for confirmation, and the call is denied: "
	host := r.Host.Profile().Name
	switch {
	case gate == "":
		return asked + host + " can't ask the user at " + r.call.Native
	case r.Ask == cmdline.AskRelay:
		return asked + "the question can't be moved to " + gate + ", where " + host + " asks"
	}
	return asked + host + " can only ask at " + gate + ", and --ask relay isn't set"
}

func (r *run) uncertain(sure bool) {
	if !sure {
		r.note(schema.CodeAskUncertain, "this version of the host is known to answer the question by itself")
	}
}

// fitInput deals with a rewritten input: what the host applies is passed on,
// in the members that differ; a rewrite that it would ignore becomes a denial,
// for the hook did not agree to the original.
func (r *run) fitInput(reply *schema.Reply) {
	if reply.Input == nil || reply.Verdict == schema.Deny {
		reply.Input = nil
		return
	}
	roles, whole := r.Host.Replaces(r.call)
	if r.Host.Honors(r.call, reply)&schema.EffectInput == 0 {
		roles, whole = 0, false
	}
	shown := r.shown(reply)
	changed, bad, short := r.changes(reply, shown, roles, whole)
	overlay := r.Hooks.Profile().PatchesInput || reply.InputView.Kind != r.call.Tool.Kind() // shown as another tool than the host's
	switch {
	case len(bad) > 0:
		what := strings.Join(bad, ", ")
		r.note(schema.CodeInputDenied, "a hook rewrote "+what+", which the host cannot apply here")
		text := "A hook rewrote the input of this call (" + what + "), which cannot be applied here; the original is refused."
		if reply.Reason != "" {
			text = reply.Reason + "\n" + text
		}
		reply.Verdict, reply.Reason, reply.Input = schema.Deny, text, nil
	case len(changed) == 0 && !short:
		reply.Input = nil
	case !whole:
		reply.Input = changed
	case overlay: // what was not named stays
		in := r.call.Tool.Input
		for _, a := range changed {
			in = replaceArg(in, a)
		}
		reply.Input = in
	default:
		reply.Input = r.withUnseen(reply, shown)
	}
}

// shown is the input that a hook saw. What it saw and answered in another form is
// read back, if it can be.
func (r *run) shown(reply *schema.Reply) schema.Args {
	v := &reply.InputView
	shown := r.Hooks.Shown(r.fill(*v), *v)
	if s := dialect.AbilitiesOf(r.Hooks).Forms; s != nil && v.Fixed {
		if was, now, ok := s.Restore(shown, reply.Input); ok {
			for _, args := range []schema.Args{was, now} {
				for i := range args {
					args[i] = wholeArg(args[i], r.call.Cwd)
				}
			}
			shown, reply.Input, v.Fixed = was, now, false
		}
	}
	return shown
}

// withUnseen adds to a new input the members that the hook was not shown: it can
// neither have kept nor dropped them.
func (r *run) withUnseen(reply *schema.Reply, shown schema.Args) schema.Args {
	in := reply.Input
	for _, a := range r.call.Tool.Input {
		_, seen := find(shown, a)
		_, have := find(in, a)
		if !seen && !have && !namedAlike(shown, a) {
			in = append(in[:len(in):len(in)], a)
		}
	}
	return in
}

// cosmetic members say nothing about what is done.
const cosmetic = schema.Roles(1<<schema.RoleDescription | 1<<schema.RoleBackground)

// essential members make the call what it is: an input without one is not the
// call that the hook was asked about, and its own agent would refuse it.
var essential = schema.RoleSet(schema.RoleCommand, schema.RolePath, schema.RoleContent, schema.RoleOldText, schema.RoleNewText, schema.RoleEdits,
	schema.RolePattern, schema.RoleURL, schema.RoleQuery, schema.RolePrompt, schema.RoleCellSource)

// changes compares a rewritten input with what the hook was shown: the members
// that the host is to change, the names of those that it cannot, and whether
// something was left out that makes the call.
func (r *run) changes(reply *schema.Reply, shown schema.Args, roles schema.Roles, whole bool) (changed schema.Args, bad []string, short bool) {
	// shown as another tool, or in another form: nothing can be carried back
	deleting := reply.InputView.Kind == schema.Delete || reply.InputView.Fixed
	for _, a := range reply.Input {
		if sameArg(shown, a) {
			continue
		}
		switch {
		case !fitting(shown, a): // the hook's own agent refuses it, the host may ignore it
			bad = append(bad, argName(a))
		case roles.Has(a.Role) && !deleting:
			changed = append(changed, a)
		case cosmetic.Has(a.Role):
		default:
			bad = append(bad, argName(a))
		}
	}
	if r.Hooks.Profile().PatchesInput {
		return changed, bad, false
	}
	for _, a := range shown { // a host that goes member by member keeps what is left out; one that does not refuses it
		if _, ok := find(reply.Input, a); !ok && (essential.Has(a.Role) || reply.InputView.Kind == schema.MCP) {
			if short = true; !whole || deleting || reply.InputView.Kind != r.call.Tool.Kind() {
				bad = append(bad, argName(a))
			}
		}
	}
	return changed, bad, short
}

// fitting reports whether a value is of the kind that the tool takes: that of the
// value it replaces, text for the members that make the call.
func fitting(shown schema.Args, a schema.Arg) bool {
	if a.Role == schema.Rest {
		return true
	}
	kind := ordjson.KindOf(a.Raw)
	if s, ok := find(shown, a); ok {
		return kind == ordjson.KindOf(s.Raw)
	}
	return kind == ordjson.StringKind || !essential.Has(a.Role) || a.Role == schema.RoleEdits
}

// argName names a member for its reader; in some forms it has only a role.
func argName(a schema.Arg) string {
	if a.Name == "" {
		return a.Role.String()
	}
	return a.Name
}

func sameArg(shown schema.Args, a schema.Arg) bool {
	s, ok := find(shown, a)
	return ok && sameJSON(s.Raw, a.Raw)
}

func find(as schema.Args, a schema.Arg) (schema.Arg, bool) {
	for _, s := range as {
		if s.Role == a.Role && (a.Role != schema.Rest || s.Name == a.Name) {
			return s, true
		}
	}
	return schema.Arg{}, false
}

// sameJSON compares two values by meaning as far as spelling goes: blanks and
// the escapes of a string do not count.
func sameJSON(a, b []byte) bool {
	if s, ok := ordjson.String(a); ok {
		t, ok := ordjson.String(b)
		return ok && s == t
	}
	return string(ordjson.AppendCompact(nil, a)) == string(ordjson.AppendCompact(nil, b))
}

// fitEnd deals with the end of the turn where the host cannot end it.
func (r *run) fitEnd(reply *schema.Reply) {
	if !reply.EndTurn || r.Host.Honors(r.call, reply)&schema.EffectEndTurn != 0 {
		return
	}
	reason := reply.EndReason
	reply.EndTurn, reply.EndReason = false, ""
	switch r.call.Event {
	case schema.Stop, schema.SubagentStop, schema.StopFailure, schema.SessionEnd:
		return // it ends by itself
	case schema.PromptSubmit:
		if reply.Verdict != schema.Deny {
			reply.Verdict, reply.Reason = schema.Deny, reason
		}
		return
	}
	if r.relayEnd(reason) {
		r.note(schema.CodeEndTurn, "a hook ended the turn; the host cannot, so the bridge denies the turn's further tool calls wherever it runs before them")
	} else {
		r.note(schema.CodeEndTurn, "a hook ended the turn; the host cannot")
	}
}

// fitContext cuts what is too long and hands what has no channel to a later
// event.
func (r *run) fitContext(reply *schema.Reply) {
	honoured := r.Host.Honors(r.call, reply)
	if reply.Context+reply.Feedback == "" {
		return
	}
	if honoured&schema.EffectFeedback == 0 {
		reply.Context, reply.Feedback = schema.JoinText(reply.Feedback, reply.Context), ""
	}
	if honoured&schema.EffectContext == 0 {
		if r.relayContext(schema.JoinText(reply.Feedback, reply.Context), reply.Verdict == schema.Deny) {
			r.note(schema.CodeRelayed, "context is delivered at a later event")
		} else {
			r.note(schema.CodeContextLost, "the host has no channel for context here")
		}
		if reply.Feedback = ""; ignoredByProgram(r.Host, r.call, reply)&schema.EffectContext == 0 {
			reply.Context = ""
		}
		return
	}
	limit := r.Host.Profile().ContextLimit
	if limit == 0 || utf16Len(reply.Context)+utf16Len(reply.Feedback)+1 <= limit {
		return
	}
	reply.Feedback = cut(reply.Feedback, limit)
	if room := limit - utf16Len(reply.Feedback) - 1; reply.Feedback == "" || room > 0 {
		if reply.Feedback == "" {
			room = limit
		}
		reply.Context = cut(reply.Context, room)
	} else {
		reply.Context = ""
	}
	r.note(schema.CodeContextCut, "context is longer than the host takes and was cut")
}

func utf16Len(s string) (n int) {
	for _, c := range s {
		n += utf16.RuneLen(c)
	}
	return n
}

const cutMark = "\n[cut]"

// cut shortens s to limit UTF-16 units, with a mark at the end where it fits.
func cut(s string, limit int) string {
	if utf16Len(s) <= limit {
		return s
	}
	mark := cutMark
	if limit < 4*len(mark) {
		mark = ""
	}
	room := limit - len(mark)
	for i, c := range s {
		if room -= utf16.RuneLen(c); room < 0 {
			return s[:i] + mark
		}
	}
	return s
}

// goOn stands for a reason of blanks, which some hosts take for no wish at all.
const goOn = "A hook asks you to go on."

// fitStop applies the cap of the hooks' own agent on going on again and again.
func (r *run) fitStop(reply *schema.Reply) {
	if reply.KeepGoing != "" && strings.TrimSpace(reply.KeepGoing) == "" {
		reply.KeepGoing = goOn
	}
	limit, agent := r.Hooks.Profile().StopBlocks, r.Hooks.Profile().Name
	if most := r.Host.Profile().StopBlocks; most > 0 && (limit == 0 || most < limit) {
		limit, agent = most, r.Host.Profile().Name
	}
	n, _ := r.call.Int(schema.FieldLoopCount)
	if reply.KeepGoing != "" && limit > 0 && n >= int64(limit) {
		reply.KeepGoing = ""
		code := schema.CodeIgnoredEffect
		if agent != r.Hooks.Profile().Name {
			code = schema.CodeKeepGoLost
		}
		r.note(code, agent+" lets its stop hooks send it back "+strconv.Itoa(limit)+" times in a row; this is one more")
	}
}

// fitEnv hands variables to the host by its file, where it has one.
func (r *run) fitEnv(reply *schema.Reply) {
	r.dropBadNames(reply)
	r.rememberEnv(reply)
	if len(reply.Env) == 0 || r.Host.Honors(r.call, reply)&schema.EffectEnv != 0 {
		return
	}
	file := ""
	if e := r.Host.Profile().EnvFile; e.Usable {
		file = r.Places.Env.Get(e.For(r.call.Event))
	}
	format := dialect.AbilitiesOf(r.Host).EnvFile
	if file == "" || format == nil {
		return
	}
	if err := appendFile(file, format.AppendEnv(nil, reply.Env)); err != nil {
		r.note(schema.CodeEnvLost, "the host's environment file: "+err.Error())
	}
	reply.Env = nil
}

// dropBadNames leaves out variables that no shell could set.
func (r *run) dropBadNames(reply *schema.Reply) {
	kept := reply.Env[:0:0]
	for _, v := range reply.Env {
		if shell.IsName(v.Name) && !strings.Contains(v.Value, "\x00") {
			kept = append(kept, v)
		} else {
			r.note(schema.CodeEnvLost, strconv.Quote(v.Name)+" is no name for a variable")
		}
	}
	reply.Env = kept
}

func appendFile(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

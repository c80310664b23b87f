package bridge

import (
	"cmp"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/internal/toolpath"
	"github.com/hookbridge/hookbridge/schema"
)

// fitInput passes on the changed fields of a rewritten input if the host applies them. A rewrite that the host would
// ignore becomes a denial, because the hook didn't agree to the original.
func fitInput(in *setting, f fitted) fitted {
	if f.reply.Input == nil || f.reply.Verdict == schema.Deny {
		f.reply.Input = nil
		return f
	}

	roles, whole := in.host.Replaces(in.call)
	if in.honors(f.reply)&schema.EffectInput == 0 {
		roles, whole = 0, false
	}

	changed, bad, short := changes(in, &f.reply, roles, whole)
	// shown as another tool than the host's
	overlay := in.rules.PatchesInput || f.reply.InputView.Kind != in.call.Tool.Kind()
	switch {
	case len(bad) > 0:
		what := strings.Join(bad, ", ")
		f.note(in, schema.CodeInputDenied, "a hook rewrote "+what+", and "+in.title()+" can't apply that at "+
			in.call.Native+", so the call is denied")
		text := "A hook rewrote the input of this call (" + what +
			"). That can't be applied here, so the call is denied."
		if f.reply.Reason != "" {
			text = f.reply.Reason + "\n" + text
		}
		f.reply.Verdict, f.reply.Reason, f.reply.Input = schema.Deny, text, nil
	case len(changed) == 0 && !short:
		f.reply.Input = nil
	case !whole:
		f.reply.Input = changed
	case overlay: // fields that weren't named stay
		f.reply.Input = in.call.Tool.Input.With(changed...)
	default:
		f.reply.Input = withoutDefaults(in, withUnseen(in, f.reply.Input), roles)
	}
	return f
}

// fitUnknownFields removes fields that the tool of the hook's own agent doesn't have, as that agent does.
func fitUnknownFields(in *setting, f fitted) fitted {
	if f.reply.Input == nil || f.reply.Verdict == schema.Deny {
		return f
	}
	own := in.rules.Tool(f.reply.InputView.Tool)
	known := f.reply.Input[:0:0]
	for _, a := range f.reply.Input {
		if unknown(in, a) && own.Drops(a.Name) {
			f.note(in, schema.CodeIgnoredEffect, in.rules.Title+"'s "+own.Name+" has no field "+a.Name+
				", so the new input goes without it").Severity = schema.Note
			continue
		}
		known = append(known, a)
	}
	f.reply.Input = known
	return f
}

// fitParts gives the host the whole input if hooks rewrote parts of it.
func fitParts(in *setting, f fitted) fitted {
	if in.joined != nil && f.reply.Verdict != schema.Deny {
		f.reply.Input = in.joined
		f.reply.InputView = schema.View{Tool: in.call.Tool.Name, Kind: in.call.Tool.Kind()}
	}
	return f
}

// withoutDefaults removes defaults that only the hook's agent has for the tool, and that the hook kept.
func withoutDefaults(in *setting, input schema.Args, roles schema.Roles) schema.Args {
	return slices.DeleteFunc(slices.Clone(input), func(a schema.Arg) bool {
		_, ours := in.call.Tool.Input.Find(a)
		return !roles.Has(a.Role) && !ours && sameArg(in.shown, a)
	})
}

// withUnseen adds the fields that the hook didn't get, and so could neither keep nor drop.
func withUnseen(in *setting, input schema.Args) schema.Args {
	for _, a := range in.call.Tool.Input {
		_, seen := in.shown.Find(a)
		_, have := input.Find(a)
		if !seen && !have && !namedAlike(in.shown, a) {
			input = append(input[:len(input):len(input)], a)
		}
	}
	return input
}

// cosmetic fields don't affect what the call does.
const cosmetic = schema.Roles(1<<schema.RoleDescription | 1<<schema.RoleBackground)

// Essential fields define the call: an input without one isn't the call that the hook got, and its own agent would
// reject it.
const Essential = schema.Roles(
	1<<schema.RoleCommand | 1<<schema.RolePath | 1<<schema.RoleContent | 1<<schema.RoleOldText | 1<<schema.RoleNewText |
		1<<schema.RoleEdits | 1<<schema.RolePattern | 1<<schema.RoleURL | 1<<schema.RoleQuery | 1<<schema.RolePrompt |
		1<<schema.RoleCellSource)

// changes compares a rewritten input with what the hook got. It returns the fields that the host is to change, the
// names of those that it can't change, and whether an essential field is missing.
func changes(in *setting, r *schema.Reply, roles schema.Roles, whole bool) (changed schema.Args, bad []string,
	short bool) {
	// shown as another tool, or in another form: no change can be translated
	deleting := r.InputView.Kind == schema.Delete || r.InputView.Fixed
	for _, a := range r.Input {
		if sameArg(in.shown, a) {
			continue
		}
		switch {
		case !rightKind(in.shown, a), unknown(in, a): // the hook's own agent rejects it, the host may ignore it
			bad = append(bad, argName(a))
		case roles.Has(a.Role) && !deleting:
			changed = append(changed, a)
		case cosmetic.Has(a.Role):
		default:
			bad = append(bad, argName(a))
		}
	}

	if in.rules.PatchesInput {
		return changed, bad, false
	}

	// a host that changes single fields keeps a missing one; others reject the input
	for _, a := range in.shown {
		if _, ok := r.Input.Find(a); !ok && (Essential.Has(a.Role) || r.InputView.Kind == schema.MCP) {
			_, same := in.call.Tool.Input.Get(a.Role) // else the host has it in another form, and would keep it
			if short = true; !whole || !same || deleting || r.InputView.Kind != in.call.Tool.Kind() {
				bad = append(bad, argName(a))
			}
		}
	}

	return changed, bad, short
}

// unknown reports whether the host's tool most likely lacks the field a of the hooks' agent's tool. Hosts ignore such
// fields (observed Claude Code 2.1.328, Copilot 1.0.102, Gemini CLI 0.61.0).
func unknown(in *setting, a schema.Arg) bool {
	kind := in.call.Tool.Kind()
	if a.Role != schema.Rest || kind == schema.MCP || kind == schema.Other ||
		in.rules.Name == in.hostRules().Name {
		return false
	}
	_, sent := in.call.Tool.Input.Find(a)
	return !sent
}

// rightKind reports whether a value has the JSON kind that the tool takes: the kind of the value it replaces, or a
// string for essential fields.
func rightKind(shown schema.Args, a schema.Arg) bool {
	if a.Role == schema.Rest {
		return true
	}
	kind := ordjson.KindOf(a.Raw)
	if s, ok := shown.Find(a); ok {
		return kind == ordjson.KindOf(s.Raw)
	}
	return kind == ordjson.StringKind || !Essential.Has(a.Role) || a.Role == schema.RoleEdits
}

// argName returns a field's name for messages; in some forms it has only a role.
func argName(a schema.Arg) string {
	if a.Name == "" {
		return a.Role.String()
	}
	return a.Name
}

func sameArg(shown schema.Args, a schema.Arg) bool {
	s, ok := shown.Find(a)
	return ok && ordjson.Equal(s.Raw, a.Raw)
}

// settingOf returns what fit needs, and the reply in the form of the call and of the host.
func settingOf(r *run, did *done, reply schema.Reply) (setting, schema.Reply) {
	c := did.call
	in := setting{host: r.host, rules: r.rules, call: c, policy: r.opts.Policy, environ: r.places.Env,
		joined: did.joined, allowed: allowedBy(r, did.runs), relays: r.mem.Remembers(), asks: canAskLater(r, c, &reply)}
	if reply.Input != nil && reply.Verdict != schema.Deny {
		reply, in.shown = shownInput(r, c, reply)
	}
	if row := r.hostRules.Row(c.Native); reply.EndTurn && c.Event == schema.SessionStart && row != nil {
		in.prompts = !row.Beside && servedAt(r, c, r.hostRules.Generic(schema.PromptSubmit))
	}
	if n := counter(r, c); n != nil {
		if text, ok := ordjson.String(reply.Output); ok {
			reply.Output = ordjson.AppendString(nil, n.Uncounted(text))
		}
	}
	in.hasFile = len(reply.Env) > 0 && hostEnvFile(r, c) != ""
	return in, reply
}

// hostEnvFile returns the file from which the host reads variables at this event, "" if it has none.
func hostEnvFile(r *run, c *schema.Call) string {
	e := r.hostRules.EnvFile
	if name := e.For(c.Event); name != "" && e.Usable && r.host.Abilities().EnvFile != nil {
		return r.opts.Places.Env.Get(name)
	}
	return ""
}

// keepForLater reports the findings of fit, and keeps the work for later events.
func keepForLater(r *run, c *schema.Call, out *fitted) {
	r.log.ds = append(r.log.ds, out.notes...)
	rememberEnv(r, c, out.env)
	if out.ask {
		r.mem.Call(c).Ask().Keep(out.reason)
	}
	if out.end {
		relayEnd(r, c, out.endWhy)
	}
	if out.context != "" {
		relayContext(r, c, out)
	}
	if len(out.envFile) > 0 {
		format := r.host.Abilities().EnvFile
		if err := appendFile(hostEnvFile(r, c), format.AppendEnv(nil, out.envFile)); err != nil {
			r.log.note(schema.CodeEnvLost, "the host's environment file: "+err.Error())
		}
	}
}

// canAskLater reports whether an ask can be left to the event at which the host asks.
func canAskLater(r *run, c *schema.Call, reply *schema.Reply) bool {
	if r.opts.Ask != cmdline.AskRelay || reply.Verdict != schema.Ask && reply.Verdict != schema.Defer {
		return false
	}
	gate, _ := r.host.Asks(c)
	return gate != "" && gate != c.Native && canReach(r, c, gate) && r.mem.Ready()
}

// shownInput returns the input that a hook got. If the hook got and answered another form that can be read back, the
// reply is in the call's own form.
func shownInput(r *run, c *schema.Call, reply schema.Reply) (schema.Reply, schema.Args) {
	v := &reply.InputView
	shown := r.hooks.Shown(fillView(r, c, *v), *v)
	was, ok := restored(r.hooks, *v, shown, c.Cwd)
	now, valid := restored(r.hooks, *v, reply.Input, c.Cwd)
	if ok && valid {
		shown, reply.Input, v.Fixed = was, now, false
	}
	if path.IsAbs(c.Tool.Input.Text(schema.RolePath)) && toolpath.Relative(shown.Text(schema.RolePath)) {
		shown, reply.Input = wholeArgs(shown, c.Cwd), wholeArgs(reply.Input, c.Cwd)
	}
	return reply, shown
}

// restored returns an input of another form, by role.
func restored(d dialect.Dialect, v schema.View, in schema.Args, cwd string) (schema.Args, bool) {
	forms := d.Abilities().Inputs
	if forms == nil || !v.Fixed {
		return nil, false
	}
	args, ok := forms.Restore(v, in)
	return wholeArgs(args, cwd), ok
}

// allowedBy returns the event at which a hook allowed the call, and of several the one whose allow means most.
func allowedBy(r *run, runs []HookRun) (by *schema.EventRow) {
	for i := range runs {
		if runs[i].Async || runs[i].Reply.Verdict != schema.Allow {
			continue
		}
		row := r.rules.Row(runs[i].View.Event)
		if by == nil || row != nil && row.Allow > by.Allow {
			by = row
		}
	}
	return by
}

func appendFile(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return cmp.Or(err, f.Close())
}

func utf16Len(s string) (n int) {
	for _, c := range s {
		n += utf16.RuneLen(c)
	}
	return n
}

const cutMark = "\n[cut]"

// cut shortens s to limit UTF-16 units, with a mark at the end if it fits.
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

// takesContext reports whether the host takes context at a recurring event.
func takesContext(host dialect.Dialect, c *schema.Call) bool {
	for _, row := range host.Profile().Events {
		if row.Inline() || !row.Event.IsTool() && row.Event != schema.PromptSubmit {
			continue
		}
		at := &schema.Call{Dialect: c.Dialect, Version: c.Version, Event: row.Event, Native: row.Native,
			Gate: row.Gate != nil}
		if host.Honors(at, &schema.Reply{Context: "x"})&schema.EffectContext != 0 {
			return true
		}
	}
	return false
}

// beside adds context to the text that the agent reads instead of a result, if there is one: the reason of a denial,
// after which the call has no event, or a replaced result.
func (f *fitted) beside(in *setting, context string) bool {
	honored := in.honors(f.reply)
	old, isText := ordjson.String(f.reply.Output)
	switch {
	case in.call.Event == schema.PreTool && f.reply.Verdict == schema.Deny && honored&schema.EffectReason != 0:
		f.reply.Reason = schema.JoinText(f.reply.Reason, context)
	case in.call.Event == schema.PostTool && isText && honored&schema.EffectOutput != 0:
		f.reply.Output = ordjson.AppendString(nil, schema.JoinText(old, context))
	default:
		return false
	}
	return true
}

// fitContinuation applies the limit of the hooks' own agent on keeping it working repeatedly.
func fitContinuation(in *setting, f fitted) fitted {
	if f.reply.KeepGoing != "" && strings.TrimSpace(f.reply.KeepGoing) == "" {
		f.reply.KeepGoing = goOn
	}
	limit, agent := in.rules.StopBlocksIn(in.environ), in.rules.Name
	if most := in.hostRules().StopBlocksIn(in.environ); most > 0 && (limit == 0 || most < limit) {
		limit, agent = most, in.hostRules().Name
	}
	n, _ := in.call.Int(schema.FieldLoopCount)
	if f.reply.KeepGoing != "" && limit > 0 && n >= int64(limit) {
		f.reply.KeepGoing = ""
		code := schema.CodeIgnoredEffect
		if agent != in.rules.Name {
			code = schema.CodeKeepGoLost
		}
		f.note(in, code, agent+" lets stop hooks block "+strconv.Itoa(limit)+" times in a row; this one is ignored")
	}
	return f
}

// fitVariables passes variables to the host in its file, if it has one. It leaves out names that no shell could set.
func fitVariables(in *setting, f fitted) fitted {
	if len(f.reply.Env) == 0 {
		return f
	}
	for _, v := range f.reply.Env {
		if shell.IsName(v.Name) && !strings.Contains(v.Value, "\x00") {
			f.env = append(f.env, v)
		} else {
			f.note(in, schema.CodeEnvLost, strconv.Quote(v.Name)+" isn't a valid name for a variable")
		}
	}
	f.reply.Env = f.env
	switch taken := in.honors(f.reply)&schema.EffectEnv != 0; {
	case !taken && in.hasFile:
		f.envFile, f.reply.Env = f.env, nil
	case taken && len(f.env) > 0 && dialect.EnvForHooksOnly(in.rules, in.hostRules()):
		f.note(in, schema.CodeEnvLost, in.title()+
			" gives variables to its hooks and not to the commands that its model runs")
	}
	return f
}

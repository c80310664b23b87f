package bridge

import (
	"cmp"
	"os"
	"unicode/utf16"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// fit makes a reply one that the host can act on, and leaves to later events what
// this one can't say.
func (r *run) fit(reply *schema.Reply) {
	in := setting{host: r.Host, hooks: r.Hooks, call: r.call, policy: r.Policy, joined: r.joined, allowed: r.allowedBy(), relays: r.mem.remembers()}
	if reply.Input != nil && reply.Verdict != schema.Deny {
		in.shown = viewer{r.stage}.shown(reply)
	}
	in.asks = r.canAskLater(reply)
	file, format := "", dialect.Ability[dialect.EnvFileFormat](r.Host)
	if e := r.Host.Profile().EnvFile; e.Usable && format != nil && len(reply.Env) > 0 {
		file = r.Places.Env.Get(e.For(r.call.Event))
	}
	in.hasFile = file != ""
	out := fit(in, *reply)
	*reply, r.log.ds = out.reply, append(r.log.ds, out.notes...)
	r.leave(&out)
	if len(out.envFile) > 0 {
		if err := appendFile(file, format.AppendEnv(nil, out.envFile)); err != nil {
			r.log.note(schema.CodeEnvLost, "the host's environment file: "+err.Error())
		}
	}
}

// leave keeps what later events are to do.
func (r *run) leave(out *fitted) {
	later := &rememberer{r.stage, r.done}
	later.rememberEnv(out.env)
	if out.ask {
		r.mem.asked = cmp.Or(out.reason, unasked)
		// Without a time limit: a clock that jumps must not let the call through.
		r.mem.put(keyAsk+r.mem.callKey(r.call, r.call.Tool.Input), out.reason, 0)
	}
	if out.end {
		later.relayEnd(out.endWhy)
	}
	if out.context != "" {
		later.relayContext(out.context, out.refused)
	}
}

// canAskLater reports whether a question can be left to the event at which the host
// asks.
func (r *run) canAskLater(reply *schema.Reply) bool {
	if r.Ask != cmdline.AskRelay || reply.Verdict != schema.Ask && reply.Verdict != schema.Defer || !r.mem.remembers() {
		return false
	}
	gate, _ := r.Host.Asks(r.call)
	return gate != "" && gate != r.call.Native && registration{r.stage}.canReach(gate) && r.mem.file.Open() == nil
}

// shown is the input that a hook saw. What it saw and answered in another form is
// read back, if it can be.
func (r viewer) shown(reply *schema.Reply) schema.Args {
	v := &reply.InputView
	shown := r.Hooks.Shown(r.fill(*v), *v)
	was, ok := restored(r.Hooks, *v, shown, r.call.Cwd)
	now, valid := restored(r.Hooks, *v, reply.Input, r.call.Cwd)
	if ok && valid {
		shown, reply.Input, v.Fixed = was, now, false
	}
	return shown
}

// restored is an input in another form by role.
func restored(d dialect.Dialect, v schema.View, in schema.Args, cwd string) (schema.Args, bool) {
	forms := dialect.Ability[dialect.Restorer](d)
	if forms == nil || !v.Fixed {
		return nil, false
	}
	args, ok := forms.Restore(v, in)
	for i := range args {
		args[i] = wholeArg(args[i], cwd)
	}
	return args, ok
}

// allowedBy is the event at which a hook allowed the call; of several events the
// one whose allow means most.
func (r *run) allowedBy() (by *schema.EventRow) {
	for i := range r.runs {
		if r.runs[i].Async || r.runs[i].Reply.Verdict != schema.Allow {
			continue
		}
		row := r.Hooks.Profile().Row(r.runs[i].View.Event)
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

package bridge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// AsyncCommand is the argument with which Bridge.Self is started to run one
// asynchronous hook: the job on stdin, see RunAsync.
const AsyncCommand = "async-hook"

// detach starts an asynchronous hook and does not wait for it. Where there is a
// relay, a second process of the bridge waits in its place, and what the hook
// adds to the context is delivered at a later event.
func (r *run) detach(j *job) {
	spec, msg := j.spec, "started in the background; its answer is ignored"
	if r.remembers() && r.Self != "" && r.store.Open() == nil {
		spec = process.Spec{Argv: []string{r.Self, AsyncCommand}, Dir: j.spec.Dir, Env: j.spec.Env, Stdin: r.asyncJob(j)}
		msg = "started in the background"
	}
	if _, err := process.Detach(spec); err != nil {
		r.hookNote(schema.CodeNotStarted, &j.hook, err.Error())
		return
	}
	r.hookNote(schema.CodeDetached, &j.hook, msg)
}

// asyncJob is what the waiting process needs to know. The environment and the
// folder are its own.
func (r *run) asyncJob(j *job) []byte {
	w := ordjson.NewWriter(nil)
	w.String("hooks", r.Hooks.Profile().Full())
	w.Strings("argv", j.spec.Argv)
	w.String("dir", j.spec.Dir)
	w.Int("timeout_ms", j.spec.Timeout.Milliseconds())
	w.String("event", j.view.Event)
	w.String("tool", j.view.Tool)
	w.String("kind", j.view.Kind.String())
	w.Bool("rewake", j.hook.Rewake)
	w.String("state", r.StateDir)
	w.String("session", r.session())
	w.String("stdin", string(j.spec.Stdin))
	return w.Bytes()
}

// RunAsync runs the asynchronous hook that job describes and leaves what it adds
// to the context to the session's next events. Such a hook decides nothing; of
// one that rewakes, the text of a block counts as context (observed Claude Code
// 2.1.328).
func RunAsync(job []byte, env []string, now func() time.Time) error {
	o, err := ordjson.Parse(job)
	if err != nil {
		return err
	}
	get := func(name string) string {
		raw, _ := o.Get(name)
		s, _ := ordjson.String(raw)
		return s
	}
	d, err := adapter.Find(get("hooks"))
	if err != nil {
		return fmt.Errorf("the job of an asynchronous hook: %w", err)
	}
	spec := process.Spec{Dir: get("dir"), Env: env, Stdin: []byte(get("stdin"))}
	raw, _ := o.Get("argv")
	spec.Argv = ordjson.Strings(raw)
	raw, _ = o.Get("timeout_ms")
	ms, _ := ordjson.Int(raw)
	spec.Timeout = time.Duration(ms) * time.Millisecond
	res := process.Run(context.Background(), spec)

	row := d.Profile().Row(get("event"))
	if row == nil {
		return errors.New("unknown event in the job of an asynchronous hook")
	}
	kind, _ := schema.ParseKind(get("kind"))
	raw, _ = o.Get("rewake")
	rewake, _ := ordjson.Bool(raw)
	text := lateContext(d, row, schema.View{Event: row.Native, Tool: get("tool"), Kind: kind}, res, rewake)
	if text == "" {
		return nil
	}
	store := state.Store{Dir: get("state")}
	return store.Update(get("session"), now(), func(t *state.Tx) error {
		t.Add(keyContext, text, turnLife)
		return nil
	})
}

func lateContext(d dialect.Dialect, row *schema.EventRow, v schema.View, res process.Result, rewake bool) string {
	blocked := res.Exit == 2
	if blocked && !rewake {
		return ""
	}
	h := schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand, Async: true, Rewake: rewake}
	reply, _ := d.DecodeReply(&h, v, &res)
	text := schema.JoinText(reply.Context, reply.Notice)
	if blocked {
		text = schema.JoinText(text, schema.JoinText(reply.Feedback, schema.JoinText(reply.KeepGoing, reply.Reason)))
	}
	return text
}

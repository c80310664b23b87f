package bridge

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// AsyncCommand is the argument with which Bridge.Self is started to run one
// asynchronous hook: the job on stdin, see RunAsync.
const AsyncCommand = "async-hook"

type background struct{ stage }

// detach starts an asynchronous hook and does not wait for it. Where there is a
// relay, a second process of the bridge waits in its place, and what the hook
// adds to the context is delivered at a later event.
func (r background) detach(j *job) {
	spec, msg := j.spec, "started in the background; its answer is ignored"
	if r.mem.remembers() && r.Self != "" && r.mem.file.Open() == nil {
		spec = process.Spec{Argv: []string{r.Self, AsyncCommand}, Dir: j.spec.Dir, Env: j.spec.Env, Stdin: r.job(j)}
		msg = "started in the background"
	}
	if _, err := process.Detach(spec); err != nil {
		r.log.hookNote(schema.CodeNotStarted, &j.hook, err.Error())
		return
	}
	r.log.hookNote(schema.CodeDetached, &j.hook, msg)
}

// An asyncJob is what the waiting process needs to know. The environment and the
// folder are its own.
type asyncJob struct {
	Hooks     string   `json:"hooks"`
	Argv      []string `json:"argv"`
	Dir       string   `json:"dir"`
	TimeoutMS int64    `json:"timeout_ms"`
	Event     string   `json:"event"`
	Tool      string   `json:"tool"`
	Kind      string   `json:"kind"`
	Rewake    bool     `json:"rewake"`
	State     string   `json:"state"`
	Session   string   `json:"session"`
	Stdin     string   `json:"stdin"`
}

func (r background) job(j *job) []byte {
	return jsondoc.Marshal(asyncJob{Hooks: r.Hooks.Profile().Full(), Argv: j.spec.Argv, Dir: j.spec.Dir, TimeoutMS: j.spec.Timeout.Milliseconds(),
		Event: j.view.Event, Tool: j.view.Tool, Kind: j.view.Kind.String(), Rewake: j.hook.Rewake, State: r.StateDir, Session: r.mem.name, Stdin: string(j.spec.Stdin)})
}

// RunAsync runs the asynchronous hook that job describes and leaves what it adds
// to the context to the session's next events. Such a hook decides nothing; of
// one that rewakes, the text of a block counts as context (observed Claude Code
// 2.1.328).
func RunAsync(job []byte, env []string, now func() time.Time) error {
	var a asyncJob
	if err := jsondoc.Unmarshal(job, &a); err != nil {
		return err
	}
	d, err := adapter.Find(a.Hooks)
	if err != nil {
		return fmt.Errorf("the job of an asynchronous hook: %w", err)
	}
	row := d.Profile().Row(a.Event)
	if row == nil {
		return errors.New("unknown event in the job of an asynchronous hook")
	}
	res := process.Run(context.Background(), process.Spec{Argv: a.Argv, Dir: a.Dir, Env: env, Stdin: []byte(a.Stdin),
		Timeout: time.Duration(a.TimeoutMS) * time.Millisecond})
	kind, _ := schema.ParseKind(a.Kind)
	text := lateContext(d, row, schema.View{Event: row.Native, Tool: a.Tool, Kind: kind}, res, a.Rewake)
	if text == "" {
		return nil
	}
	store := state.Store{Dir: a.State}
	return store.Update(a.Session, now(), func(t *state.Tx) error {
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

package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// ReadModule loads a module of callbacks and lists its hooks. It runs the
// module's own code, in the folder dir. The Config is nil if the module cannot be
// used; the diagnostics say why.
func ReadModule(ctx context.Context, d dialect.Dialect, file, dir string, env schema.Environ) (*schema.Config, schema.Diagnostics) {
	m := dialect.Ability[dialect.CallbackRunner](d)
	abs := file
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(dir, file)
	}
	var ds schema.Diagnostics
	if info, err := os.Stat(abs); err != nil || !info.Mode().IsRegular() {
		ds.Add(schema.CodeModule, "", "the module "+abs+" doesn't exist or isn't a regular file").File = file
		return nil, ds
	}
	spec := m.DescribeModule(abs, env)
	spec.Dir = dir
	res := process.Run(ctx, spec)
	hooks, ds := m.ModuleHooks(abs, &res)
	if ds.Max() == schema.Error {
		return nil, ds
	}
	return &schema.Config{Source: schema.Source{File: abs}, Hooks: hooks}, ds
}

// modulePath finds a module that is named by a relative path: in the project, or
// else where the bridge was started.
func (r *executor) modulePath(file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	for _, dir := range []string{r.call.Project, r.places.Env.Get("PWD")} {
		path := filepath.Join(dir, file)
		if info, err := os.Stat(path); dir != "" && err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return file
}

// prepareModule gives a module every view that the hook's own matcher accepts:
// the callbacks' matchers choose among them, in the module's own language.
func (r *executor) prepareModule(j *job) {
	m := dialect.Ability[dialect.CallbackRunner](r.Hooks)
	if m == nil || j.hook.Command == "" {
		j.reply = r.cannot(j, schema.CodeNoHandler, schema.An(j.hook.Handler.String())+" hook can't run outside its own agent")
		return
	}
	file := r.modulePath(j.hook.Command)
	if !filepath.IsAbs(file) {
		d := r.log.note(schema.CodeModule, "the module is neither in the project nor in the current folder")
		d.File, r.broken = file, true
		return
	}
	var views []schema.View
	var shown [][]byte
	ps := payloads{}
	for _, v := range r.Hooks.Views(r.call) {
		if v.Event != j.view.Event {
			continue
		}
		if _, ok := (selector{r.stage}).viewFor(&j.hook, []schema.View{v}); ok {
			views, shown = append(views, v), append(shown, ps.of(r, v, "").bytes)
		}
	}
	limit := j.hook.Timeout
	if r.Timeout > 0 && (limit == 0 || r.Timeout < limit) {
		limit = r.Timeout
	}
	places := r.hookPlaces()
	env := places.Env
	if spec, err := r.Hooks.Spec(&j.hook, r.call, places); err == nil {
		env = spec.Env
	}
	j.spec = m.RunModule(file, views, shown, limit, env)
	j.spec.Dir = folderFor(r.stage, r.call.Project)
	j.ready = true
	j.answer = func(r *executor, j *job, res *process.Result) schema.Reply {
		return r.moduleReplies(m, j, file, views, res)
	}
}

func (r *executor) moduleReplies(m dialect.CallbackRunner, j *job, file string, views []schema.View, res *process.Result) schema.Reply {
	runs, ds, usable := m.ModuleReplies(&j.hook, file, views, res)
	for _, d := range ds {
		d.Event = j.view.Event
		r.log.ds = append(r.log.ds, d)
	}
	r.broken = r.broken || !usable
	r.printed = append(r.printed, res.Stderr...)
	j.several = make([]HookRun, 0, len(runs))
	for _, c := range runs {
		j.several = append(j.several, HookRun{Hook: c.Hook, View: c.View, Stdin: j.stdin, Ran: true, Result: *res, Reply: c.Reply})
	}
	return schema.Reply{}
}

package bridge

import (
	"context"
	"os"
	"path/filepath"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

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

package bridge

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

type loader struct{ stage }

// load returns the hooks to choose from; ok is false if the bridge failed.
func (r *loader) load() (hooks []schema.Hook, ok bool) {
	r.settleWorktree()
	r.settleRoots()
	r.settleLayers()
	if r.Single != nil {
		return []schema.Hook{*r.Single}, true
	}
	if hooks, ok = r.loadProject(); !ok {
		return nil, false
	}
	for _, root := range r.roots {
		more, ok := r.loadRoot(root)
		if !ok {
			return nil, false
		}
		hooks = append(hooks, more...)
	}
	if r.worktree == "" {
		return hooks, true
	}
	return r.addWorktree(hooks)
}

func (r *loader) loadProject() (hooks []schema.Hook, ok bool) {
	res, ds := r.found()
	for _, d := range ds {
		if d.Severity > schema.Note { // notes on the files are for those who edit them, not for every call
			r.log.ds = append(r.log.ds, d)
		}
	}
	r.log.loaded(&res)
	if r.Scope != schema.ScopeGiven {
		r.project = plan.ProjectHooks(r.Hooks, r.places, res.Configs)
	}
	if r.RequireTrust && r.Inline == nil { // a given text is of no project
		all := res.Hooks
		ok := r.trusted(&res)
		r.log.left(all, res.Hooks, SkipUntrusted, "the project's current hooks aren't trusted")
		if !ok && r.FailClosed {
			return nil, false
		}
	}
	for _, c := range res.Configs {
		r.allowURLs = unite(r.allowURLs, c.AllowURLs)
		r.allowEnv = unite(r.allowEnv, c.AllowEnv)
		if len(c.Env) > 0 {
			r.places.Env = r.places.Env.With(nil, c.Env...)
		}
	}
	if res.Failed && (r.FailClosed || len(res.Hooks) == 0) {
		return nil, false
	}
	hooks = res.Hooks[:0:0]
	for i := range res.Hooks {
		if call, ok := cmdline.Parse(res.Hooks[i].Command, res.Hooks[i].Args); ok && call.FindsHooks() && r.Own == nil {
			r.log.skip(&res.Hooks[i], SkipBridge, "it is another call of hookbridge")
			continue
		}
		hooks = append(hooks, res.Hooks[i])
	}
	return hooks, true
}

// unite adds one source's list to that of the others; nil is a source that has
// none and not an empty list.
func unite(all, more []string) []string {
	if all == nil && more != nil {
		return append([]string{}, more...)
	}
	return append(all, more...)
}

// found reads the configuration that the hooks come from.
func (r *loader) found() (res discover.Result, ds schema.Diagnostics) {
	if r.Own != nil {
		return *r.Own, nil
	}
	var files discover.Reader = r.Hooks
	if r.Inline == nil {
		files = hookfile.Reader{Dialect: r.Hooks}
	}
	if !r.Trace { // who asks how an answer came about wants to know all
		files = hookfile.Terse{Reader: files}
	}
	if r.Inline == nil {
		return discover.Load(files, r.places, r.Given)
	}
	cfg, ds := files.ParseConfig(r.Inline, r.InlineAt)
	res.Configs, res.Texts, res.Failed = []*schema.Config{cfg}, [][]byte{r.Inline}, ds.Max() == schema.Error
	hooks, more := r.Hooks.Resolve(res.Configs)
	res.Hooks = hooks
	return res, append(ds, more...)
}

// foreign reports whether whoever wrote the repository has the say in a source.
func (r *loader) foreign(s schema.Source) bool { return trust.Foreign(r.places.Project, r.Given)(s) }

// trusted reports whether the user has trusted the project as it is now, or it
// has nothing to trust. If not, what was found is as if the project's files were
// not there: they neither bring hooks, nor switch the user's off, nor widen what
// those may do.
func (r *loader) trusted(res *discover.Result) bool {
	hooks, files := 0, res.Failed
	for _, c := range res.Configs {
		if r.foreign(c.Source) {
			files = true
			hooks += len(c.Hooks)
		}
	}
	if !files {
		return true
	}
	if records := trust.Recorded(r.TrustFile, r.places.Project); len(records) > 0 && !res.Failed { // who was never trusted is not read any further
		sum, _, err := trust.Fingerprint(r.places.Project, r.call.Cwd, *res, r.foreign)
		if err == nil && slices.Contains(records, sum) {
			return true
		}
	}
	all, failed := len(res.Hooks), res.Failed
	*res, _ = discover.LoadBut(hookfile.Terse{Reader: hookfile.Reader{Dialect: r.Hooks}}, r.places, r.Given, r.foreign)
	failed = failed && !res.Failed // a failure that also occurs without the project's files isn't theirs
	if hooks == 0 && all == len(res.Hooks) && !failed {
		return true // settings that have nothing to do with hooks
	}
	if r.Scope == schema.ScopeUser && (registration{r.stage}).hasEntry(schema.ScopeProject, r.places.Project) {
		return true // which runs them
	}
	d := r.log.note(schema.CodeUntrusted, "the hook files of "+r.places.Project+" aren't trusted in their current state, so they didn't run")
	d.Fix = "read them, then run: hookbridge trust "
	for _, file := range r.Given {
		if trust.Inside(r.places.Project, file) {
			d.Fix += "--config " + file + " "
		}
	}
	d.Fix += r.places.Project
	return hooks == 0 && !failed
}

// keyLast marks the hooks of the latest change, beside those of the first call.
const keyLast = "|last"

// checkPinned compares the hooks with those of the session's earlier calls and
// reports a change once: agents read their hook files when a session starts, and
// the bridge reads them at each call. With PinHooks the first hooks stay the
// measure and why is the reason to deny; else it is "". Without PinHooks nothing is
// remembered of a session that has no other memory.
func (r pinner) checkPinned(hooks []schema.Hook) (why string) {
	switch {
	case r.Single != nil || r.Inline != nil:
		return ""
	case !r.mem.remembers() || r.mem.lost:
		if r.PinHooks {
			return "--pin-hooks can't check whether the hooks changed, because the session file can't be read."
		}
		return ""
	case !r.PinHooks && (r.log.untrusted() || !r.mem.found && r.call.Event != schema.SessionStart):
		return ""
	}
	key := keyHooks + r.entry()
	now := r.hookMarks(hooks)
	before, known := r.mem.get(key)
	if !known {
		r.mem.put(key, now, 0)
		return ""
	}
	if !r.PinHooks { // a change counts once; the first hooks stay known to entries that pin them
		key += keyLast
		if last, changed := r.mem.get(key); changed {
			before = last
		}
	}
	if before == now {
		return ""
	}
	if !r.PinHooks {
		r.mem.put(key, now, 0)
	}
	message, severity := "the hook files changed after this session's first call; the changes apply from now on", schema.Note
	if n := missing(before, now); n > 0 {
		message, severity = "the hook files changed after this session's first call: "+strconv.Itoa(n)+
			" of its hooks are gone or different", schema.Weaker
	}
	r.log.ds.AddSeverity(schema.CodeHooksChanged, severity, "", message).Event = r.call.Native
	if r.PinHooks {
		return "The hook files changed during this session. --pin-hooks denies every tool call until a new session starts."
	}
	return ""
}

// hookMarks names each hook of the project and of the user by a hash.
func (r pinner) hookMarks(hooks []schema.Hook) string {
	var b strings.Builder
	for i := range hooks {
		h := hooks[i]
		if r.rootOfHook(&h) != "" { // counts at some calls only
			continue
		}
		h.Path = "" // its place in the file may move
		sum := fnv.New64a()
		for _, s := range []string{h.Native, h.Matcher, h.Condition, r.Hooks.Profile().KeyOf(&h), h.Timeout.String(), strconv.Itoa(int(h.Fail)), strconv.FormatBool(h.Async || h.Rewake)} {
			sum.Write([]byte(s + "\x00"))
		}
		b.WriteString(strconv.FormatUint(sum.Sum64(), 36) + " ")
	}
	if b.Len() > maxText {
		sum := fnv.New64a()
		sum.Write([]byte(b.String()))
		return strconv.FormatUint(sum.Sum64(), 36)
	}
	return b.String()
}

// missing counts the marks of before that now lacks.
func missing(before, now string) (n int) {
	have := strings.Fields(now)
	return len(slices.DeleteFunc(strings.Fields(before), func(m string) bool { return slices.Contains(have, m) }))
}

package bridge

import (
	"hash/fnv"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// A loaded is the call in its project, and the hooks to choose from.
type loaded struct {
	run   *run
	call  *schema.Call
	hooks []schema.Hook
}

// load finds the call's project and the hooks; ok is false if hookbridge failed.
func load(r *run, c *schema.Call) (_ loaded, ok bool) {
	worktree := ""
	if project := ownerOfWorktree(r, c); project != "" {
		worktree = c.Project
		r, c = moved(r, c, project, nil)
	}

	r, c = resolveRoots(r, c)
	r, c = resolveLayers(r, c)
	if r.opts.Rules != nil {
		return loaded{r, c, slices.Clone(r.opts.Rules)}, true
	}
	if r.opts.Single != nil {
		return loaded{r, c, []schema.Hook{*r.opts.Single}}, true
	}

	r, hooks, ok := loadProject(r, c)
	if !ok {
		return loaded{run: r}, false
	}

	at := loaded{r, c, withoutExcluded(r, r.places.Project, hooks)}
	for _, root := range r.from.roots {
		if at, ok = at.withRoot(root); !ok {
			return at, false
		}
	}

	if worktree == "" || r.opts.Inline != nil || r.opts.named() || sameFiles(r, worktree) {
		return at, true
	}

	return at.withWorktree(worktree)
}

// loadProject returns the hooks of the project and of the user, and the run with facts from their files.
func loadProject(was *run, of *schema.Call) (_ *run, hooks []schema.Hook, ok bool) {
	next := *was
	r := &next
	res, ds := findHooks(r)
	for _, d := range ds {
		if d.Severity > schema.Note { // notes on the files are for those who edit them, not for every call
			r.log.ds = append(r.log.ds, d)
		}
	}

	r.log.loaded(&res)
	r.from.files = slices.ContainsFunc(res.Configs, func(c *schema.Config) bool {
		return c.Source.OfProject() || c.Source.Scope == schema.ScopeManaged
	})
	if r.opts.Scope != schema.ScopeGiven {
		r.from.project = survey.ProjectHooks(r.hooks, r.places, res.Configs)
	}

	if r.opts.RequireTrust && r.opts.Inline == nil { // a given text belongs to no project
		all := res.Hooks
		untrusted, ok := checkTrust(r, of, &res)
		r.from.untrusted = r.from.untrusted || untrusted
		r.log.left(all, res.Hooks, SkipUntrusted, "the project's current hooks aren't trusted")
		if !ok && r.opts.FailClosed {
			return r, nil, false
		}
	}

	r.from.partial = res.Partial
	for _, c := range res.Configs {
		r.from.unknown = append(slices.Clip(r.from.unknown), c.Unknown...)
		r.from.allowURLs = unite(r.from.allowURLs, c.AllowURLs)
		r.from.allowEnv = unite(r.from.allowEnv, c.AllowEnv)
		if len(c.Env) > 0 {
			r.places.Env = r.places.Env.With(nil, c.Env...)
		}
	}

	if res.Failed && (r.opts.FailClosed || len(res.Hooks) == 0) {
		return r, nil, false
	}

	hooks = res.Hooks[:0:0]
	for i := range res.Hooks {
		if call, ok := cmdline.Parse(res.Hooks[i].Command, res.Hooks[i].Args); ok && call.FindsHooks() &&
			r.opts.Own == nil {
			r.log.skip(&res.Hooks[i], SkipBridge, "it is another call of hookbridge")
			continue
		}
		hooks = append(hooks, res.Hooks[i])
	}

	return r, hooks, true
}

// withoutExcluded removes the hooks of a project, or of its worktree, that hookbridge.yaml excludes from the host.
// Hooks of other roots stay.
func withoutExcluded(r *run, project string, hooks []schema.Hook) []schema.Hook {
	if len(r.opts.Exclude) == 0 {
		return hooks
	}
	return slices.DeleteFunc(hooks, func(h schema.Hook) bool {
		if !h.Source.OfProject() || !slices.Contains(r.opts.Exclude, choice.Mark(project, &h)) {
			return false
		}
		r.log.skip(&h, SkipExcluded, "hookbridge.yaml excludes it from "+r.hostRules.Title)
		return true
	})
}

// unite appends one source's list to that of the others; nil means that a source has no list, not an empty one.
func unite(all, more []string) []string {
	if all == nil && more != nil {
		return append([]string{}, more...)
	}
	return append(all, more...)
}

// findHooks reads the configuration that contains the hooks.
func findHooks(r *run) (res discover.Result, ds schema.Diagnostics) {
	if r.opts.Own != nil {
		return *r.opts.Own, nil
	}
	var files discover.Reader = r.hooks
	if r.opts.Inline == nil {
		files = hookfile.Reader{Dialect: r.hooks}
	}
	if !r.opts.Trace { // a trace explains everything, also what is skipped
		files = hookfile.Terse{Reader: files}
	}
	if r.opts.Plugin != "" {
		return discover.LoadPlugin(files, r.opts.Plugin, r.hostRules.Plugins.Own)
	}
	if r.opts.Inline == nil {
		return discover.Load(files, r.places, r.opts.Given)
	}
	cfg, ds := files.ParseConfig(r.opts.Inline, r.opts.InlineAt)
	res.Configs, res.Texts, res.Failed = []*schema.Config{cfg}, [][]byte{r.opts.Inline}, ds.Max() == schema.Error
	hooks, more := r.hooks.Resolve(res.Configs)
	res.Hooks = hooks
	return res, append(ds, more...)
}

// checkTrust reports whether the project has something to trust and the user hasn't trusted its current state. The
// project's files are then ignored: they neither add hooks, nor disable the user's, nor widen what those may do. ok: no
// hooks are missing because of that.
func checkTrust(r *run, call *schema.Call, res *discover.Result) (untrusted, ok bool) {
	hooks, files := 0, res.Failed
	ground := groundOf(r, call)
	foreign := ground.Foreign(r.rules.Reads, r.opts.Given) // whether the repository's author controls a source
	for _, c := range res.Configs {
		if foreign(c.Source) {
			files = true
			hooks += len(c.Hooks)
		}
	}

	if !files {
		return false, true
	}

	// a project that was never trusted isn't read further
	if records := r.opts.Trusted.Of(ground); len(records) > 0 && !res.Failed {
		sum, _, err := trust.Fingerprint(r.places.Project, call.Cwd, *res, foreign)
		if err == nil && slices.Contains(records, sum) {
			return false, true
		}
	}

	all, failed := len(res.Hooks), res.Failed
	*res, _ = discover.LoadBut(hookfile.Terse{Reader: hookfile.Reader{Dialect: r.hooks}}, r.places, r.opts.Given,
		foreign)
	failed = failed && !res.Failed // a failure that also occurs without the project's files isn't theirs
	if hooks == 0 && all == len(res.Hooks) && !failed {
		return false, true // settings unrelated to hooks
	}
	if r.opts.Scope == schema.ScopeUser && hasEntry(r, call, schema.ScopeProject, r.places.Project) {
		return false, true // which runs them
	}

	d := r.log.note(schema.CodeUntrusted, "the hook files of "+r.places.Project+
		" aren't trusted in their current state, so they didn't run")
	d.Fix = "read them, then run: hookbridge trust "
	for _, file := range r.opts.Given {
		if dialect.Inside(r.places.Project, file) {
			d.Fix += "--config " + shell.Quote(file) + " "
		}
	}

	d.Fix += shell.Quote(r.places.Project)
	return true, hooks == 0 && !failed
}

// groundOf returns the places whose content the author of a call's repository may control.
func groundOf(r *run, c *schema.Call) *trust.Ground {
	return &trust.Ground{Places: r.places, Others: append(slices.Clip(r.from.roots), c.Roots...)}
}

// checkPinned compares the hooks with those of the session's earlier calls and reports a change once: agents read their
// hook files when a session starts, hookbridge at each call. With PinHooks, later calls are compared with the first
// hooks, and why is the reason to deny; else it is "". Without PinHooks, it remembers nothing of a session that has no
// other memory.
func checkPinned(r *run, c *schema.Call, hooks []schema.Hook) (why string) {
	pins := r.opts.PinHooks
	switch {
	case r.opts.Single != nil || r.opts.Inline != nil:
		return ""
	case !r.mem.Remembers() || r.mem.Lost():
		if pins {
			return "--pin-hooks can't check whether the hooks changed, because the session file can't be read."
		}
		return ""
	case !pins && (r.from.untrusted || !r.mem.Found() && c.Event != schema.SessionStart):
		return ""
	case pins && !entry(r, c).Pinned() && !startsSession(c):
		if startsHere(r, c) { // the model's tools can remove the session's file, and not its start
			return "--pin-hooks finds no record of the hooks that this session started with. It denies every tool " +
				"call until a new session starts."
		}
		r.log.noteAs(schema.Weaker, schema.CodeHooksChanged, "the hooks are pinned as of this call, because no entry "+
			"of hookbridge runs when a session starts; whether they changed before isn't known").Fix =
			"run hookbridge install --pin-hooks, which writes an entry for the start of a session"
	}

	changed, gone := entry(r, c).CompareHooks(hookMarks(r, c, hooks), pins)
	if !changed {
		return ""
	}

	message, severity := "the hook files changed after this session's first call; the changes apply from now on",
		schema.Note
	if gone > 0 {
		message, severity = "the hook files changed after this session's first call: "+strconv.Itoa(gone)+
			" of its hooks are gone or different", schema.Weaker
	}

	r.log.noteAs(severity, schema.CodeHooksChanged, message)
	if pins {
		return "The hook files changed during this session. --pin-hooks denies every tool call until a new session " +
			"starts."
	}

	return ""
}

// startsSession reports whether the call is the start of a session. The start after a compaction doesn't count, because
// a model can cause one.
func startsSession(c *schema.Call) bool {
	return c.Event == schema.SessionStart && c.Str(schema.FieldSource) != "compact"
}

// startsHere reports whether the hooks' entry runs when a session starts.
func startsHere(r *run, c *schema.Call) bool {
	start := schema.RowFor(r.hostRules.Events, schema.SessionStart)
	if start == nil {
		return false
	}
	at := c.Clone() // it has no tool
	at.Event, at.Native, at.Tool = start.Event, start.Native, schema.Tool{}
	return c.Event == schema.SessionStart || servedAt(r, at, start.Native)
}

// hookMarks returns a hash for each hook of the project and of the user.
func hookMarks(r *run, c *schema.Call, hooks []schema.Hook) (marks []string) {
	for i := range hooks {
		h := hooks[i]
		if rootOfHook(r, c, &h) != "" { // it counts at some calls only
			continue
		}
		h.Path = "" // its place in the file may move
		sum := fnv.New64a()
		for _, s := range []string{h.Native, h.Matcher, h.Condition, r.rules.KeyOf(&h), h.Timeout.String(),
			strconv.Itoa(int(h.Fail)), strconv.FormatBool(h.Async || h.Rewake)} {
			sum.Write([]byte(s + "\x00"))
		}
		marks = append(marks, strconv.FormatUint(sum.Sum64(), 36))
	}
	return marks
}

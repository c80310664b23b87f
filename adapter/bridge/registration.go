package bridge

import (
	"cmp"
	"os"
	"slices"
	"time"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// canReach reports whether the host calls hookbridge at its event native for this call, as far as its configuration
// shows.
func canReach(r *run, c *schema.Call, native string) bool {
	known, listed := bridged(r, c, native, func(*cmdline.Call) bool { return true })
	return listed || !known
}

// servedAt reports whether the host's configuration calls hookbridge at native for this call and these hooks.
func servedAt(r *run, c *schema.Call, native string) bool {
	_, listed := bridged(r, c, native, func(call *cmdline.Call) bool {
		scope := call.Scope()
		return runsTheSame(r, call) && (scope == schema.ScopeGiven || r.opts.Scope == schema.ScopeGiven ||
			scope == r.opts.Scope)
	})
	return listed
}

// servedAnyhow is servedAt for the host's event of this call under any of its names.
func servedAnyhow(r *run, c *schema.Call) bool {
	return slices.ContainsFunc(r.hostRules.Events, func(row schema.EventRow) bool {
		return row.Event == c.Event && servedAt(r, c, row.Native)
	})
}

// runsTheSame reports whether a call of hookbridge runs the same hooks as this one, as far as their scope allows.
func runsTheSame(r *run, call *cmdline.Call) bool {
	h := r.opts.Single
	switch {
	case r.opts.Inline != nil:
		return call.Value("inline") == string(r.opts.Inline)
	case h == nil:
		return call.RunsHooksOf(r.rules.Name)
	case dialect.BaseName(call.Value("hooks")) != dialect.BaseName(r.rules.Name):
		return false
	case h.Handler == schema.HandlerCallback:
		return call.Value("module") == h.Command
	case h.Args != nil:
		return len(call.Program) > 0 && call.Program[0] == h.Command && slices.Equal(call.Program[1:], h.Args)
	}
	return call.Value("c") == h.Command
}

// bridged looks for calls of hookbridge in the host's own configuration. It reports whether there are any, and whether
// accept accepts one at the event native with a matcher for this call.
func bridged(r *run, c *schema.Call, native string, accept func(*cmdline.Call) bool) (known, listed bool) {
	// a project's files could pretend that a gate is registered
	var skip func(schema.Source) bool
	if r.opts.RequireTrust {
		skip = groundOf(r, c).Foreign(r.hostRules.Reads, nil)
	}
	listed = hasCall(r, r.places, skip, func(h *schema.Hook, call *cmdline.Call) bool {
		known = true
		return h.Native == native && accept(call) && servedBy(r, c, h, call, r.places)
	})
	return known, listed
}

// servedBy reports whether an entry of the host calls hookbridge for this call and waits for the answer. When in doubt
// the result is false: a hook that is left to such an entry would never run.
func servedBy(r *run, c *schema.Call, h *schema.Hook, call *cmdline.Call, p schema.Places) bool {
	waits := !h.Async && !h.Rewake && h.Condition == "" && (h.Timeout == 0 || h.Timeout >= cmdline.Startup)
	return waits && isFor(call, p) && reaches(r, c, h)
}

// isFor reports whether a call of hookbridge with these flags can answer in the places.
func isFor(call *cmdline.Call, p schema.Places) bool {
	project, home := call.Text("project"), call.Text("home")
	limit := time.Duration(call.Number("timeout") * float64(time.Second))
	if len(call.Unknown()) > 0 || call.Check() != nil || call.Has("timeout") && limit < cmdline.Startup {
		return false
	}
	return (project == "" || dialect.RealPath(project) == dialect.RealPath(p.Project)) && (home == "" || home == p.Home)
}

// starts reports whether an entry that others may have written starts hookbridge for this host on this machine. The
// entry must have passed any review that the host requires.
func starts(r *run, h *schema.Hook, call *cmdline.Call, p schema.Places) bool {
	if host := call.Text("host"); host != "" && dialect.BaseName(host) != r.hostRules.Name {
		return false
	}
	if keeper := r.host.Abilities().Trust; keeper != nil && keeper.Trust(h, p, discover.Read).Stops() {
		return false
	}
	switch {
	case call.Launcher != "":
		return true
	case call.ProjectLauncher != "":
		return call.LaunchedFile(p.Project, func(string) string { return p.Project }) != ""
	case call.Path != "":
		info, err := os.Stat(call.Path)
		return err == nil && !info.IsDir() && (info.Mode()&0o111 != 0 || p.OS == "windows")
	}
	return process.Find(cmdline.Program, p.Env) != ""
}

// hasCall reports whether one of the host's own entries calls hookbridge and accept returns true for it. Sources for
// which skip returns true don't count.
func hasCall(r *run, p schema.Places, skip func(schema.Source) bool,
	accept func(*schema.Hook, *cmdline.Call) bool) bool {
	if r.hostRules.Primary == dialect.PrimaryOnly { // entries of a linked worktree are never called
		p.Project = append(discover.Started(p.Project, r.hostRules), "")[0]
	}
	res, _ := discover.LoadOwn(hookfile.Terse{Reader: r.host}, p, skip)
	return slices.ContainsFunc(res.Hooks, func(h schema.Hook) bool {
		call, ok := cmdline.Parse(h.Command, h.Args)
		return ok && accept(&h, &call)
	})
}

// reaches reports whether the matcher of the host's own hook matches this call.
func reaches(r *run, c *schema.Call, h *schema.Hook) bool {
	if h.Matcher == "" {
		return true
	}
	m, _ := r.hostRules.Matcher(h)
	for _, v := range r.host.Views(c) {
		if v.Event == h.Native && r.patience.Match(m, v.Target...) {
			return !m.TimedOut() // an uncertain match doesn't count
		}
	}
	return false
}

// hookbridge may be installed in the project's hook file, which a team shares, in the user's own, and in an
// administrator's. The --scope of each entry selects whose hooks it runs, so that each hook runs once and the project's
// file doesn't depend on a user's home folder:
//
//	managed  the hooks of an administrator's files
//	project  the project's hooks; managed hooks if no other entry runs them
//	user     all others; the project's if the project has no entry
//
// An entry without --scope runs all of them, except managed hooks with an entry of their own.

// withoutEqual removes hooks equal to one that the project's or an administrator's entry runs. keys belong to picked.
// The project's entry runs its hooks regardless of the user's, and an administrator's entry regardless of all others.
func withoutEqual(r *run, picked []pick, keys, elsewhere []string) []pick {
	if r.opts.Scope == schema.ScopeManaged || len(elsewhere) == 0 {
		return picked
	}
	kept := picked[:0:0]
	for i := range picked {
		if slices.Contains(elsewhere, keys[i]) {
			r.log.skip(&picked[i].hook, SkipDuplicate, "another entry runs the same hook")
			continue
		}
		kept = append(kept, picked[i])
	}
	return kept
}

const byAdministrator = "the administrator's entry runs it"

// scopesWithEntry caches whether a scope and project have an entry for a call.
type scopesWithEntry map[string]bool

func (known scopesWithEntry) has(r *run, c *schema.Call, scope schema.Scope, project string) bool {
	key := scope.String() + "\x00" + project
	has, ok := known[key]
	if !ok {
		has = hasEntry(r, c, scope, project)
		known[key] = has
	}
	return has
}

// otherEntry returns which other entry of hookbridge runs a hook, "" if this one does.
func otherEntry(r *run, c *schema.Call, h *schema.Hook, known scopesWithEntry) string {
	const user, project = "this entry is for the project's hooks; the user's entry runs it",
		"the project's own entry runs it"
	switch managed := h.Source.Scope == schema.ScopeManaged; {
	case launches(r, c, h):
		return "the plugin's own entry runs it"
	case r.opts.Scope == schema.ScopeManaged && !managed:
		return "this entry is for an administrator's hooks"
	case r.opts.Scope == schema.ScopeManaged:
		return ""
	case managed && known.has(r, c, schema.ScopeManaged, r.places.Project):
		return byAdministrator
	case r.from.project == nil: // there is no scope
		return ""
	}
	of := r.from.project(h)
	switch {
	case r.opts.Scope == schema.ScopeProject && !of && h.Source.Scope != schema.ScopeManaged:
		return user
	case r.opts.Scope == schema.ScopeProject && !of && known.has(r, c, schema.ScopeUser, r.places.Project):
		return user
	case r.opts.Scope == schema.ScopeUser && of &&
		known.has(r, c, schema.ScopeProject, cmp.Or(rootOfHook(r, c, h), r.places.Project)):
		return project
	}
	return ""
}

// launches reports whether the host calls, at this event, the launcher of the hook's plugin, because the plugin is
// installed in the host too.
func launches(r *run, c *schema.Call, h *schema.Hook) bool {
	if h.Source.Plugin == "" || r.opts.Plugin != "" || r.opts.Single != nil {
		return false
	}
	named := func(root string) string {
		_, text := r.rules.Plugins.Manifest(root, discover.NewBudget(r.places).Read)
		o, _, _ := ordjson.ParseLast(text)
		return o.Str("name")
	}
	name := named(h.Source.Plugin)
	none := func(schema.Source) bool { return false }
	return name != "" && hasCall(r, r.places, none, func(own *schema.Hook, call *cmdline.Call) bool {
		return call.Launcher != "" && own.Native == c.Native && call.RunsHooksOf(r.rules.Name) &&
			named(own.Source.Plugin) == name && servedBy(r, c, own, call, r.places)
	})
}

// hasEntry reports whether an entry of the scope, in the project's or the user's files, calls hookbridge for this call,
// and the host runs it.
func hasEntry(r *run, c *schema.Call, scope schema.Scope, project string) bool {
	places := r.places
	places.Project = project
	in := func(s schema.Source) bool { return s.OfProject() == (scope == schema.ScopeProject) }
	if scope == schema.ScopeManaged { // other files could pretend that there is one
		in = func(s schema.Source) bool { return s.Scope == scope }
	}
	return hasCall(r, places, nil, func(h *schema.Hook, call *cmdline.Call) bool { // any source may disable it
		return in(h.Source) && h.Native == c.Native && call.Scope() == scope && sameCall(r, c, call) &&
			servedBy(r, c, h, call, places) && starts(r, h, call, places)
	})
}

// sameCall reports whether an entry runs these hooks as install writes it, with no flag that makes its answer weaker
// than this one's.
func sameCall(r *run, c *schema.Call, call *cmdline.Call) bool {
	own := r.opts.flags()
	if call.Value("event") == c.Native { // where payloads don't name their event
		own = append(own, cmdline.Flag{Name: "event", Value: c.Native})
	}
	return call.RunsHooksOf(r.rules.Name) && !call.Weaker(own)
}

// noteRefused reports hooks that don't run for a denied call, because the host has no event for it and their own agent
// does. They don't run at the denied event instead: a hook that hangs would delay the denial until the host times out.
func noteRefused(r *run, call *schema.Call, hooks []schema.Hook, reply *schema.Reply) {
	if call.Event != schema.PreTool || reply.Verdict != schema.Deny || plan.TellsRefused(r.host) != nil {
		return
	}
	row := plan.TellsRefused(r.hooks)
	if row == nil {
		return
	}
	c := call.Clone()
	c.Event = schema.PermissionDenied
	for _, v := range r.hooks.Views(c) {
		for i := range hooks {
			h := &hooks[i]
			if h.Native != row.Native || v.Event != row.Native {
				continue
			}
			if _, ok := pickFor(r, call, h, []schema.View{v}); ok {
				r.log.noteAs(schema.Note, schema.CodeNoEvent, r.hostRules.Title+
					" sends no event for a denied call, so the hook on "+h.Native+" doesn't run for it").OfHook(h)
			}
		}
	}
}

// noteContinued reports prompt hooks that don't run for a stop hook's message, because the host raises no event for it
// and their own agent does.
func noteContinued(r *run, c *schema.Call, hooks []schema.Hook, reply *schema.Reply) {
	own := schema.RowFor(r.rules.Events, schema.PromptSubmit)
	at := schema.RowFor(r.hostRules.Events, schema.PromptSubmit)
	if c.Event != schema.Stop || reply.KeepGoing == "" || own == nil || !own.Continued || at != nil && at.Continued {
		return
	}
	for i := range hooks {
		if h := &hooks[i]; h.Event == schema.PromptSubmit {
			r.log.noteAs(plan.GuardSeverity(r.hooks, h), schema.CodeFewerCalls, r.hostRules.Title+
				" sends no event for the message of a stop hook, so the hook on "+h.Native+" doesn't run for it").
				OfHook(h)
		}
	}
}

// noteUnasked reports, before a tool call, a guard that its own agent would run when it asks its user about the call.
// The host has no such event, or may not raise it for this one.
func noteUnasked(r *run, c *schema.Call, h *schema.Hook) {
	if h.Event != schema.PermissionRequest || c.Event != schema.PreTool ||
		plan.GuardSeverity(r.hooks, h) < schema.Weaker || dialect.Related(r.hooks, r.host) {
		return
	}
	asked := *c
	asked.Event, asked.Native = schema.PermissionRequest, ""
	quiet := *r
	quiet.log = &log{}
	if _, ok := pickFor(&quiet, &asked, h, r.hooks.Views(&asked)); !ok {
		return
	}
	f := plan.Finding{Code: schema.CodeNoEvent, Message: plan.NoPlace(r.hooks, r.host, h)}
	if r.hostRules.Generic(schema.PermissionRequest) != "" {
		row := plan.RaisedFewer(r.hooks, r.host, h)
		if row == nil || !row.Asked && !slices.ContainsFunc(c.Tool.Kinds,
			func(k schema.Kind) bool { return slices.Contains(row.Never, k) }) {
			return
		}
		f = plan.Fewer(r.hooks, r.host, h, row)
	}
	r.log.hookNote(f.Code, h, f.Message)
}

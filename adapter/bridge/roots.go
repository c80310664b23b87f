package bridge

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// settleRoots chooses the project in a workspace of several roots: the root whose
// configuration started the bridge, as hosts start a project's hooks in its root. Of
// the other roots, those count whose hooks wouldn't run otherwise: the root that the
// call is about, or all roots if no root's configuration started the bridge.
func (r *loader) settleRoots() {
	roots := r.call.Roots
	if len(roots) < 2 || r.Places.Project != "" {
		return
	}
	installed := rootOf(roots, r.places.Env.Get("PWD"))
	touched := rootOf(roots, targetPath(r.call))
	if touched == "" && (r.call.Str(schema.FieldToolCwd) != "" || r.call.Cwd != r.call.Project) { // no folder that only stands in for one
		touched = rootOf(roots, r.call.Cwd)
	}
	if installed != "" {
		r.call.Cwd = r.cwdIn(installed)
		r.call.Project, r.places.Project = installed, installed
	}
	for _, root := range roots {
		if root != r.call.Project && (installed == "" || root == touched) && !slices.Contains(r.roots, root) && !(registration{r.stage}).bridgedIn(root) {
			r.roots = append(r.roots, root)
		}
	}
}

// rootOf returns the innermost root that path lies in, "" if there is none.
func rootOf(roots []string, path string) (in string) {
	for _, root := range roots {
		if path != "" && (path == root || trust.Inside(root, path)) && len(root) > len(in) {
			in = root
		}
	}
	return in
}

// cwdIn is the call's working directory as a hook of the root sees it; if the call has
// none, it is the root.
func (r stage) cwdIn(root string) string {
	if r.call.Str(schema.FieldToolCwd) == "" && r.call.Cwd == r.call.Project {
		return root
	}
	return r.call.Cwd
}

// bridgedIn reports whether another root's own configuration calls the bridge for this
// call. That run then runs the root's hooks.
func (r registration) bridgedIn(root string) bool {
	if r.RequireTrust { // who could pretend that a gate is registered
		return false
	}
	places := r.places
	places.Project = root
	res, _ := discover.LoadBut(hookfile.Terse{Reader: r.Host}, places, nil, func(s schema.Source) bool { return !s.OfProject() })
	for i := range res.Hooks {
		h := &res.Hooks[i]
		call, ok := cmdline.Parse(h.Command, h.Args)
		if ok && h.Native == r.call.Native && call.Scope() != schema.ScopeUser && r.runsTheSame(&call) && r.hostCalls(h) {
			return true
		}
	}
	return false
}

// loadRoot returns the hooks of another root of the workspace; ok is false if they
// could not be read, or are not trusted, and the bridge's failure denies.
func (r *loader) loadRoot(root string) (hooks []schema.Hook, ok bool) {
	there := *r.scene
	there.places.Project = root
	at := &loader{stage{&there, r.call.Clone()}}
	at.call.Project = root
	hooks, ok = at.loadProject()
	r.allowURLs, r.allowEnv = there.allowURLs, there.allowEnv
	return slices.DeleteFunc(hooks, func(h schema.Hook) bool { return !h.Source.OfProject() }), ok || !r.FailClosed
}

// rootOfHook is the other root of the workspace that a hook belongs to, "" for
// the hooks of the project and of the user.
func (r stage) rootOfHook(h *schema.Hook) string {
	if len(r.roots) == 0 || !h.Source.OfProject() {
		return ""
	}
	if in := rootOf(append([]string{r.call.Project}, r.roots...), h.Source.File); in != r.call.Project {
		return in
	}
	return ""
}

// callIn is a call as the hooks of a root see it; the call itself for "".
func (r stage) callIn(root string, c *schema.Call) *schema.Call {
	if root == "" {
		return c
	}
	c = c.Clone()
	c.Cwd = r.cwdIn(root)
	c.Project = root
	return c
}

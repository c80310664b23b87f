package bridge

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
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
	if touched == "" && (r.call.Str(schema.FieldToolCwd) != "" || r.call.Cwd != r.call.Project) { // not a mere default
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

// settleLayers chooses the project where the host also loads what the folders above the
// session's say: the nearest whose configuration calls the bridge. The hooks of the
// others, and of the session's own folder, run too.
func (r *loader) settleLayers() {
	if !r.Host.Profile().Layers || r.Places.Project != "" {
		return
	}
	folders := discover.UpToRepository(r.call.Project)
	if len(folders) < 2 {
		return
	}
	skip := func(s schema.Source) bool { return !s.OfProject() }
	calls := slices.DeleteFunc(slices.Clone(folders), func(dir string) bool {
		places := r.places
		places.Project = dir
		return !registration{r.stage}.hasCall(places, skip, func(_ *schema.Hook, call *cmdline.Call) bool {
			return registration{r.stage}.runsTheSame(call)
		})
	})
	if len(calls) == 0 || len(calls) == 1 && calls[0] == folders[0] {
		return
	}
	r.call.Project, r.places.Project = calls[0], calls[0]
	r.roots = calls[1:]
	if calls[0] != folders[0] {
		r.roots = append(r.roots, folders[0])
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
	skip := func(s schema.Source) bool { return !s.OfProject() }
	return r.hasCall(places, skip, func(h *schema.Hook, call *cmdline.Call) bool {
		return h.Native == r.call.Native && call.Scope() != schema.ScopeUser && r.runsTheSame(call) && r.hostCalls(h)
	})
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

// projectGone says why the project's hooks can't be looked for: the payload names
// no folder, or one that does not exist. It is "" if they can. Without this check
// the answer would look as if the project had no hooks.
func (r *loader) projectGone() string {
	looks := r.Single == nil && r.Inline == nil && len(r.Given) == 0
	switch {
	case !looks || r.Places.Project != "":
		return ""
	case r.call.Project == "":
		return "the payload names no project folder, so none of the project's hooks were found; --project DIR names one"
	case !discover.IsFolder(r.call.Project):
		return "the project folder " + r.call.Project + " doesn't exist (moved or deleted?), so none of its hooks were found; --project DIR names another"
	}
	return ""
}

// settleWorktree keeps the project of a session that has moved to one of the
// project's worktrees, if the host then names the worktree as the project. Hook
// files that Git does not track are in the project alone.
func (r *loader) settleWorktree() {
	folder := r.Host.Profile().Worktrees
	if folder == "" || r.Places.Project != "" {
		return
	}
	worktree := r.call.Project
	project, name, ok := strings.Cut(filepath.ToSlash(worktree), "/"+folder+"/")
	project = filepath.FromSlash(project)
	if !ok || name == "" || strings.Contains(name, "/") || !discover.IsFolder(project) {
		return
	}
	r.worktree = worktree
	r.call.Project, r.places.Project = project, project
}

// addWorktree adds to the project's hooks those that only the worktree has. ok is
// false as for load.
func (r *loader) addWorktree(hooks []schema.Hook) (all []schema.Hook, ok bool) {
	if r.Inline != nil || len(r.Given) > 0 || r.sameFiles() {
		return hooks, true
	}
	r.roots = append(r.roots, r.worktree)
	more, ok := r.loadRoot(r.worktree)
	if !ok {
		return nil, false
	}
	for i := range more {
		if !slices.ContainsFunc(hooks, func(h schema.Hook) bool { return r.sameHook(h, more[i]) }) {
			hooks = append(hooks, more[i])
		}
	}
	return hooks, true
}

// sameFiles reports whether the worktree has no hook file that differs from the
// project's own.
func (r *loader) sameFiles() bool {
	places := r.places
	places.Project = r.worktree
	for _, s := range r.Hooks.Locate(places) {
		if !s.OfProject() {
			continue
		}
		for _, f := range discover.Files(s) {
			text, err := discover.Read(f.File)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			own, ownErr := discover.Read(filepath.Join(r.places.Project, trust.InProject(r.worktree, f.File)))
			if err != nil || ownErr != nil || !bytes.Equal(text, own) {
				return false
			}
		}
	}
	return true
}

// sameHook reports whether two hooks differ in nothing but their place.
func (r *loader) sameHook(a, b schema.Hook) bool {
	for _, h := range []*schema.Hook{&a, &b} {
		h.Source, h.Path = schema.Source{Plugin: h.Source.Plugin}, ""
	}
	return a.Native == b.Native && a.Matcher == b.Matcher && a.Condition == b.Condition && r.Hooks.Profile().KeyOf(&a) == r.Hooks.Profile().KeyOf(&b) && a.Alike(&b)
}

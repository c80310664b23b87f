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
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// resolveRoots chooses the project in a workspace of several roots: the root whose configuration started hookbridge, as
// hosts start a project's hooks in its root. Another root counts if its hooks wouldn't run otherwise: the root that the
// call affects, or all roots if no root's configuration started hookbridge.
func resolveRoots(r *run, c *schema.Call) (*run, *schema.Call) {
	roots := c.Roots
	if len(roots) < 2 || r.opts.Places.Project != "" {
		return r, c
	}
	installed := rootOf(roots, r.places.Env.Get("PWD"))
	touched := rootOf(roots, targetPath(c))
	if touched == "" && (c.Str(schema.FieldToolCwd) != "" || c.Cwd != c.Project) { // not a mere default
		touched = rootOf(roots, c.Cwd)
	}
	project := c.Project
	if installed != "" {
		cwd := cwdIn(c, installed)
		project, c = installed, c.Clone()
		c.Cwd = cwd
	}
	var others []string
	for _, root := range roots {
		if root != project && (installed == "" || root == touched) && !slices.Contains(others, root) &&
			!bridgedIn(r, c, root) {
			others = append(others, root)
		}
	}
	return moved(r, c, project, others)
}

// moved returns a run, and its call, in another project, with the other roots whose hooks count.
func moved(r *run, c *schema.Call, project string, roots []string) (*run, *schema.Call) {
	next := *r
	next.places.Project, next.from.roots = project, roots
	c = c.Clone()
	c.Project = project
	return &next, c
}

// resolveLayers chooses the project for a host that also loads the files of the folders above the session's: the
// nearest one whose configuration calls hookbridge. The hooks of the others, and of the session's own folder, run too.
func resolveLayers(r *run, c *schema.Call) (*run, *schema.Call) {
	alone := r.hostRules.Layers == 0 || r.hostRules.Layers == dialect.RootAlone // the payload names that root
	if alone || r.opts.Places.Project != "" {
		return r, c
	}

	folders := discover.Layers(c.Project, r.hostRules.Layers)
	folders = slices.DeleteFunc(folders, func(dir string) bool { // the user's own folder isn't a project
		return dir == r.places.Home && dir != folders[0]
	})
	if len(folders) < 2 {
		return r, c
	}

	skip := func(s schema.Source) bool { return !s.OfProject() }
	calls := slices.DeleteFunc(slices.Clone(folders), func(dir string) bool {
		places := r.places
		places.Project = dir
		return !hasCall(r, places, skip, func(_ *schema.Hook, call *cmdline.Call) bool {
			return runsTheSame(r, call)
		})
	})
	if len(calls) == 0 || len(calls) == 1 && calls[0] == folders[0] {
		return r, c
	}

	roots := calls[1:]
	if calls[0] != folders[0] {
		roots = append(roots, folders[0])
	}

	return moved(r, c, calls[0], roots)
}

// rootOf returns the innermost root that contains path, or "".
func rootOf(roots []string, path string) (in string) {
	for _, root := range roots {
		if path != "" && (path == root || dialect.Inside(root, path)) && len(root) > len(in) {
			in = root
		}
	}
	return in
}

// cwdIn returns the call's working directory as a hook of the root sees it: the root, if the call has none.
func cwdIn(c *schema.Call, root string) string {
	if c.Str(schema.FieldToolCwd) == "" && c.Cwd == c.Project {
		return root
	}
	return c.Cwd
}

// bridgedIn reports whether another root's own configuration calls hookbridge for this call. That run then runs the
// root's hooks.
func bridgedIn(r *run, c *schema.Call, root string) bool {
	if r.opts.RequireTrust { // a root's files could pretend that a gate is registered
		return false
	}
	places := r.places
	places.Project = root
	skip := func(s schema.Source) bool { return !s.OfProject() }
	return hasCall(r, places, skip, func(h *schema.Hook, call *cmdline.Call) bool {
		return h.Native == c.Native && call.Scope() != schema.ScopeUser && runsTheSame(r, call) &&
			servedBy(r, c, h, call, places) && starts(r, h, call, places)
	})
}

// withRoot adds the hooks of another root of the workspace; ok is false if they can't be read or trusted, and
// FailClosed is set.
func (l loaded) withRoot(root string) (_ loaded, ok bool) {
	there, hooks, ok := loadProject(moved(l.run, l.call, root, nil))
	next := *l.run
	next.from.allowURLs, next.from.allowEnv = there.from.allowURLs, there.from.allowEnv
	next.from.files = next.from.files || there.from.files
	next.from.partial = next.from.partial || there.from.partial
	next.from.unknown, next.from.untrusted = there.from.unknown, there.from.untrusted
	l.run = &next
	for _, h := range hooks {
		if h.Source.OfProject() {
			l.hooks = append(l.hooks, h)
		}
	}
	return l, ok || !l.run.opts.FailClosed
}

// rootOfHook returns the other root of the workspace that a hook belongs to, "" for hooks of the project and of the
// user.
func rootOfHook(r *run, c *schema.Call, h *schema.Hook) string {
	if len(r.from.roots) == 0 || !h.Source.OfProject() {
		return ""
	}
	if in := rootOf(append([]string{c.Project}, r.from.roots...), h.Source.File); in != c.Project {
		return in
	}
	return ""
}

// callIn returns a call as the hooks of a root see it; for "" the call itself.
func callIn(root string, c *schema.Call) *schema.Call {
	if root == "" {
		return c
	}
	c = c.Clone()
	c.Cwd = cwdIn(c, root)
	c.Project = root
	return c
}

// projectGone returns why the project's hooks can't be searched for, "" if they can: the payload names no folder, or
// one that doesn't exist. Without this check the answer would look as if the project had no hooks.
func projectGone(r *run, c *schema.Call) string {
	looks := r.opts.Single == nil && r.opts.Inline == nil && !r.opts.named()
	switch {
	case !looks || r.opts.Places.Project != "":
		return ""
	case c.Project == "":
		return "the payload names no project folder, so none of the project's hooks were found; --project DIR names one"
	case !discover.IsFolder(c.Project):
		return "the project folder " + c.Project +
			" doesn't exist (moved or deleted?), so none of its hooks were found; --project DIR names another"
	}
	return ""
}

// lacksFiles reports whether the project's entry found no hook file and no hook has decided. The guards that it was
// installed for are missing, or the host and hookbridge use different folders.
func (d *decision) lacksFiles() bool {
	b := d.run.opts
	looks := b.Single == nil && b.Inline == nil && b.Own == nil && !b.named()
	open := d.ok && d.searchedFiles && d.reply.Verdict < schema.Ask
	return open && looks && b.Scope == schema.ScopeProject && !d.run.from.files
}

// checkFiles makes that a failure.
func (d *decision) checkFiles() {
	if d.lacksFiles() {
		d.run.log.note(schema.CodeBridge, "the entry is for the project's hooks, and "+d.run.places.Project+
			" has no hook file of "+d.run.rules.Title).Fix = lacksFix
		d.ok = false
	}
}

const lacksFix = "restore the hook files, or remove the entry with hookbridge uninstall"

// ownerOfWorktree returns the project of a session that has moved to one of its worktrees, if the host then names the
// worktree as the project; else "". Only the project has the hook files that Git doesn't track.
func ownerOfWorktree(r *run, c *schema.Call) string {
	folder := r.hostRules.Worktrees
	if folder == "" || r.opts.Places.Project != "" {
		return ""
	}
	project, name, ok := strings.Cut(filepath.ToSlash(c.Project), "/"+folder+"/")
	project = filepath.FromSlash(project)
	if !ok || name == "" || strings.Contains(name, "/") || !discover.IsFolder(project) {
		return ""
	}
	return project
}

// withWorktree adds the hooks that only the project's worktree has. ok is as for load.
func (l loaded) withWorktree(worktree string) (_ loaded, ok bool) {
	own := l.hooks
	if l, ok = l.withRoot(worktree); !ok {
		return l, false
	}
	next := *l.run
	next.from.roots = append(slices.Clip(next.from.roots), worktree)
	more := withoutExcluded(l.run, worktree, l.hooks[len(own):])
	l.run, l.hooks = &next, own
	for i := range more {
		if !slices.ContainsFunc(own, func(h schema.Hook) bool { return sameHook(l.run, h, more[i]) }) {
			l.hooks = append(slices.Clip(l.hooks), more[i])
		}
	}
	return l, true
}

// sameFiles reports whether the worktree has no hook file that differs from the project's own.
func sameFiles(r *run, worktree string) bool {
	places := r.places
	places.Project = worktree
	for _, s := range r.hooks.Locate(places) {
		if !s.OfProject() {
			continue
		}
		for _, f := range discover.Files(s) {
			text, err := discover.Read(f.File)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			own, ownErr := discover.Read(filepath.Join(r.places.Project, trust.InProject(worktree, f.File)))
			if err != nil || ownErr != nil || !bytes.Equal(text, own) {
				return false
			}
		}
	}
	return true
}

// sameHook reports whether two hooks differ only in their place.
func sameHook(r *run, a, b schema.Hook) bool {
	for _, h := range []*schema.Hook{&a, &b} {
		h.Source, h.Path = schema.Source{Plugin: h.Source.Plugin}, ""
	}
	return a.Native == b.Native && a.Matcher == b.Matcher && a.Condition == b.Condition &&
		r.rules.KeyOf(&a) == r.rules.KeyOf(&b) && a.Alike(&b)
}

package bridge

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

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

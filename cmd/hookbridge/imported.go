package main

import (
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/schema"
)

// An imported file holds hooks of another agent that the host would run by itself,
// beside the bridge. One more member makes the host skip the file; see
// dialect.VoidMember.

// voids reports whether install can make the host skip a file that it imports: one of
// the project, for a team's own files are not changed for one user.
func (t *target) voids(file string) bool {
	return t.host.Profile().VoidMember.Name != "" && t.call.scope == schema.ScopeProject && dialect.Within(t.bridge.Places.Project, file) && !isLink(file)
}

func (t *target) stopImports(dry bool) (results []installed, err error) {
	for _, p := range t.parts {
		for _, file := range t.imported(p) {
			if !t.voids(file) {
				continue
			}
			r, err := t.changeFile(file, p.in.Hooks, dry, t.void)
			if err != nil || r == nil {
				return results, err
			}
			host := t.host.Profile()
			r.Notes = []string{
				fmt.Sprintf("%s would import %s and run its hooks a second time; %q: %s in that file makes it skip the file. %s ignores the member",
					host.Title, file, host.VoidMember.Name, host.VoidMember.Value, p.in.Hooks.Profile().Title),
				fmt.Sprintf("commit both files together: without hookbridge %s then runs no hook of %s, and %s", host.Title, file, host.VoidMember.Without),
			}
			results = append(results, *r)
		}
	}
	return results, nil
}

func (t *target) restoreImports(dry bool) (results []installed, err error) {
	for _, p := range t.parts {
		for _, s := range p.in.Hooks.Locate(t.bridge.Places) {
			if s.Folder || !t.voids(s.File) {
				continue
			}
			r, err := t.changeFile(s.File, p.in.Hooks, dry, t.unvoid)
			if err != nil {
				return results, err
			}
			if r != nil {
				results = append(results, *r)
			}
		}
	}
	return results, nil
}

// changeFile rewrites a file of another agent; nil if there is nothing to change.
func (t *target) changeFile(file string, hooks adapter.Dialect, dry bool, change func([]byte, []schema.Hook) ([]byte, error)) (*installed, error) {
	text, known := t.call.pending[file]
	if !known {
		text, _ = discover.Read(file)
	}
	if text == nil {
		return nil, nil
	}
	cfg, _ := hooks.ParseConfig(text, schema.Source{File: file, Scope: schema.ScopeProject})
	after, err := change(text, cfg.Hooks)
	if err != nil || slices.Equal(after, text) {
		return nil, inFile(file, err)
	}
	its := &target{call: t.call, bridge: t.bridge, host: t.host, file: file, before: text}
	r := its.result("changed")
	r.Hooks = []string{hooks.Profile().Name}
	if dry {
		r.change = its.wouldWrite(after, false)
		return &r, nil
	}
	return &r, jsonedit.WriteFile(file, text, after)
}

func (t *target) void(text []byte, hooks []schema.Hook) ([]byte, error) {
	m := t.host.Profile().VoidMember
	for i := range hooks {
		if hooks[i].Handler == schema.HandlerCommand {
			return jsonedit.Set(text, hooks[i].Path+"/"+m.Name, []byte(m.Value))
		}
	}
	return text, nil
}

// unvoid takes the member out of every hook that has it with the same value.
func (t *target) unvoid(text []byte, hooks []schema.Hook) (_ []byte, err error) {
	m := t.host.Profile().VoidMember
	for i := range hooks {
		if raw, ok := hooks[i].Extra.Get(m.Name); ok && string(raw) == m.Value && err == nil {
			text, err = jsonedit.Remove(text, hooks[i].Path+"/"+m.Name)
		}
	}
	return text, err
}

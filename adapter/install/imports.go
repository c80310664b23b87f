package install

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// An imported file has another agent's hooks that the host would also run without hookbridge. One more field makes the
// host skip the file; see dialect.VoidMember.

// imports are the files that a host itself imports, in a job.
type imports struct {
	job  *Job
	host adapter.Dialect
}

func (t *Target) imports() imports { return imports{t.job, t.Host} }

// voids reports whether install can make the host skip a file that it imports. Only project files qualify, because a
// team's own files are not changed for one user.
func (m imports) voids(file string) bool {
	return m.host.Profile().VoidMember.Name != "" && m.job.Scope == schema.ScopeProject &&
		dialect.Within(m.job.Places.Project, file) && !hookfile.IsLink(file)
}

// stopped reports whether hookbridge.yaml switches the host's import off, for a file of the project.
func (m imports) stopped() bool {
	x := m.job
	return x != nil && x.File != nil && x.Action == Install && x.Scope == schema.ScopeProject &&
		x.File.StopsImport(m.host.Profile().Name) != nil
}

// of lists the files with an agent's hooks that the host imports. In addition to hookbridge it would run them a second
// time.
func (m imports) of(d adapter.Dialect) (files []string) {
	if m.job.Scope == schema.ScopeManaged { // no agent imports another agent's managed hooks
		return nil
	}
	own := map[string]bool{}
	for _, s := range d.Locate(m.job.Places) {
		own[s.File] = true
	}
	if off := m.job.File.Fact(m.host.Profile().Name, inspect.ImportFact); off == "off" || off == "false" {
		return nil
	}
	if importer := m.host.Abilities().Imports; importer != nil {
		for _, file := range importer.Imported(m.job.Places, discover.Read) {
			if own[file] {
				files = append(files, file)
			}
		}
	}
	return files
}

// stopped makes the target of a host that runs no hooks here through hookbridge, but whose import hookbridge.yaml
// switches off. It returns nil, and adds a note, if no file can do that.
func (x *Job) stopped(host adapter.Dialect) *Target {
	t := &Target{job: x, Host: host}
	if !t.imports().stopped() {
		return nil
	}

	writes := leftVoid(host, x.Places)
	for _, d := range t.importable() {
		t.adviseImports(d, false)
		writes = writes || slices.ContainsFunc(t.imports().of(d), t.imports().voids)
	}
	for _, note := range t.Notes {
		x.Skipped = lists.With(x.Skipped, note)
	}

	if !writes {
		return nil
	}
	return t
}

// alsoStopped returns the agents whose import hookbridge.yaml switches off by name, in addition to the hosts found.
func (x *Job) alsoStopped(hosts []adapter.Dialect) (list []adapter.Dialect) {
	if !x.auto && !x.EveryOwner || x.Action != Install || x.Scope != schema.ScopeProject {
		return nil
	}
	for _, a := range x.File.ImportsOff {
		if d, err := adapter.Find(a.Name); err == nil && !adapter.Has(hosts, d) {
			list = append(list, d)
		}
	}
	return list
}

func (t *Target) stopImports() (results []Result, err error) {
	var done []string
	for _, d := range t.importable() {
		for _, file := range t.imports().of(d) {
			if !t.imports().voids(file) || slices.Contains(done, file) {
				continue
			}
			done = append(done, file)

			r, err := t.changeFile(file, d, t.imports().void)
			if err != nil {
				return results, err
			}
			if r == nil { // the host has none of its events
				continue
			}
			host := t.Host.Profile()
			does := "run its hooks a second time"
			if !adapter.Has(t.Owners(), d) {
				does = "run its hooks"
			}
			r.Notes = []string{
				fmt.Sprintf("%s would import %s and %s; %q: %s in that file makes it skip the file. %s ignores the "+
					"field", host.Title, file, does, host.VoidMember.Name, host.VoidMember.Ours(), d.Profile().Title),
			}
			if adapter.Has(t.Owners(), d) {
				r.Notes = append(r.Notes, fmt.Sprintf("commit both files together: without hookbridge %s then runs no "+
					"hook of %s, and %s", host.Title, file, host.VoidMember.Without))
			}
			results = append(results, *r)
		}
	}
	return results, nil
}

// restoreImports removes the fields that stopImports wrote, before the entries are removed: a host without both would
// run no hook. An earlier run may have removed only the entries.
func (t *Target) restoreImports() (results []Result, err error) {
	owners := t.job.Owners
	if len(owners) == 0 {
		owners = adapter.Dialects()
	}
	for _, d := range adapter.Without(slices.Clone(owners), t.Host) {
		for _, s := range d.Locate(t.job.Places) {
			if s.Folder || !t.imports().voids(s.File) {
				continue
			}
			r, err := t.changeFile(s.File, d, t.imports().unvoid)
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
func (t *Target) changeFile(file string, hooks adapter.Dialect, change func([]byte, []schema.Hook) ([]byte, error)) (
	*Result, error) {
	text := t.job.pending.text(file)
	if text == nil {
		return nil, nil
	}
	cfg, _ := hooks.ParseConfig(text, schema.Source{File: file, Scope: schema.ScopeProject})
	after, err := change(text, cfg.Hooks)
	if err != nil || slices.Equal(after, text) {
		return nil, InFile(file, err)
	}
	return &Result{Host: t.Host.Profile().Name, Hooks: adapter.NamesOf([]adapter.Dialect{hooks}),
		Scope: t.job.Scope.String(), File: file, State: "changed",
		change: t.job.pending.rewrite(&hostFile{path: file, before: text}, after, false, func() error {
			return jsonedit.WriteFile(file, text, after)
		})}, nil
}

// void adds the field to the first hook that makes the host skip the file: it checks only the events that it knows
// (observed Copilot 1.0.102).
func (m imports) void(text []byte, hooks []schema.Hook) ([]byte, error) {
	field, importer := m.host.Profile().VoidMember, m.host.Abilities().Imports
	for i := range hooks {
		h := &hooks[i]
		if h.Handler != schema.HandlerCommand || h.Extra.Has(field.Name) {
			continue
		}
		marked, err := jsonedit.Set(text, h.Path+"/"+field.Name, field.Ours())
		read := func(file string) ([]byte, error) {
			if file == h.Source.File {
				return marked, err
			}
			return discover.Read(file)
		}
		if err != nil || !slices.Contains(importer.Imported(m.job.Places, read), h.Source.File) {
			return marked, err
		}
	}
	return text, nil
}

// unvoid removes the field from every hook to which install added it.
func (m imports) unvoid(text []byte, hooks []schema.Hook) (_ []byte, err error) {
	field := m.host.Profile().VoidMember
	for i := range hooks {
		if hasOurs(&hooks[i], field) && err == nil {
			text, err = jsonedit.Remove(text, hooks[i].Path+"/"+field.Name)
		}
	}
	return text, err
}

// hasOurs reports whether install added the field to a hook.
func hasOurs(h *schema.Hook, field dialect.VoidMember) bool {
	raw, ok := h.Extra.Get(field.Name)
	return ok && bytes.Equal(raw, field.Ours())
}

// leftVoid reports whether install has made the host skip a file of the project.
func leftVoid(host adapter.Dialect, p schema.Places) bool {
	m := host.Profile().VoidMember
	return m.Name != "" && slices.ContainsFunc(adapter.Without(adapter.Dialects(), host), func(d adapter.Dialect) bool {
		return slices.ContainsFunc(d.Locate(p), func(s schema.Source) bool {
			text, err := discover.Read(s.File)
			if s.Folder || !s.OfProject() || err != nil {
				return false
			}
			cfg, _ := d.ParseConfig(text, s)
			return cfg != nil && slices.ContainsFunc(cfg.Hooks, func(h schema.Hook) bool { return hasOurs(&h, m) })
		})
	})
}

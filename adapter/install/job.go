// Package install adds calls to hookbridge to the hook files of agents, compares them with the needed ones, and removes
// them again. It decides what a file should contain; commands print it.
package install

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// An Action is what a Job does with the files.
type Action uint8

const (
	Install Action = iota
	Uninstall
	Status
)

// A Job is one call of install, uninstall or status.
type Job struct {
	Action Action
	Places schema.Places
	Scope  schema.Scope
	File   *projectfile.File
	// Flags are the user's flags of run for the entries. Other flags are kept from existing entries.
	Flags  cmdline.Call
	Hosts  []adapter.Dialect // nil: those found
	Owners []adapter.Dialect // whose hooks count; nil: those found
	// Program is the path of hookbridge in the entries; "": the existing path, or else the agent searches PATH.
	Program string
	// Fixed is the path of hookbridge in entries of the user's own file and of managed files, if neither Program nor an
	// entry states one. These entries run in every project, and a project may set the PATH that is searched for a name.
	// "": the name.
	Fixed string
	// Launcher is the action of the project's launcher if hookbridge is missing: launcher.Closed or launcher.Open;
	// NoLauncher: the entries start hookbridge directly; "": unchanged.
	Launcher string
	Requires string // the oldest hookbridge that may run the entries; "": any
	// EveryOwner: the hooks of every agent with hooks here count.
	EveryOwner bool
	// ReadModule lists the callbacks of a module.
	ReadModule func(d adapter.Dialect, file, dir string) (*schema.Config, schema.Diagnostics)

	Skipped []string // why there is nothing to do for named agents

	auto    bool // the hosts were found, not named
	pending pending
}

// A Nothing is the error if an install has nothing to do.
type Nothing struct{ msg string }

func (e *Nothing) Error() string { return e.msg }

// Targets chooses the job's files and their new contents.
func (x *Job) Targets() (list []*Target, err error) {
	hosts, err := x.hosts()
	if err != nil {
		return nil, err
	}
	if x.Scope == schema.ScopeProject && x.Action == Install {
		for _, idle := range choice.IdleIn(x.File, x.Places) {
			x.Skipped = append(x.Skipped, fmt.Sprintf("%s:%d: %s; %s", projectfile.Name, idle.Choice.Line, idle.Why,
				idle.Fix))
		}
	}

	var reason error   // why there is nothing to do for the last host
	var failed []error // files that status can't read
	for _, host := range hosts {
		t, err := x.target(host)
		if errors.As(err, new(*Nothing)) {
			if stopped := x.stopped(host); stopped != nil {
				t, err = stopped, nil
			}
		}
		switch {
		case errors.As(err, new(*Nothing)) && (x.auto || x.EveryOwner || len(hosts) > 1):
			reason = err
			if x.Scope == schema.ScopeManaged && !x.auto {
				x.Skipped = append(x.Skipped, err.Error())
			}
			continue
		case err != nil && x.Action == Status:
			failed = append(failed, err)
			continue
		case err != nil:
			return nil, err
		}
		t.adviseStopped()
		list = append(list, t)
	}

	for _, host := range x.alsoStopped(hosts) {
		if t := x.stopped(host); t != nil {
			list = append(list, t)
		}
	}
	if len(list) == 0 && x.Action == Install && reason != nil {
		return nil, reason
	}
	return list, errors.Join(failed...)
}

// Auto reports whether the targets' hosts were found, not named.
func (x *Job) Auto() bool { return x.auto }

func (x *Job) hosts() (list []adapter.Dialect, err error) {
	if len(x.Hosts) > 0 {
		return x.Hosts, nil
	}
	x.auto = true
	s, err := survey.Take(x.Places, x.File)
	if err != nil {
		return nil, err
	}
	if x.Action != Uninstall || s.States() {
		list = s.Project()
	}
	if x.Action != Install {
		list = adapter.With(list, adapter.Where(func(d adapter.Dialect) bool {
			return survey.Calls(d, x.Places, x.Scope) || x.Action == Uninstall && leftVoid(d, x.Places)
		})...)
	}
	if len(list) == 0 && x.Action == Install {
		return nil, &cmdline.Mistake{Text: "--host is needed: " + plan.Listed(adapter.Names(), "or")}
	}
	return list, nil
}

// FileOf returns the file of a host that install changes, "" if there is none. It is the first file of the scope, or
// the last one of the scope managed, which is the strongest.
func FileOf(host adapter.Dialect, p schema.Places, scope schema.Scope) (file string) {
	for _, s := range host.Locate(p) {
		if s.Scope != scope {
			continue
		}
		file = s.File
		if s.Folder {
			file = filepath.Join(s.File, OwnFile)
		}
		if scope != schema.ScopeManaged || inText(host, file) != nil {
			return file
		}
	}
	return file
}

// OwnFile is the name of hookbridge's file in a folder of hook files.
const OwnFile = "hookbridge.json"

func (x *Job) target(host adapter.Dialect) (*Target, error) {
	if host.Profile().Modules != nil {
		if x.auto {
			return nil, &Nothing{}
		}
		return nil, &cmdline.Mistake{Text: host.Profile().Name + " has no file of its own; hookbridge convert --to " +
			host.Profile().Name + " writes a module for it"}
	}

	path := FileOf(host, x.Places, x.Scope)
	if path == "" && x.Scope == schema.ScopeUser && x.Places.Home == "" {
		return nil, errors.New("the home folder is unknown; set HOME or name it with --home")
	}

	if path == "" {
		p := host.Profile()
		none := fmt.Sprintf("%s%s has no hook file of the scope %s", p.Name, p.Checked(), x.Scope)
		if x.Scope == schema.ScopeProject && FileOf(host, x.Places, schema.ScopeUser) != "" {
			none += "; use --scope user, which runs the project's hooks too"
		}
		if x.Scope == schema.ScopeManaged { // one of several hosts may have none
			return nil, &Nothing{none}
		}
		return nil, errors.New(none)
	}

	if x.Action != Status {
		if err := x.inside(path); err != nil {
			return nil, err
		}
	}

	f, err := readFile(x, host, path)
	if err != nil {
		return nil, err
	}
	t := &Target{job: x, Host: host, file: f}

	if why, folder := survey.Elsewhere(host, x.Places.Project); why != "" && x.Scope == schema.ScopeProject &&
		x.Action == Install {
		t.note(why + ", so it doesn't read " + t.file.path + " here; " + plan.Command("install", host) + " --project " +
			shell.Quote(folder) + " writes the file that it reads")
	}

	owners, err := x.ownersFor(t)
	if err != nil {
		return nil, err
	}

	for _, p := range t.split(owners) {
		err := t.prepare(p)
		if errors.As(err, new(*Nothing)) && len(owners) > 1 {
			continue
		}
		if err != nil {
			return nil, err
		}
		t.parts = append(t.parts, p)
	}

	if len(t.parts) == 0 && x.Action != Uninstall {
		return nil, &Nothing{"no agent has hooks here that " + host.Profile().Title + " can run; nothing changed" +
			x.anyManaged(host)}
	}

	return t, nil
}

// anyManaged returns the place for an administrator's hooks for a host: that of the agent in --hooks, of the default
// agent, or of the first other agent whose own hooks the host doesn't run.
func (x *Job) anyManaged(host adapter.Dialect) string {
	list := x.Owners
	if usual, err := adapter.Find(adapter.Default); err == nil {
		list = append(slices.Clone(list), usual)
	}
	for _, d := range append(list, adapter.WithHooks()...) {
		if where := x.whereManaged(d); where != "" && !adapter.SameAgent(d, host) {
			return where
		}
	}
	return ""
}

// whereManaged returns the place for an administrator's hooks of an agent: a folder for several files if the agent
// reads one; "" for the other scopes.
func (x *Job) whereManaged(d adapter.Dialect) string {
	if x.Scope != schema.ScopeManaged {
		return ""
	}
	where := ""
	for _, s := range d.Locate(x.Places) {
		switch {
		case s.Scope != schema.ScopeManaged:
		case s.Folder:
			return "; the hooks of an administrator are in files such as " + filepath.Join(s.File, "guards.json")
		case where == "":
			where = "; the hooks of an administrator are in " + s.File
		}
	}
	return where
}

// ownersFor lists the agents whose hooks the host should run.
func (x *Job) ownersFor(t *Target) (list []adapter.Dialect, err error) {
	itself := &cmdline.Mistake{Text: "--host and --hooks must differ: " + t.Host.Profile().Title +
		" runs its own hooks"}
	if len(x.Owners) > 0 {
		if len(x.Owners) == 1 && adapter.SameAgent(x.Owners[0], t.Host) {
			if adapter.OtherVersion(x.Owners[0], t.Host) {
				itself.Text = t.Host.Profile().Name + " loads these hooks itself; hookbridge convert --from " +
					adapter.NameOf(x.Owners[0]) +
					" --to " + adapter.NameOf(t.Host) + " rewrites them for the other version"
			}
			return nil, itself
		}
		return adapter.Without(slices.Clone(x.Owners), t.Host), nil
	}

	if x.Action == Uninstall {
		return t.installedOwners(), nil
	}

	found, known := survey.Owners(x.Places, x.Scope)
	if len(found) == 0 && x.Scope != schema.ScopeManaged {
		other := schema.ScopeUser
		if x.Scope == other {
			other = schema.ScopeProject
		}
		found, known = survey.Owners(x.Places, other)
	}

	found = adapter.Without(found, t.Host)
	usual, err := adapter.Find(adapter.Default)
	switch {
	case err != nil:
		return nil, err
	case x.auto && x.Action == Status:
		return adapter.With(found, t.installedOwners()...), nil
	case x.auto || x.EveryOwner:
		return found, nil
	case len(found) == 1 && known && !adapter.SameAgent(found[0], usual):
		t.note("only " + found[0].Profile().Name + " has hooks here, so --hooks is " + found[0].Profile().Name)
		return found, nil
	case adapter.SameAgent(usual, t.Host):
		return nil, itself
	}

	for _, d := range found {
		if !adapter.SameAgent(d, usual) && x.Action == Install && adapter.Has(found, usual) {
			t.note(d.Profile().Name + " has hooks here too; --hooks " + strings.Join(adapter.NamesOf(found), ",") +
				" bridges all of them")
			break
		}
	}

	return []adapter.Dialect{usual}, nil
}

// inside returns an error if a link leads from a project's file out of the project.
func (x *Job) inside(file string) error {
	if x.Scope != schema.ScopeProject {
		return nil
	}
	return jsonedit.Inside(x.Places.Project, file)
}

// InFile adds the file to an error, in the form for editors: FILE:LINE:COLUMN if the error has a place.
func InFile(file string, err error) error {
	var at *jsonedit.Error
	if errors.As(err, &at) {
		return fmt.Errorf("%s:%w (correct that first; nothing was written)", file, err)
	}
	return err
}

// Change computes each file's new contents in memory.
func (x *Job) Change(targets []*Target) ([]Result, error) {
	switch x.Action {
	case Install:
		return x.changes(targets, x.writeLauncher, (*Target).install, (*Target).stopImports)
	case Uninstall:
		return x.changes(targets, x.dropLauncher, (*Target).restoreImports, (*Target).uninstall)
	}
	var results []Result
	for _, t := range targets {
		results = append(results, t.status(x.auto)...)
	}
	return slices.Concat(results, x.launcherStatus(targets), x.companionStatus(targets)), nil
}

// changes runs each step for every target, and then last for all of them. It writes nothing. If two targets change the
// same file, the second one reads the pending text of the first.
func (x *Job) changes(targets []*Target, last func([]*Target) ([]Result, error),
	steps ...func(t *Target) ([]Result, error)) (results []Result, err error) {

	x.pending = pending{}
	for _, step := range steps {
		for _, t := range targets {
			some, err := step(t)
			if err != nil {
				return nil, err
			}
			results = append(results, some...)
		}
	}
	some, err := last(targets)
	if err != nil {
		return nil, err
	}
	attributes, err := x.attributes()
	if err != nil {
		return nil, err
	}
	before, after, err := x.companions()
	if err != nil {
		return nil, err
	}
	results = slices.Concat(before, results, some, after, attributes)

	whole := map[string]*rewrite{} // by file: the change by all targets
	for _, r := range results {
		if r.change != nil {
			w := whole[r.File]
			if w == nil {
				w = &rewrite{before: r.change.before}
				if err := x.inside(r.File); err != nil {
					return nil, err
				}
				if err := jsonedit.Replaceable(r.File, w.before); err != nil {
					return nil, fmt.Errorf("%w (nothing was written)", err)
				}
			}
			w.after, w.remove = r.change.after, r.change.remove
			whole[r.File] = w
		}
	}
	for i := range results {
		if r := &results[i]; r.change != nil && whole[r.File] != nil {
			r.Diff = whole[r.File].diff(r.File, x.Places)
			delete(whole, r.File)
		}
	}
	return results, nil
}

// Write writes the changes and returns the written ones.
func Write(results []Result) ([]Result, error) {
	for i := range results {
		r := &results[i]
		if r.change == nil {
			continue
		}
		if err := r.change.write(); err != nil {
			return slices.DeleteFunc(results, func(r Result) bool { return r.change != nil }), err
		}
		r.change, r.Diff = nil, ""
	}
	return results, nil
}
